import type { Failure } from "#runtime/basis/errors.ts";
import type { TenantId, UserId } from "#runtime/basis/ids.ts";
import { unknownReference, userExists } from "../../failures.ts";
import type { AccessRole } from "../../tenants/access-role.ts";
import { unknownRoleOf } from "../../tenants/access-role-name.ts";
import type { User } from "../../users/user.ts";
import { userCreated } from "../../users/user-wire.ts";
import type { LineOf } from "../lines/line.ts";
import { toUserLine } from "../lines/user-line.ts";
import { type ImportBatch, tenantNamed } from "./import-batch.ts";
import { byId, importRun, type Verdict } from "./import-run.ts";
import { KnownPeople } from "./known-people.ts";
import { TakenSeats } from "./taken-seats.ts";

/** Creates users in the status that their line names; emits user.created unless that is DELETED. */
export async function importUsers(lines: readonly LineOf<"user">[], batch: ImportBatch): Promise<Verdict[]> {
  const { repositories, at } = batch;
  const people = await KnownPeople.of(
    batch,
    lines.map(({ person }) => person),
  );
  const managerIds = lines.map(({ managerId }) => managerId).filter((id) => id !== null);
  const stored = byId(await repositories.users.findAll([...lines.map(({ id }) => id), ...managerIds]));
  const seats = new TakenSeats(await repositories.users.listSeats(people.ids));
  const roles = await rolesOf(batch, lines);
  return importRun(lines, at, {
    noun: "The user",
    stored,
    toLine: toUserLine,
    make({ id, tenantId, person, status, managerId, role }, createdAt): User {
      tenantNamed(batch, tenantId);
      managerOf(stored, managerId, tenantId);
      const seat = {
        person: people.resolve(person, createdAt),
        role: role === null ? null : roles.get(tenantId, role),
      };
      return { id, tenantId, ...seat, status, managerId, createdAt };
    },
    admit({ id, tenantId, person, status }) {
      const seat = { tenantId, personId: person.id };
      const holder = seats.find(seat);
      if (holder !== undefined && status !== "DELETED") throw userExists(holder);
      people.admit(person);
      if (status !== "DELETED") seats.take({ id, ...seat });
    },
    async create(created) {
      await people.write();
      await repositories.users.createAll(created);
      for (const { tenantId } of created) batch.touched.tenants.add(tenantId);
      const announced = created.filter(({ status }) => status !== "DELETED");
      await batch.emit(
        announced.map((user) => {
          const manager = managerOf(stored, user.managerId, user.tenantId);
          return userCreated(user, manager, tenantNamed(batch, user.tenantId).instanceId);
        }),
      );
    },
  });
}

/**
 * A deleted user manages no other user: deletion clears the reference everywhere. @throws NOT_FOUND (user_not_found).
 */
function managerOf(users: ReadonlyMap<string, User>, id: UserId | null, tenantId: TenantId): User | undefined {
  if (id === null) return undefined;
  const manager = users.get(id);
  if (manager?.tenantId !== tenantId || manager.status === "DELETED") throw unknownReference("user", "managerId", id);
  return manager;
}

/** The roles that the lines name: a tenant may have one for each user (R-E3). */
async function rolesOf({ repositories: { accessRoles } }: ImportBatch, lines: readonly LineOf<"user">[]) {
  const named = lines.flatMap(({ tenantId, role }) => (role === null ? [] : [{ tenantId, role }]));
  const found = await accessRoles.listNamed(
    [...new Set(named.map(({ tenantId }) => tenantId))],
    [...new Set(named.map(({ role }) => role))],
  );
  const byTenant = new Map<TenantId, Map<string, AccessRole>>();
  for (const { tenantId, role } of found)
    byTenant.set(tenantId, (byTenant.get(tenantId) ?? new Map()).set(role.name, role));
  const unknown = new Map<TenantId, Failure>();
  for (const { tenantId, role } of named)
    if (!byTenant.get(tenantId)?.has(role) && !unknown.has(tenantId))
      unknown.set(tenantId, await unknownRoleOf(accessRoles, tenantId));
  return {
    /** @throws NOT_FOUND (access_role_not_found) that lists the names there are. */
    get(tenantId: TenantId, name: string): AccessRole {
      const role = byTenant.get(tenantId)?.get(name);
      if (role === undefined) throw unknown.get(tenantId);
      return role;
    },
  };
}
