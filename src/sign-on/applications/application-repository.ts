import { sql } from "kysely";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { byBytes, matchesName, rowsOf } from "#runtime/database/rows.ts";
import { untilCommit } from "#runtime/database/until-commit.ts";
import type { SignOnTables } from "../tables.ts";
import type { Application } from "./application.ts";
import { toApplication, toFieldColumns, toRedirectUri, toSecretColumns } from "./application-row.ts";

/** Where a page of applications begins: after the one with this creation time and id. */
export interface ApplicationStart {
  readonly createdAt: Date;
  readonly id: ApplicationId;
}

export interface ApplicationRepository {
  /** With its redirect URIs; a disabled or deleted one is not found. */
  find(id: string): Promise<Application | undefined>;
  /** Disabled ones too. */
  findAny(id: string): Promise<Application | undefined>;
  /** For a person's history: of deleted ones too, for about a year. */
  findName(id: string): Promise<string | undefined>;
  /** Whether any application that is not disabled registered the origin. */
  hasOrigin(origin: string): Promise<boolean>;
  /** Oldest first, disabled ones too; at most `limit`, after the one given, and of the name if there is one. */
  list(page: {
    readonly limit: number;
    readonly after: ApplicationStart | null;
    readonly name?: string | undefined;
  }): Promise<readonly Application[]>;
  create(tx: Transaction<SignOnTables>, application: Application): Promise<void>;
  /** Writes down when previous secrets were accepted last; of one that was ended or replaced meanwhile nothing. */
  recordPreviousSecretUses(uses: ReadonlyMap<ApplicationId, PreviousSecretUse>): Promise<void>;
}

/** That the previous secret of an application was accepted: `expiresAt` says which one. */
export interface PreviousSecretUse {
  readonly expiresAt: Date;
  readonly at: Date;
}

interface WholeApplication {
  /** With its redirect URIs. */
  readonly application: Application;
  readonly isDeleted: boolean;
}

export const applicationRepository = (db: Database<SignOnTables>): ApplicationRepository => {
  const byId = prepared(db, (value: ValueOf<{ id: string }>) =>
    db.selectFrom("sign_on_applications").selectAll().where("id", "=", value("id")),
  );
  const withUris = prepared(db, (value: ValueOf<{ id: string }>) =>
    db
      .selectFrom("sign_on_applications as application")
      .leftJoin("sign_on_redirect_uris as registered", "registered.application_id", "application.id")
      .selectAll("application")
      .select(["registered.uri", "registered.instance_id"])
      .where("application.id", "=", value("id"))
      .orderBy(byBytes(db, "registered.uri")),
  );
  const originsLike = prepared(db, (value: ValueOf<{ pattern: string }>) =>
    db
      .selectFrom("sign_on_applications")
      .select("cors_origins")
      .where("disabled_at", "is", null)
      .where("cors_origins", "like", value("pattern")),
  );
  const reads = untilCommit<WholeApplication>(db);
  /** One question, or none where the same was asked since the last commit (R-X227). */
  const findWhole = async (id: string): Promise<WholeApplication | undefined> => {
    const ofNow = reads();
    const kept = ofNow?.get(id);
    if (kept !== undefined) return kept;
    const rows = await withUris.all({ id });
    const [row] = rows;
    if (row === undefined) return undefined;
    const uris = rows.flatMap(({ uri, instance_id }) =>
      uri === null || instance_id === null ? [] : [toRedirectUri({ uri, instance_id })],
    );
    const whole = { application: toApplication(row, uris), isDeleted: row.deleted_at !== null };
    ofNow?.keep(id, whole);
    return whole;
  };
  return {
    async find(id) {
      const found = await findWhole(id);
      return found?.application.disabledAt === undefined ? found?.application : undefined;
    },
    async findAny(id) {
      const found = await findWhole(id);
      return found?.isDeleted === false ? found.application : undefined;
    },
    async findName(id) {
      return (await byId.first({ id }))?.name;
    },
    async hasOrigin(origin) {
      // The pattern may match too much (letter case, `_`); the list itself decides.
      const rows = await originsLike.all({ pattern: `%"${origin}"%` });
      return rows.some(({ cors_origins }) => (JSON.parse(cors_origins) as string[]).includes(origin));
    },
    async list({ limit, after, name }) {
      const any = db.selectFrom("sign_on_applications").selectAll().where("deleted_at", "is", null);
      const all = name === undefined ? any : any.where(matchesName(db, sql.ref("name"), name));
      const following =
        after === null
          ? all
          : all.where((row) =>
              row.or([
                row("created_at", ">", after.createdAt.getTime()),
                row.and([row("created_at", "=", after.createdAt.getTime()), row("id", ">", after.id)]),
              ]),
            );
      const rows = await following.orderBy("created_at").orderBy("id").limit(limit).execute();
      if (rows.length === 0) return [];
      const ids = rows.map(({ id }) => id);
      const uris = await db
        .selectFrom("sign_on_redirect_uris")
        .selectAll()
        .where("application_id", "in", ids)
        .orderBy(byBytes(db, "uri"))
        .execute();
      const byApplication = Map.groupBy(uris, (uri) => uri.application_id);
      return rows.map((row) => toApplication(row, (byApplication.get(row.id) ?? []).map(toRedirectUri)));
    },
    async create(tx, application) {
      await tx
        .insertInto("sign_on_applications")
        .values({
          id: application.id,
          kind: application.kind,
          ...toFieldColumns(application),
          ...toSecretColumns(application),
          created_at: application.createdAt.getTime(),
          updated_at: application.updatedAt.getTime(),
          disabled_at: application.disabledAt?.getTime() ?? null,
          issues_void_until: null,
          deleted_at: null,
        })
        .execute();
      const uris = application.redirectUris.map(({ uri, instanceId }) => ({
        application_id: application.id,
        uri,
        instance_id: instanceId,
      }));
      await tx.insertInto("sign_on_redirect_uris").values(uris).execute();
    },
    async recordPreviousSecretUses(uses) {
      const rows = [...uses].map(([id, { expiresAt, at }]) => ({ id, until: expiresAt.getTime(), at: at.getTime() }));
      const at = sql<number>`cast(given.value ->> 'at' as bigint)`;
      await sql`
        update sign_on_applications set previous_secret_used_at = ${at} from ${rowsOf(db, rows)}
        where id = given.value ->> 'id' and previous_secret_expires_at = cast(given.value ->> 'until' as bigint)
          and (previous_secret_used_at is null or previous_secret_used_at < ${at})
      `.execute(db);
    },
  };
};
