import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import { isOneOf } from "#runtime/database/rows.ts";
import type { NumberedPage } from "../page.ts";
import type { WorkforceTables } from "../tables.ts";
import type { AccessRole, AccessRoleDefinition, AccessRoleKind } from "./access-role.ts";

/** What may change about a role. */
interface AccessRoleDetails {
  readonly name: string;
  readonly permissions: string[];
}

export interface AccessRoleRepository {
  createCustom(tenantId: TenantId, details: AccessRoleDetails): Promise<AccessRoleDefinition>;
  replaceDetails(id: number, details: AccessRoleDetails): Promise<void>;
  find(tenantId: TenantId, id: number): Promise<AccessRoleDefinition | undefined>;
  /** All roles of the tenants, in the order they were made. */
  listOf(tenantIds: readonly TenantId[]): Promise<AccessRoleDefinition[]>;
  /** A page of the tenant's roles, in the order they were made; one more than the page has, if there are more. */
  listPage(tenantId: TenantId, page: NumberedPage): Promise<AccessRoleDefinition[]>;
  /** Those of the tenants' roles that have one of the names, in the order they were made. */
  listNamed(tenantIds: readonly TenantId[], names: readonly string[]): Promise<AccessRoleDefinition[]>;
  /** The roles that the tenant was made with, whatever they are called now, and those that have one of the names; in no order. */
  listStandardAndNamed(tenantId: TenantId, names: readonly string[]): Promise<AccessRoleDefinition[]>;
  findByName(tenantId: TenantId, name: string): Promise<AccessRole | undefined>;
  findOwner(tenantId: TenantId): Promise<AccessRole | undefined>;
  count(tenantId: TenantId): Promise<number>;
}

const DEFINITION = ["tenant_id", "kind", "permissions"] as const;

export const accessRoleRepository = (db: Database<WorkforceTables>): AccessRoleRepository => {
  const all = () => db.selectFrom("workforce_access_roles").select(["id", "name"]);
  const roles = (tenantId: TenantId) => all().where("tenant_id", "=", tenantId);
  return {
    async createCustom(tenantId, { name, permissions }) {
      const kind = "CUSTOM" satisfies AccessRoleKind;
      const { id } = await db
        .insertInto("workforce_access_roles")
        .values({ tenant_id: tenantId, kind, name, permissions: JSON.stringify(permissions) })
        .returning("id")
        .executeTakeFirstOrThrow();
      return { role: { id, name }, tenantId, kind, permissions };
    },

    async replaceDetails(id, { name, permissions }) {
      await db
        .updateTable("workforce_access_roles")
        .set({ name, permissions: JSON.stringify(permissions) })
        .where("id", "=", id)
        .execute();
    },

    async find(tenantId, id) {
      const row = await roles(tenantId).select(DEFINITION).where("id", "=", id).executeTakeFirst();
      return row && toDefinition(row);
    },

    async listOf(tenantIds) {
      const rows = await all()
        .select(DEFINITION)
        .where(isOneOf(db, "tenant_id", tenantIds))
        .orderBy("id")
        .execute();
      return rows.map(toDefinition);
    },

    async listNamed(tenantIds, names) {
      const rows = await all()
        .select(DEFINITION)
        .where(isOneOf(db, "tenant_id", tenantIds))
        .where(isOneOf(db, "name", names))
        .orderBy("id")
        .execute();
      return rows.map(toDefinition);
    },

    // Two parts, each by its index: for an "or" a database would read every role of the tenant.
    async listStandardAndNamed(tenantId, names) {
      const rows = await roles(tenantId)
        .select(DEFINITION)
        .where("kind", "<>", sql.lit("CUSTOM"))
        .union(
          roles(tenantId)
            .select(DEFINITION)
            .where(isOneOf(db, "name", names)),
        )
        .execute();
      return rows.map(toDefinition);
    },

    async listPage(tenantId, { limit, after }) {
      const rows = await roles(tenantId)
        .select(DEFINITION)
        .where("id", ">", after)
        .orderBy("id")
        .limit(limit + 1)
        .execute();
      return rows.map(toDefinition);
    },

    findByName: (tenantId, name) => roles(tenantId).where("name", "=", name).executeTakeFirst(),

    findOwner: (tenantId) => roles(tenantId).where("kind", "=", sql.lit("OWNER")).executeTakeFirst(),

    async count(tenantId) {
      const { count } = await db
        .selectFrom("workforce_access_roles")
        .select(({ fn }) => fn.countAll<number | string>().as("count"))
        .where("tenant_id", "=", tenantId)
        .executeTakeFirstOrThrow();
      return Number(count);
    },
  };
};

interface DefinitionRow extends AccessRole {
  readonly tenant_id: TenantId;
  readonly kind: AccessRoleKind;
  readonly permissions: string;
}

const toDefinition = ({ id, name, tenant_id, kind, permissions }: DefinitionRow): AccessRoleDefinition => ({
  role: { id, name },
  tenantId: tenant_id,
  kind,
  permissions: JSON.parse(permissions) as string[],
});
