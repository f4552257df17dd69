import { sql } from "kysely";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Database } from "#runtime/database/database.ts";
import type { WorkforceTables } from "../tables.ts";
import { type AccessRole, type AccessRoleDefinition, type AccessRoleKind, STANDARD_ROLES } from "./access-role.ts";

/** What may change about a role. */
export interface AccessRoleDetails {
  readonly name: string;
  readonly permissions: string[];
}

export interface AccessRoleRepository {
  createStandardRoles(tenantId: TenantId): Promise<void>;
  createCustom(tenantId: TenantId, details: AccessRoleDetails): Promise<AccessRoleDefinition>;
  replaceDetails(id: number, details: AccessRoleDetails): Promise<void>;
  find(tenantId: TenantId, id: number): Promise<AccessRoleDefinition | undefined>;
  /** All roles of the tenant, in the order they were made. */
  list(tenantId: TenantId): Promise<AccessRoleDefinition[]>;
  findByName(tenantId: TenantId, name: string): Promise<AccessRole | undefined>;
  findOwner(tenantId: TenantId): Promise<AccessRole | undefined>;
  /** Names of all roles of the tenant, in the order they were made. */
  listNames(tenantId: TenantId): Promise<readonly string[]>;
}

export const accessRoleRepository = (db: Database<WorkforceTables>): AccessRoleRepository => {
  const roles = (tenantId: TenantId) =>
    db.selectFrom("workforce_access_roles").select(["id", "name"]).where("tenant_id", "=", tenantId);
  const definitions = (tenantId: TenantId) => roles(tenantId).select(["tenant_id", "kind", "permissions"]);
  return {
    async createStandardRoles(tenantId) {
      const rows = STANDARD_ROLES.map(({ kind, name }) => ({ tenant_id: tenantId, kind, name, permissions: "[]" }));
      await db.insertInto("workforce_access_roles").values(rows).execute();
    },

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
      const row = await definitions(tenantId).where("id", "=", id).executeTakeFirst();
      return row && toDefinition(row);
    },

    async list(tenantId) {
      return (await definitions(tenantId).orderBy("id").execute()).map(toDefinition);
    },

    findByName: (tenantId, name) => roles(tenantId).where("name", "=", name).executeTakeFirst(),

    findOwner: (tenantId) => roles(tenantId).where("kind", "=", sql.lit("OWNER")).executeTakeFirst(),

    async listNames(tenantId) {
      const rows = await roles(tenantId).orderBy("id").execute();
      return rows.map(({ name }) => name);
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
