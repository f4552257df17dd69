import { there } from "../workforce-fixture.ts";
import { byId, type Model, type ModelUser, ofTenant } from "./model.ts";
import { type ModelEvent, userEvent } from "./model-events.ts";
import { addressOf, type Meaning, type Meant, personOf, pick, type Stage, type Step, withTenant } from "./stage.ts";

/** Every tenant has these, in this order; their numbers come with the first user that has one. */
const STANDARD = ["Owner", "Admin", "Member"];

export const inviteUser = withTenant((stage, { picks, words, flags }, tenant) => {
  const { workforce, model } = stage;
  const email = addressOf(stage, picks[1]);
  const known = personOf(model, email);
  const names = { first: flags[0] ? (words[0] ?? null) : null, last: flags[1] ? (words[1] ?? null) : null };
  const roleName = flags[2] ? there(pick(STANDARD, picks[2])) : null;
  const inviter = flags[3] ? pick(model.users, picks[3]) : undefined;
  const taken = model.users.some(
    (user) => user.tenantId === tenant.id && user.personId === known?.id && user.status !== "DELETED",
  );
  return {
    call: (requestId) =>
      workforce.platform.inviteUser({
        requestId,
        tenantId: tenant.id,
        email,
        firstName: names.first,
        lastName: names.last,
        roleName,
        invitedByUserId: inviter?.id ?? null,
        emailVerified: false,
        signedInBefore: flags[4] === true,
      }),
    outcome: taken
      ? "user_exists"
      : ({ user }: { user: { id: string; person: { id: string }; role: { id: number; name: string } | null } }, at) => {
          const person = known ?? { id: user.person.id, email, ...names, disabled: false };
          if (known === undefined) model.people.push(person);
          if (user.role !== null) meetRole(model, tenant.id, user.role);
          const made: ModelUser = {
            id: user.id,
            tenantId: tenant.id,
            personId: person.id,
            status: flags[4] ? "ACTIVE" : "INVITED",
            managerId: managerFor(model, tenant.id, inviter),
            roleId: roleName === null ? null : roleNamed(model, tenant.id, roleName),
            createdAt: at,
          };
          model.users.push(made);
          return [userEvent(model, "user.created", made)];
        },
  };
});

/** A role that every tenant has, seen for the first time. */
export function meetRole(model: Model, tenantId: string, { id, name }: { id: number; name: string }): void {
  if (model.roles.some((role) => role.id === id)) return;
  model.roles.push({ id, tenantId, name, custom: !STANDARD.includes(name), permissions: [] });
}

export const roleNamed = (model: Model, tenantId: string, name: string): number =>
  there(ofTenant(model.roles, tenantId).find((role) => role.name === name)).id;

/** R-G17. */
export function managerFor(model: Model, tenantId: string, inviter: ModelUser | undefined): string | null {
  if (inviter?.tenantId === tenantId && inviter.status !== "DELETED") return inviter.id;
  const owners = ofTenant(model.users, tenantId).filter(
    ({ status, roleId }) => status === "ACTIVE" && roleId !== null && byId(model.roles, roleId).name === "Owner",
  );
  return owners[0]?.id ?? null;
}

export const withUser =
  (meant: (stage: Stage, step: Step, user: ModelUser) => Meaning | undefined): Meant =>
  (stage, step) => {
    const user = pick(stage.model.users, step.picks[0]);
    return user && meant(stage, step, user);
  };

export const DELETED_FOR_GOOD = "user_status";

export const enableUser = withUser(({ workforce, model }, _, user) => ({
  call: (requestId) => workforce.platform.enableUser({ requestId, userId: user.id }),
  outcome: user.status === "INVITED" || user.status === "DELETED" ? "user_status" : () => moved(model, user, "ACTIVE"),
}));

export const disableUser = withUser(({ workforce, model }, _, user) => ({
  call: (requestId) => workforce.platform.disableUser({ requestId, userId: user.id }),
  outcome:
    user.status === "INVITED" || user.status === "DELETED" ? "user_status" : () => moved(model, user, "INACTIVE"),
}));

export const deleteUser = withUser(({ workforce, model }, _, user) => ({
  call: (requestId) => workforce.platform.deleteUser({ requestId, userId: user.id }),
  outcome: () => {
    const reports = model.users.filter(({ managerId }) => managerId === user.id);
    for (const report of reports) report.managerId = null;
    return [...moved(model, user, "DELETED"), ...reports.map((report) => userEvent(model, "user.updated", report))];
  },
}));

export function moved(model: Model, user: ModelUser, status: ModelUser["status"]): ModelEvent[] {
  if (user.status === status) return [];
  user.status = status;
  return [userEvent(model, "user.updated", user)];
}

export const signIn: Meant = ({ workforce, model }, { picks }) => {
  const person = pick(model.people, picks[0]);
  const instance = there(pick(model.instances, picks[1]));
  if (person === undefined) return undefined;
  return {
    call: () =>
      workforce.signIn.recordSignIn({
        personId: person.id,
        instanceId: instance.id,
        authenticatedAt: workforce.clock.now(),
      }),
    outcome: () => {
      if (person.disabled) return [];
      const invited = model.users.filter(
        ({ personId, status, tenantId }) =>
          personId === person.id && status === "INVITED" && byId(model.tenants, tenantId).instanceId === instance.id,
      );
      return invited.flatMap((user) => moved(model, user, "ACTIVE"));
    },
  };
};

export const assignManager = withUser(({ workforce, model }, { picks, flags }, user) => {
  const candidates = flags[1] ? model.users : ofTenant(model.users, user.tenantId);
  const manager = flags[0] ? null : there(pick(candidates, picks[1]));
  return {
    call: (requestId) =>
      workforce.platform.assignManager({ requestId, userId: user.id, managerId: manager?.id ?? null }),
    outcome:
      managerRefusal(model, user, manager) ??
      (() => {
        if (user.managerId === (manager?.id ?? null)) return [];
        user.managerId = manager?.id ?? null;
        return [userEvent(model, "user.updated", user)];
      }),
  };
});

export function managerRefusal(model: Model, user: ModelUser, manager: ModelUser | null): string | undefined {
  if (user.status === "DELETED") return DELETED_FOR_GOOD;
  if (manager === null) return undefined;
  if (manager.tenantId !== user.tenantId || manager.status === "DELETED") return "manager_not_eligible";
  for (let above: ModelUser | null = manager; above !== null; ) {
    if (above.id === user.id) return "manager_cycle";
    above = above.managerId === null ? null : byId(model.users, above.managerId);
  }
  return undefined;
}

export const assignRole = withUser(({ workforce, model }, { picks, flags }, user) => {
  const names = [...new Set([...STANDARD, ...ofTenant(model.roles, user.tenantId).map(({ name }) => name)])];
  const roleName = flags[0] ? null : there(pick(names, picks[1]));
  return {
    call: (requestId) => workforce.platform.assignRole({ requestId, userId: user.id, roleName }),
    outcome:
      user.status === "DELETED"
        ? DELETED_FOR_GOOD
        : // A standard role may have been renamed before it was ever seen here; then no role has that name.
          ({ user: stored }: { user: { role: { id: number; name: string } | null } }) => {
            if (stored.role !== null) meetRole(model, user.tenantId, stored.role);
            const roleId = roleName === null ? null : roleNamed(model, user.tenantId, roleName);
            if (user.roleId === roleId) return [];
            user.roleId = roleId;
            return [userEvent(model, "user.updated", user)];
          },
  };
});

export const createRole = withTenant(({ workforce, model }, { words, flags }, tenant) => {
  const name = `${words[0]} role`;
  const permissions = flags[0] ? ["payroll.read", "absence.write"] : [];
  return {
    call: (requestId) => workforce.platform.createAccessRole({ requestId, tenantId: tenant.id, name, permissions }),
    outcome: ofTenant(model.roles, tenant.id).some((role) => role.name === name)
      ? "access_role_exists"
      : ({ role }: { role: { role: { id: number } } }) => {
          const sorted = [...permissions].sort();
          model.roles.push({ id: role.role.id, tenantId: tenant.id, name, custom: true, permissions: sorted });
          return [];
        },
  };
});

export const updateRole: Meant = ({ workforce, model }, { picks, words, flags }) => {
  const role = pick(
    model.roles.filter(({ custom }) => custom),
    picks[0],
  );
  if (role === undefined) return undefined;
  const name = `${words[0]} role`;
  const permissions = flags[1] ? ["payroll.read"] : [];
  const updateMask = flags[0] ? ["name"] : ["permissions"];
  const others = ofTenant(model.roles, role.tenantId).filter(({ id }) => id !== role.id);
  return {
    call: (requestId) =>
      workforce.platform.updateAccessRole({
        requestId,
        tenantId: role.tenantId,
        accessRoleId: role.id,
        updateMask,
        name,
        permissions,
      }),
    outcome:
      flags[0] && others.some((other) => other.name === name)
        ? "access_role_exists"
        : () => {
            if (flags[0]) role.name = name;
            else role.permissions = permissions;
            return [];
          },
  };
};

export const editPermissions = withUser(({ workforce, model }, { flags }, user) => {
  const permissions = [...(flags[0] ? ["payroll.read"] : []), ...(flags[1] ? ["absence.write"] : [])].sort();
  const role = user.roleId === null ? undefined : byId(model.roles, user.roleId);
  return {
    call: (requestId) =>
      workforce.platform.editUserPermissions({ requestId, userId: user.id, permissions: [...permissions] }),
    outcome:
      user.status === "DELETED"
        ? DELETED_FOR_GOOD
        : role === undefined
          ? "user_without_role"
          : (answer: { role: { role: { id: number; name: string } } }) => {
              if (role.permissions.join() === permissions.join()) return [];
              const shared = model.users.some(
                ({ id, roleId, status }) => id !== user.id && roleId === role.id && status !== "DELETED",
              );
              if (role.custom && !shared) {
                role.permissions = permissions;
                return [];
              }
              const { id, name } = answer.role.role;
              if (ofTenant(model.roles, user.tenantId).some((other) => other.name === name))
                throw new Error(`The custom role took the name ${name}, which is taken.`);
              model.roles.push({ id, tenantId: user.tenantId, name, custom: true, permissions });
              user.roleId = id;
              return [userEvent(model, "user.updated", user)];
            },
  };
});
