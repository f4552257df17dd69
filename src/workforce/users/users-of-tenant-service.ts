import type {
  ListUsersOfTenantRequest,
  ListUsersOfTenantResponse,
  ReadUserRequest,
  ReadUserResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { cutPage, readBoundedPage } from "../page.ts";
import { unknownReference } from "../refusals.ts";
import { readFields } from "../request-fields.ts";
import type { TenantRepository } from "../tenants/tenant-repository.ts";
import { toUserMessage } from "./user-message.ts";
import type { UserRepository } from "./user-repository.ts";

export interface UsersOfTenantDeps {
  readonly tenants: TenantRepository;
  readonly users: UserRepository;
}

/** Reads one user, a deleted one too. @throws NOT_FOUND (user_not_found). */
export const readUser =
  ({ users }: UsersOfTenantDeps) =>
  async (request: ReadUserRequest): Promise<ReadUserResponse> => {
    const userId = readFields((fields) => fields.id("user_id", "user", request.userId));
    const user = await users.find(userId);
    if (!user) throw unknownReference("user", "user_id", userId);
    return { user: toUserMessage(user) };
  };

/** Lists a tenant's users by creation time, then id, a page at a time. @throws NOT_FOUND (tenant_not_found). */
export const listUsersOfTenant =
  ({ tenants, users }: UsersOfTenantDeps) =>
  async (request: ListUsersOfTenantRequest): Promise<ListUsersOfTenantResponse> => {
    const page = readBoundedPage(request, "user");
    const tenantId = readFields((fields) => fields.id("tenant_id", "tenant", request.tenantId));
    if (!(await tenants.find(tenantId))) throw unknownReference("tenant", "tenant_id", tenantId);
    const found = await users.listByTenant(tenantId, page, { deletedToo: request.includeDeleted });
    const { entries, next } = cutPage(found, page, (user) => user);
    return { users: entries.map(toUserMessage), next };
  };
