import BetterSqlite3 from "better-sqlite3";

type Payload = Readonly<Record<string, unknown>>;

/** Storage of one model of node-oidc-provider (its documentation, `adapter`). */
export interface Adapter {
  upsert(id: string, payload: Payload, expiresIn: number): Promise<void>;
  find(id: string): Promise<Payload | undefined>;
  findByUid(uid: string): Promise<Payload | undefined>;
  findByUserCode(userCode: string): Promise<Payload | undefined>;
  consume(id: string): Promise<void>;
  destroy(id: string): Promise<void>;
  revokeByGrantId(grantId: string): Promise<void>;
}

/** Unbounded maps; the library's own adapter forgets all but the last thousand entries. */
export function memoryAdapter(): (model: string) => Adapter {
  return () => {
    const kept = new Map<string, Payload>();
    const byUid = new Map<string, string>();
    return {
      async upsert(id, payload) {
        kept.set(id, payload);
        if (typeof payload.uid === "string") byUid.set(payload.uid, id);
      },
      find: async (id) => kept.get(id),
      findByUid: async (uid) => kept.get(byUid.get(uid) ?? ""),
      findByUserCode: async () => undefined,
      async consume(id) {
        kept.set(id, { ...kept.get(id), consumed: Math.floor(Date.now() / 1000) });
      },
      destroy: async (id) => void kept.delete(id),
      async revokeByGrantId(grantId) {
        for (const [id, payload] of kept) if (payload.grantId === grantId) kept.delete(id);
      },
    };
  };
}

/** One table, every write a durable commit as ours are: write-ahead log, synchronous full. */
export function sqliteAdapter(path: string): (model: string) => Adapter {
  const db = new BetterSqlite3(path);
  db.pragma("journal_mode = wal");
  db.pragma("synchronous = full");
  db.exec(`create table models (
    model text not null, id text not null, payload text not null, grant_id text, uid text, expires_at integer not null,
    primary key (model, id)) strict, without rowid;
    create index models_by_grant on models (grant_id) where grant_id is not null;
    create index models_by_uid on models (model, uid) where uid is not null`);
  const upsert = db.prepare("insert or replace into models values (?, ?, ?, ?, ?, ?)");
  const find = db.prepare("select payload from models where model = ? and id = ?").pluck();
  const findByUid = db.prepare("select payload from models where model = ? and uid = ?").pluck();
  const consume = db.prepare(
    "update models set payload = json_set(payload, '$.consumed', unixepoch()) where model = ? and id = ?",
  );
  const destroy = db.prepare("delete from models where model = ? and id = ?");
  const revoke = db.prepare("delete from models where grant_id = ?");
  const parsed = (text: unknown) => (typeof text === "string" ? (JSON.parse(text) as Payload) : undefined);
  return (model) => ({
    async upsert(id, payload, expiresIn) {
      const { grantId = null, uid = null } = payload;
      upsert.run(model, id, JSON.stringify(payload), grantId, uid, Math.floor(Date.now() / 1000) + (expiresIn ?? 0));
    },
    find: async (id) => parsed(find.get(model, id)),
    findByUid: async (uid) => parsed(findByUid.get(model, uid)),
    findByUserCode: async () => undefined,
    consume: async (id) => void consume.run(model, id),
    destroy: async (id) => void destroy.run(model, id),
    revokeByGrantId: async (grantId) => void revoke.run(grantId),
  });
}
