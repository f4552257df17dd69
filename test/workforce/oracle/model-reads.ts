import type { components } from "../../../generated/types/gateway.ts";
import {
  byId,
  type Model,
  type ModelTenant,
  type ModelUnit,
  type ModelUser,
  type ModelWorker,
  ofTenant,
} from "./model.ts";

type Wire = components["schemas"];

const fullName = (first: string | null, last: string | null): string | null =>
  first === null ? last : last === null ? first : `${first} ${last}`;

export const named = (one: { readonly id: string; readonly name: string }) => ({ id: one.id, name: one.name });

export const shownUser = (model: Model, user: ModelUser): Wire["PlatformUser"] => {
  const { email, first, last } = byId(model.people, user.personId);
  const manager = user.managerId === null ? null : byId(model.users, user.managerId);
  const boss = manager && byId(model.people, manager.personId);
  const role = user.roleId === null ? null : byId(model.roles, user.roleId);
  return {
    id: user.id,
    clientId: user.tenantId,
    email,
    firstName: first,
    lastName: last,
    fullName: fullName(first, last),
    status: user.status,
    manager: manager &&
      boss && {
        id: manager.id,
        firstName: boss.first,
        lastName: boss.last,
        fullName: fullName(boss.first, boss.last),
        email: boss.email,
      },
    role: role && { id: String(role.id), name: role.name },
    createdAt: user.createdAt.toISOString(),
  };
};

const shownWorker = (model: Model, worker: ModelWorker) => {
  const { email, first, last } = byId(model.people, worker.personId);
  return {
    id: worker.id,
    firstName: String(first),
    lastName: String(last),
    fullName: `${first} ${last}`,
    email,
    jobTitles: [...worker.jobTitles],
    phone: worker.phone,
    location: { ...worker.address },
  };
};

export const shownWorkerV2 = (model: Model, worker: ModelWorker) => ({
  ...shownWorker(model, worker),
  organizationUnits: worker.unitIds.map((id) => named(byId(model.units, id))),
  organizationUnit: worker.primaryUnitId === null ? null : named(byId(model.units, worker.primaryUnitId)),
  organizationLocation: worker.locationId === null ? null : named(byId(model.locations, worker.locationId)),
  endedAt: worker.endedAt?.toISOString() ?? null,
});

const shownTenant = ({ id, name, address }: ModelTenant) => ({ id, name, location: { ...address } });

/** What one integration must be shown, by path; `undefined` where the answer must be "not found" or "not configured". */
export function reads(model: Model, integration: number): ReadonlyMap<string, unknown> {
  const shown = new Map<string, unknown>();
  const mine = model.connections.filter((one) => one.integration === integration);
  shown.set(
    "/v1/instance-integrations",
    mine.map(({ id, instanceId, createdAt, updatedAt }) => ({
      id,
      applicationInstance: { id: instanceId, instanceName: byId(model.instances, instanceId).name },
      createdAt: createdAt.toISOString(),
      updatedAt: updatedAt.toISOString(),
    })),
  );
  for (const connection of mine) {
    const clients = `/instance-integrations/${connection.id}/clients`;
    const tenants = model.tenants.filter(({ instanceId }) => instanceId === connection.instanceId);
    const show = (path: string, body: unknown) => shown.set(path, connection.configured ? body : undefined);
    show(`/v1${clients}`, tenants.map(shownTenant));
    for (const tenant of tenants) {
      const below = `${clients}/${tenant.id}`;
      const users = ofTenant(model.users, tenant.id);
      const workers = ofTenant(model.workers, tenant.id);
      const current = workers.filter(({ endedAt }) => endedAt === null);
      show(`/v1${below}`, shownTenant(tenant));
      show(
        `/v1${below}/users`,
        users.filter(({ status }) => status !== "DELETED").map((user) => shownUser(model, user)),
      );
      for (const user of users) show(`/v1${below}/users/${user.id}`, shownUser(model, user));
      show(
        `/v1${below}/workers`,
        current.map((worker) => shownWorker(model, worker)),
      );
      show(
        `/v2${below}/workers`,
        current.map((worker) => shownWorkerV2(model, worker)),
      );
      for (const worker of workers) show(`/v2${below}/workers/${worker.id}`, shownWorkerV2(model, worker));
      show(`/v1${below}/job-titles`, [...new Set(current.flatMap(({ jobTitles }) => jobTitles))].sort(byCodePoint));
      show(`/v1${below}/organization-structure`, {
        unitsTypes: ofTenant(model.unitTypes, tenant.id).map(named),
        units: ofTenant(model.units, tenant.id)
          .sort(oldestFirst)
          .map(({ id, name, description, typeId, parentId }) => ({
            id,
            name,
            description,
            unitTypeId: typeId,
            parentUnitId: parentId,
          })),
        locations: ofTenant(model.locations, tenant.id).map(named),
      });
    }
  }
  return shown;
}

const oldestFirst = (one: ModelUnit, other: ModelUnit): number =>
  one.createdAt.getTime() - other.createdAt.getTime() || (one.id < other.id ? -1 : 1);

const byCodePoint = (one: string, other: string): number => Buffer.compare(Buffer.from(one), Buffer.from(other));
