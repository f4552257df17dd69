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
  findByName(tenantId: TenantId, name: string): Promise<AccessRole | undefined>;
  findOwner(tenantId: TenantId): Promise<AccessRole | undefined>;
  /** Names of all roles of the tenant, in the order they were made. */
  listNames(tenantId: TenantId): Promise<readonly string[]>;
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
