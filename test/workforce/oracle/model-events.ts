import {
  byId,
  type Model,
  type ModelLocation,
  type ModelTenant,
  type ModelUnit,
  type ModelUnitType,
  type ModelUser,
  type ModelWorker,
} from "./model.ts";
import { named, shownUser, shownWorkerV2 } from "./model-reads.ts";

/** An event as it must have been written, the receiver's id still open. */
export interface ModelEvent {
  readonly eventType: string;
  readonly entity: { readonly type: string; readonly id: string };
  readonly instanceId: string;
  readonly tenantId: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly selfPath: string;
}

const INTEGRATION = "/instance-integrations/{instanceIntegrationId}/clients";

const event = (
  model: Model,
  tenantId: string,
  eventType: string,
  entity: { type: string; id: string },
  data: Readonly<Record<string, unknown>>,
  selfPath: string,
): ModelEvent => ({
  eventType,
  entity,
  instanceId: byId(model.tenants, tenantId).instanceId,
  tenantId,
  data,
  selfPath,
});

export const clientCreated = (model: Model, { id, name, address }: ModelTenant): ModelEvent =>
  event(
    model,
    id,
    "client.created",
    { type: "client", id },
    { clientId: id, name, address: { ...address } },
    `/v1${INTEGRATION}/${id}`,
  );

export function userEvent(model: Model, eventType: string, user: ModelUser): ModelEvent {
  const { id, ...fields } = shownUser(model, user);
  const path = `/v1${INTEGRATION}/${user.tenantId}/users/${id}`;
  return event(model, user.tenantId, eventType, { type: "user", id }, { userId: id, ...fields }, path);
}

export function workerEvent(model: Model, eventType: string, worker: ModelWorker): ModelEvent {
  const { id, ...fields } = shownWorkerV2(model, worker);
  const data = { workerId: id, clientId: worker.tenantId, ...fields, createdAt: worker.createdAt.toISOString() };
  const path = `/v2${INTEGRATION}/${worker.tenantId}/workers/${id}`;
  return event(model, worker.tenantId, eventType, { type: "worker", id }, data, path);
}

const structurePath = (tenantId: string): string => `/v1${INTEGRATION}/${tenantId}/organization-structure`;

const parentOf = (model: Model, { parentId }: ModelUnit) =>
  parentId === null ? null : named(byId(model.units, parentId));

export function unitTypeCreated(model: Model, type: ModelUnitType, units: readonly ModelUnit[], at: Date): ModelEvent {
  const data = {
    organizationUnitTypeId: type.id,
    clientId: type.tenantId,
    name: type.name,
    units: units.map((unit) => ({
      organizationUnitId: unit.id,
      name: unit.name,
      unitCode: unit.unitCode,
      description: unit.description,
      parentUnit: parentOf(model, unit),
    })),
    createdAt: at.toISOString(),
  };
  const entity = { type: "organizationUnitType", id: type.id };
  return event(model, type.tenantId, "organization_unit_type.created", entity, data, structurePath(type.tenantId));
}

export function unitCreated(model: Model, unit: ModelUnit): ModelEvent {
  const data = {
    organizationUnitId: unit.id,
    clientId: unit.tenantId,
    name: unit.name,
    unitCode: unit.unitCode,
    description: unit.description,
    unitType: named(byId(model.unitTypes, unit.typeId)),
    parentUnit: parentOf(model, unit),
    createdAt: unit.createdAt.toISOString(),
  };
  const entity = { type: "organizationUnit", id: unit.id };
  return event(model, unit.tenantId, "organization_unit.created", entity, data, structurePath(unit.tenantId));
}

export function locationEvent(
  model: Model,
  eventType: string,
  { id, tenantId, name, createdAt }: ModelLocation,
): ModelEvent {
  const data = { organizationLocationId: id, clientId: tenantId, name, createdAt: createdAt.toISOString() };
  return event(model, tenantId, eventType, { type: "organizationLocation", id }, data, structurePath(tenantId));
}
