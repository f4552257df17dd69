import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import { prepared, preparedWrite, type ValueOf } from "#runtime/database/prepared.ts";
import type { SessionsTable, SignOnTables } from "../tables.ts";
import type { Device } from "./device.ts";

/** The browser's signed-in state. Stored under the digest of its cookie's secret. */
export interface SignOnSession {
  readonly digest: Buffer;
  readonly personId: PersonId;
  /** When the password was last entered; `auth_time`. */
  readonly authenticatedAt: Date;
  readonly seenAt: Date;
  /** Absolute limit. */
  readonly expiresAt: Date;
  /** What the browser called itself at the sign-in. */
  readonly device: Device;
}

/** A live session with what its person approved for one application on one instance. */
export interface ConsentingSession extends SignOnSession {
  readonly approvedScopes: readonly string[];
}

/** An application on an instance. */
export interface SessionAccess {
  readonly applicationId: ApplicationId;
  readonly instanceId: InstanceId;
}

/** A person has a handful; a program that signs in all day has thousands, more than a person could read. */
const SESSIONS_LISTED_MAX = 500;

export interface SessionRepository {
  /** The session unless it was ended, expired, or was not used since `idleSince`. */
  findLive(digest: Buffer, now: Date, idleSince: Date): Promise<SignOnSession | undefined>;
  /** The session unless it was ended; one that is idle or has expired too, until it is swept. */
  findUnended(digest: Buffer): Promise<SignOnSession | undefined>;
  /** The session with the scopes that the person approved for an application on an instance; one question. */
  findConsenting(
    digest: Buffer,
    now: Date,
    idleSince: Date,
    access: SessionAccess,
  ): Promise<ConsentingSession | undefined>;
  create(tx: Transaction<SignOnTables>, session: SignOnSession): Promise<void>;
  /**
   * Records a use; `false` when the session has ended meanwhile. The row count decides, so an ended session issues
   * nothing.
   */
  use(tx: Transaction<SignOnTables>, digest: Buffer, at: Date): Promise<boolean>;
  /**
   * Locks the person's sessions: later uses wait for the end of this transaction, which sees the earlier ones. In one
   * order, before the transaction writes any of them, so that two never wait for each other.
   */
  lockAllOf(tx: Transaction<SignOnTables>, personId: PersonId): Promise<void>;
  /** `false` when it had ended before. */
  end(tx: Transaction<SignOnTables>, digest: Buffer, at: Date): Promise<boolean>;
  /** Ends the person's sessions, except the one with the digest `kept`. */
  endAllOf(tx: Transaction<SignOnTables>, personId: PersonId, at: Date, kept?: Buffer): Promise<void>;
  /** The person's sessions as `findLive` would find each, the latest sign-in first, at most `SESSIONS_LISTED_MAX`. */
  listLiveOf(personId: PersonId, now: Date, idleSince: Date): Promise<readonly SignOnSession[]>;
}

export const sessionRepository = (db: Database<SignOnTables>): SessionRepository => {
  const live = prepared(db, (value: ValueOf<{ digest: Buffer; now: number; idleSince: number }>) =>
    db
      .selectFrom("sign_on_sessions")
      .selectAll()
      .where("digest", "=", value("digest"))
      .where("ended_at", "is", null)
      .where("expires_at", ">", value("now"))
      .where("seen_at", ">", value("idleSince")),
  );
  const unended = prepared(db, (value: ValueOf<{ digest: Buffer }>) =>
    db.selectFrom("sign_on_sessions").selectAll().where("digest", "=", value("digest")).where("ended_at", "is", null),
  );
  const consenting = prepared(
    db,
    (value: ValueOf<SessionAccess & { digest: Buffer; now: number; idleSince: number }>) =>
      db
        .selectFrom("sign_on_sessions as session")
        .leftJoin("sign_on_consents as consent", (join) =>
          join
            .onRef("consent.person_id", "=", "session.person_id")
            .on("consent.application_id", "=", value("applicationId"))
            .on("consent.instance_id", "=", value("instanceId")),
        )
        .selectAll("session")
        .select("consent.scopes as approved")
        .where("session.digest", "=", value("digest"))
        .where("session.ended_at", "is", null)
        .where("session.expires_at", ">", value("now"))
        .where("session.seen_at", ">", value("idleSince")),
  );
  const use = preparedWrite((value: ValueOf<{ digest: Buffer; at: number }>) =>
    db
      .updateTable("sign_on_sessions")
      .set({ seen_at: value("at") })
      .where("digest", "=", value("digest"))
      .where("ended_at", "is", null),
  );
  return {
    async findLive(digest, now, idleSince) {
      const row = await live.first({ digest, now: now.getTime(), idleSince: idleSince.getTime() });
      return row === undefined ? undefined : toSession(row);
    },
    async findUnended(digest) {
      const row = await unended.first({ digest });
      return row && toSession(row);
    },
    async findConsenting(digest, now, idleSince, { applicationId, instanceId }) {
      const times = { now: now.getTime(), idleSince: idleSince.getTime() };
      const row = await consenting.first({ digest, ...times, applicationId, instanceId });
      return row && { ...toSession(row), approvedScopes: row.approved === null ? [] : JSON.parse(row.approved) };
    },
    async create(tx, session) {
      await tx
        .insertInto("sign_on_sessions")
        .values({
          digest: session.digest,
          person_id: session.personId,
          authenticated_at: session.authenticatedAt.getTime(),
          seen_at: session.seenAt.getTime(),
          expires_at: session.expiresAt.getTime(),
          ended_at: null,
          browser: session.device.browser,
          system: session.device.system,
        })
        .execute();
    },
    use: async (tx, digest, at) => (await use(tx, { digest, at: at.getTime() })) === 1,
    async lockAllOf(tx, personId) {
      // SQLite's writer is alone anyway.
      if (isSqlite(tx)) return;
      await tx
        .selectFrom("sign_on_sessions")
        .select("digest")
        .where("person_id", "=", personId)
        .where("ended_at", "is", null)
        .orderBy("digest")
        .forNoKeyUpdate()
        .execute();
    },
    async end(tx, digest, at) {
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_sessions")
        .set({ ended_at: at.getTime() })
        .where("digest", "=", digest)
        .where("ended_at", "is", null)
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async endAllOf(tx, personId, at, kept) {
      await tx
        .updateTable("sign_on_sessions")
        .set({ ended_at: at.getTime() })
        .where("person_id", "=", personId)
        .where("ended_at", "is", null)
        .$if(kept !== undefined, (query) => query.where("digest", "<>", kept ?? Buffer.alloc(0)))
        .execute();
    },
    async listLiveOf(personId, now, idleSince) {
      const rows = await db
        .selectFrom("sign_on_sessions")
        .selectAll()
        .where("person_id", "=", personId)
        .where("ended_at", "is", null)
        .where("expires_at", ">", now.getTime())
        .where("seen_at", ">", idleSince.getTime())
        .orderBy("authenticated_at", "desc")
        .orderBy("digest")
        .limit(SESSIONS_LISTED_MAX)
        .execute();
      return rows.map(toSession);
    },
  };
};

const toSession = (row: SessionsTable): SignOnSession => ({
  digest: row.digest,
  personId: row.person_id as PersonId,
  authenticatedAt: new Date(row.authenticated_at),
  seenAt: new Date(row.seen_at),
  expiresAt: new Date(row.expires_at),
  device: { browser: row.browser ?? "", system: row.system ?? "" },
});
