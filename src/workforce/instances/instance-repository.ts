import type { InstanceId } from "#runtime/basis/ids.ts";
import { type Database, locked, type Transaction } from "#runtime/database/database.ts";
import { pageOf } from "#runtime/database/page-rows.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import { type LimitedPage, type PageValues, toPageValues } from "../page.ts";
import type { WorkforceTables } from "../tables.ts";
import type { Instance } from "./instance.ts";

export interface InstanceRepository {
  /** Within a transaction if one is given. */
  find(id: InstanceId, within?: Transaction<WorkforceTables>): Promise<Instance | undefined>;
  /** The instances with these ids. */
  findAll(ids: readonly InstanceId[]): Promise<Instance[]>;
  /** A page of all, by creation time, then id; one more than the page has, if there are more. */
  listPage(page: LimitedPage<InstanceId>): Promise<Instance[]>;
  create(instance: Instance): Promise<void>;
  /** Locks the instance; connections with it that are being made are waited for, and later ones wait. */
  lock(id: InstanceId): Promise<Instance | undefined>;
  replaceName(id: InstanceId, name: string): Promise<void>;
}

export const instanceRepository = (db: Database<WorkforceTables>): InstanceRepository => {
  const instances = () => db.selectFrom("workforce_instances").select(["id", "name", "created_at"]);
  const one = prepared(db, (value: ValueOf<{ id: InstanceId }>) => instances().where("id", "=", value("id")));
  const page = prepared(db, (value: ValueOf<PageValues<InstanceId>>) => pageOf(instances(), value));
  return {
    async find(id, within) {
      const row = await one.first({ id }, within);
      return row && toInstance(row);
    },

    async findAll(ids) {
      const rows = await instances()
        .where(isOneOf(db, "id", ids))
        .execute();
      return rows.map(toInstance);
    },

    async listPage(asked) {
      return (await page.all(toPageValues(asked))).map(toInstance);
    },

    async create({ id, name, createdAt }) {
      await db
        .insertInto("workforce_instances")
        .values({ id, name, revision: 1, created_at: createdAt.getTime() })
        .execute();
    },

    async lock(id) {
      const row = await locked(db, instances()).where("id", "=", id).executeTakeFirst();
      return row && toInstance(row);
    },

    async replaceName(id, name) {
      await db.updateTable("workforce_instances").set({ name }).where("id", "=", id).execute();
    },
  };
};

const toInstance = ({ id, name, created_at }: { id: InstanceId; name: string; created_at: number }): Instance => ({
  id,
  name,
  createdAt: new Date(created_at),
});
