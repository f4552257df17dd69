import type { IntegrationId } from "#runtime/basis/ids.ts";
import { type Database, isSqlite } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import type { WorkforceTables } from "../tables.ts";

/** An external party that owns API keys. */
export interface Integration {
  readonly id: IntegrationId;
  readonly name: string;
  readonly createdAt: Date;
}

export interface IntegrationRepository {
  find(id: IntegrationId): Promise<Integration | undefined>;
  /**
   * How many writes may have changed what the integration shows (R-G10); `undefined` if the integration does not exist.
   */
  findRevision(id: IntegrationId): Promise<number | undefined>;
  /** A page of all, by creation time, then id; one more than the page has, if there are more. */
  listPage(page: LimitedPage<IntegrationId>): Promise<Integration[]>;
  create(integration: Integration): Promise<void>;
  /** Locks the integration: writes to it and to its connections take turns. */
  lock(id: IntegrationId): Promise<Integration | undefined>;
  rename(id: IntegrationId, name: string): Promise<void>;
}

export const integrationRepository = (db: Database<WorkforceTables>): IntegrationRepository => {
  const integrations = () => db.selectFrom("workforce_integrations").select(["id", "name", "created_at"]);
  const revision = prepared(db, (value: ValueOf<{ id: IntegrationId }>) =>
    db.selectFrom("workforce_integrations").select("revision").where("id", "=", value("id")),
  );
  const page = prepared(db, (value: ValueOf<PageValues<IntegrationId>>) => pageOf(integrations(), value));
  return {
    async findRevision(id) {
      return (await revision.first({ id }))?.revision;
    },

    async find(id) {
      const row = await integrations().where("id", "=", id).executeTakeFirst();
      return row && toIntegration(row);
    },

    async listPage(asked) {
      return (await page.all(toPageValues(asked))).map(toIntegration);
    },

    async create({ id, name, createdAt }) {
      await db
        .insertInto("workforce_integrations")
        .values({ id, name, revision: 1, created_at: createdAt.getTime() })
        .execute();
    },

    async lock(id) {
      // SQLite's writer is alone anyway. Foreign keys that refer to the integration do not wait for this kind of lock.
      const lockable = isSqlite(db) ? integrations() : integrations().forNoKeyUpdate();
      const row = await lockable.where("id", "=", id).executeTakeFirst();
      return row && toIntegration(row);
    },

    async rename(id, name) {
      await db.updateTable("workforce_integrations").set({ name }).where("id", "=", id).execute();
    },
  };
};

const toIntegration = (row: { id: IntegrationId; name: string; created_at: number }): Integration => ({
  id: row.id,
  name: row.name,
  createdAt: new Date(row.created_at),
});
