import {
  CreateAccessRoleRequest,
  CreateAccessRoleResponse,
  type ListAccessRolesOfTenantRequest,
  type ListAccessRolesOfTenantResponse,
  UpdateAccessRoleRequest,
  UpdateAccessRoleResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { readNumberedPage } from "../page.ts";
import { LENGTHS, readWrite } from "../request-fields.ts";
import { isSame } from "../revisions.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { readPermissions, toDefinitionMessage } from "./access-role.ts";
import { assertNameIsFree } from "./access-role-name.ts";
import { type AccessRoleRepository, accessRoleRepository } from "./access-role-repository.ts";
import { getAndLock, getNamedTenant } from "./belonging.ts";
import { type TenantRepository, tenantRepository } from "./tenant-repository.ts";

interface AccessRolesDeps {
  readonly accessRoles: AccessRoleRepository;
  readonly tenants: TenantRepository;
  readonly changes: WorkforceChanges;
}

/** Makes a role of the tenant's own. @throws NOT_FOUND (tenant_not_found); ALREADY_EXISTS (access_role_exists). */
export const createAccessRole =
  ({ changes }: AccessRolesDeps) =>
  async (request: CreateAccessRoleRequest, call: Call): Promise<CreateAccessRoleResponse> => {
    const { tenantId, ...details } = readWrite(request, (fields) => ({
      tenantId: fields.id("tenant_id", "tenant", request.tenantId),
      name: fields.text("name", request.name, LENGTHS.name),
      permissions: readPermissions(fields, "permissions", request.permissions),
    }));
    return changes.run(
      async ({ db, wrote }) => {
        const roles = accessRoleRepository(db);
        await getAndLock(tenantRepository(db), tenantId);
        await assertNameIsFree(roles, tenantId, details.name);
        const made = await roles.createCustom(tenantId, details);
        const facts = { accessRoleId: made.role.id };
        const written = { actor: call.actor, object: tenantId, facts };
        return wrote("accessRole.create", written, { role: toDefinitionMessage(made) });
      },
      repeatable(request, call, CreateAccessRoleRequest, CreateAccessRoleResponse),
    );
  };

/**
 * Changes a role's name or permissions for everybody who has it. Users show the name, so the tenant's revision rises with it; nothing is
 * emitted (R-G17).
 * @throws NOT_FOUND (tenant_not_found, access_role_not_found); ALREADY_EXISTS (access_role_exists).
 */
export const updateAccessRole =
  ({ changes }: AccessRolesDeps) =>
  async (request: UpdateAccessRoleRequest, call: Call): Promise<UpdateAccessRoleResponse> => {
    const { tenantId, mask, name, permissions } = readWrite(request, (fields) => {
      const mask = fields.mask(request.updateMask, ["name", "permissions"]);
      return {
        tenantId: fields.id("tenant_id", "tenant", request.tenantId),
        mask,
        name: mask.has("name") ? fields.text("name", request.name, LENGTHS.name) : undefined,
        permissions: mask.has("permissions") ? readPermissions(fields, "permissions", request.permissions) : undefined,
      };
    });
    return changes.run(
      async ({ db, unchanged, wrote }) => {
        const roles = accessRoleRepository(db);
        await getAndLock(tenantRepository(db), tenantId);
        const before = await roles.find(tenantId, request.accessRoleId);
        if (!before)
          throw notFound("access_role_not_found", `The tenant has no access role with the id ${request.accessRoleId}.`);
        const details = { name: name ?? before.role.name, permissions: permissions ?? before.permissions };
        const after = { ...before, role: { ...before.role, name: details.name }, permissions: details.permissions };
        if (isSame(after, before)) return unchanged({ role: toDefinitionMessage(before) });
        const isRenamed = after.role.name !== before.role.name;
        if (isRenamed) await assertNameIsFree(roles, tenantId, details.name);
        await roles.replaceDetails(before.role.id, details);
        const facts = { accessRoleId: before.role.id, fields: [...mask].join(" ") };
        const written = { actor: call.actor, object: tenantId, facts, tenants: isRenamed ? [tenantId] : [] };
        return wrote("accessRole.update", written, { role: toDefinitionMessage(after) });
      },
      repeatable(request, call, UpdateAccessRoleRequest, UpdateAccessRoleResponse),
    );
  };

/** Lists a tenant's roles in the order they were made, a page at a time. @throws NOT_FOUND (tenant_not_found). */
export const listAccessRolesOfTenant =
  ({ accessRoles, tenants }: AccessRolesDeps) =>
  async (request: ListAccessRolesOfTenantRequest): Promise<ListAccessRolesOfTenantResponse> => {
    const page = readNumberedPage(request);
    const { id: tenantId } = await getNamedTenant(tenants, request);
    const { entries, next } = cutPage(await accessRoles.listPage(tenantId, page), page, ({ role }) => role.id);
    return { roles: entries.map(toDefinitionMessage), next };
  };
