import type { InstanceId, InstanceIntegrationId, IntegrationId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import type { Instance } from "../instances/instance.ts";
import type { WorkforceTables } from "../tables.ts";

/** The connection of one integration with one instance. */
export interface InstanceIntegration {
  readonly id: InstanceIntegrationId;
  readonly integrationId: IntegrationId;
  readonly instance: Instance;
  /** While false, nothing below it is shown (R-G5). */
  readonly configured: boolean;
  readonly createdAt: Date;
  readonly updatedAt: Date;
}

export interface InstanceIntegrationRepository {
  /** Whatever its integration; for our own services, never for the gateway. */
  find(id: InstanceIntegrationId): Promise<InstanceIntegration | undefined>;
  /** The connections of the integrations, by creation time, then id. */
  listOf(integrationIds: readonly IntegrationId[]): Promise<InstanceIntegration[]>;
  /** The one connection of the two, if there is one. */
  findBetween(integrationId: IntegrationId, instanceId: InstanceId): Promise<InstanceIntegration | undefined>;
  setConfigured(id: InstanceIntegrationId, configured: boolean, at: Date): Promise<void>;
  delete(id: InstanceIntegrationId): Promise<void>;
  create(instanceIntegration: InstanceIntegration): Promise<void>;
}

export const instanceIntegrationRepository = (db: Database<WorkforceTables>): InstanceIntegrationRepository => {
  const connections = () =>
    db
      .selectFrom("workforce_instance_integrations as connection")
      .innerJoin("workforce_instances as instance", "instance.id", "connection.instance_id")
      .select([
        "connection.id",
        "connection.integration_id",
        "connection.configured",
        "connection.created_at",
        "connection.updated_at",
        "instance.id as instance_id",
        "instance.name as instance_name",
        "instance.created_at as instance_created_at",
      ]);
  return {
    async find(id) {
      const row = await connections().where("connection.id", "=", id).executeTakeFirst();
      return row && toInstanceIntegration(row);
    },

    async listOf(integrationIds) {
      const rows = await connections()
        .where(isOneOf(db, "connection.integration_id", integrationIds))
        .orderBy("connection.created_at")
        .orderBy("connection.id")
        .execute();
      return rows.map(toInstanceIntegration);
    },

    async findBetween(integrationId, instanceId) {
      const row = await connections()
        .where("connection.integration_id", "=", integrationId)
        .where("connection.instance_id", "=", instanceId)
        .executeTakeFirst();
      return row && toInstanceIntegration(row);
    },

    async setConfigured(id, configured, at) {
      await db
        .updateTable("workforce_instance_integrations")
        .set({ configured: configured ? 1 : 0, updated_at: at.getTime() })
        .where("id", "=", id)
        .execute();
    },

    async delete(id) {
      await db.deleteFrom("workforce_instance_integrations").where("id", "=", id).execute();
    },

    async create({ id, integrationId, instance, configured, createdAt, updatedAt }) {
      await db
        .insertInto("workforce_instance_integrations")
        .values({
          id,
          integration_id: integrationId,
          instance_id: instance.id,
          configured: configured ? 1 : 0,
          created_at: createdAt.getTime(),
          updated_at: updatedAt.getTime(),
        })
        .execute();
    },
  };
};

interface ConnectionRow {
  readonly id: InstanceIntegrationId;
  readonly integration_id: IntegrationId;
  readonly configured: number;
  readonly created_at: number;
  readonly updated_at: number;
  readonly instance_id: InstanceId;
  readonly instance_name: string;
  readonly instance_created_at: number;
}

const toInstanceIntegration = (row: ConnectionRow): InstanceIntegration => ({
  id: row.id,
  integrationId: row.integration_id,
  instance: { id: row.instance_id, name: row.instance_name, createdAt: new Date(row.instance_created_at) },
  configured: row.configured === 1,
  createdAt: new Date(row.created_at),
  updatedAt: new Date(row.updated_at),
});
