import type {
  GetUserRequest,
  GetUserResponse,
  ListUsersRequest,
  ListUsersResponse,
} from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import {
  InviteUserRequest,
  InviteUserResponse,
  type ListUsersOfTenantRequest,
  type ListUsersOfTenantResponse,
  type ReadUserRequest,
  type ReadUserResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { newId, parseId, type UserId } from "#runtime/basis/ids.ts";
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { missing, unknownReference, userExists } from "../failures.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import { getReachableTenant } from "../integrations/reachable.ts";
import { type LimitedPage, readBatches, readBoundedPage, readPage } from "../page.ts";
import { findOrCreatePerson } from "../people/known-person-service.ts";
import { personRepository } from "../people/person-repository.ts";
import { type FieldReader, LENGTHS, readFields, readWrite } from "../request-fields.ts";
import { batchesUnlessKnown, type Revised, unlessKnown } from "../revisions.ts";
import { getRole } from "../tenants/access-role-name.ts";
import { accessRoleRepository } from "../tenants/access-role-repository.ts";
import { getAndLock, getNamedTenant } from "../tenants/belonging.ts";
import { type TenantRepository, tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { defaultManager } from "./manager.ts";
import { toManagedUserMessage, toUserMessage, type User } from "./user.ts";
import { type UserRepository, userRepository } from "./user-repository.ts";
import { firstStatus } from "./user-status.ts";
import { userCreated } from "./user-wire.ts";

interface UsersDeps {
  readonly users: UserRepository;
  readonly changes: WorkforceChanges;
  readonly random: Random;
}

const NO_USER: Omit<GetUserResponse, keyof Revised> = { user: null, manager: null };
const NO_USERS: Omit<ListUsersResponse, keyof Revised> = { users: [], next: null };

/**
 * Reads one user of a tenant with its manager; a deleted one too (R-G7).
 * @throws NOT_FOUND for the instance integration, the tenant or the user.
 */
export const getUser =
  ({ users }: UsersDeps) =>
  async (request: GetUserRequest, { reach }: GatewayCall): Promise<GetUserResponse> => {
    const tenant = getReachableTenant(reach);
    const id = parseId("user", request.userId);
    return unlessKnown(request, tenant.revision, NO_USER, async () => {
      const found = id && (await users.findManaged(id, tenant.id));
      if (!found) throw missing("user_not_found");
      return toManagedUserMessage(found);
    });
  };

/**
 * Lists the users of a tenant that are not DELETED with their managers, oldest first, in pages when asked (R-G7, R-G9).
 * @throws NOT_FOUND for the instance integration or the tenant; INVALID_ARGUMENT for the page.
 */
export const listUsers = ({ users }: UsersDeps) =>
  async function* (request: ListUsersRequest, { reach }: GatewayCall): AsyncIterable<ListUsersResponse> {
    const asked = readPage(request, "user");
    const tenant = getReachableTenant(reach);
    yield* batchesUnlessKnown(request, tenant.revision, NO_USERS, async function* () {
      const read = (page: LimitedPage<UserId>) => users.listManaged(tenant.id, page);
      for await (const { entries, next } of readBatches(asked, read, ({ user }) => user))
        yield { users: entries.map(toManagedUserMessage), next };
    });
  };

/**
 * Gives a person a seat in a tenant, INVITED until they sign in unless they did before, with the default manager and the role asked for
 * (R-G17), and emits user.created.
 * @throws NOT_FOUND for tenant, role and inviting user; ALREADY_EXISTS (user_exists) when the person has a seat there.
 */
export const inviteUser =
  ({ changes, random }: UsersDeps) =>
  async (request: InviteUserRequest, call: Call): Promise<InviteUserResponse> => {
    const {
      tenantId,
      person: details,
      roleName,
      inviterId,
    } = readWrite(request, (fields) => readInvitation(fields, request));
    const status = firstStatus(request.signedInBefore === true);
    return changes.run(
      async ({ db, at, emit, wrote }) => {
        const [roles, users] = [accessRoleRepository(db), userRepository(db)];
        const tenant = await getAndLock(tenantRepository(db), tenantId);
        const role = roleName === null ? null : await getRole(roles, tenantId, roleName);
        const inviter = inviterId === null ? undefined : await users.find(inviterId);
        if (inviterId !== null && !inviter) throw unknownReference("user", "invited_by_user_id", inviterId);
        const person = await findOrCreatePerson(personRepository(db), details, random, at);
        const seat = await users.findSeat(tenantId, person.id);
        if (seat !== undefined) throw userExists(seat);
        const owner = await roles.findOwner(tenantId);
        const oldestActiveOwner = owner && (await users.findOldestActive(tenantId, owner.id));
        const managerId = defaultManager(tenantId, inviter, oldestActiveOwner);
        const id = newId("user", random);
        const user: User = { id, tenantId, person, status, managerId, role, createdAt: at };
        await users.createAll([user]);
        await emit(userCreated(user, await users.findManager(user), tenant.instanceId));
        const written = { actor: call.actor, object: id, facts: { tenantId, status }, tenants: [tenantId] };
        return wrote("user.invite", written, { user: toUserMessage(user) });
      },
      repeatable(request, call, InviteUserRequest, InviteUserResponse),
    );
  };

const readInvitation = (fields: FieldReader, request: InviteUserRequest) => ({
  tenantId: fields.id("tenant_id", "tenant", request.tenantId),
  person: {
    email: fields.email("email", request.email),
    firstName: fields.optionalText("first_name", request.firstName, LENGTHS.personName),
    lastName: fields.optionalText("last_name", request.lastName, LENGTHS.personName),
    emailVerified: request.emailVerified,
  },
  roleName: fields.optionalText("role_name", request.roleName, LENGTHS.name),
  inviterId: fields.optionalId("invited_by_user_id", "user", request.invitedByUserId),
});

interface UsersOfTenantDeps {
  readonly tenants: TenantRepository;
  readonly users: UserRepository;
}

/** Reads one user, a deleted one too, but none of an erased tenant (R-X263). @throws NOT_FOUND (user_not_found). */
export const readUser =
  ({ tenants, users }: UsersOfTenantDeps) =>
  async (request: ReadUserRequest): Promise<ReadUserResponse> => {
    const userId = readFields((fields) => fields.id("user_id", "user", request.userId));
    const user = await users.find(userId);
    if (!user || !(await tenants.find(user.tenantId))) throw unknownReference("user", "user_id", userId);
    return { user: toUserMessage(user) };
  };

/** Lists a tenant's users by creation time, then id, a page at a time. @throws NOT_FOUND (tenant_not_found). */
export const listUsersOfTenant =
  ({ tenants, users }: UsersOfTenantDeps) =>
  async (request: ListUsersOfTenantRequest): Promise<ListUsersOfTenantResponse> => {
    const page = readBoundedPage(request, "user");
    const { id: tenantId } = await getNamedTenant(tenants, request);
    const found = await users.listByTenant(tenantId, page, { deletedToo: request.includeDeleted });
    const { entries, next } = cutPage(found, page, (user) => user);
    return { users: entries.map(toUserMessage), next };
  };
