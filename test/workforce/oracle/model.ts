import type { components } from "../../../generated/types/gateway.ts";

type Wire = components["schemas"];
type Status = Wire["PlatformUser"]["status"];

/** The workforce as the simplest thing that could work: lists, searched from the front. No code of the product is used here. */
export class Model {
  readonly instances: ModelInstance[] = [];
  readonly connections: ModelConnection[] = [];
  readonly tenants: ModelTenant[] = [];
  readonly people: ModelPerson[] = [];
  readonly roles: ModelRole[] = [];
  readonly users: ModelUser[] = [];
  readonly unitTypes: ModelUnitType[] = [];
  readonly units: ModelUnit[] = [];
  readonly locations: ModelLocation[] = [];
  readonly workers: ModelWorker[] = [];
}

export interface ModelInstance {
  readonly id: string;
  name: string;
}

export interface ModelConnection {
  readonly id: string;
  /** Which of the run's integrations has it. */
  readonly integration: number;
  readonly instanceId: string;
  configured: boolean;
  readonly createdAt: Date;
  updatedAt: Date;
}

export interface ModelAddress {
  address1: string | null;
  address2: string | null;
  city: string | null;
  isoCountryCode: string | null;
  postalCode: string | null;
  zoneCode: string | null;
}

export interface ModelTenant {
  readonly id: string;
  readonly instanceId: string;
  name: string;
  address: ModelAddress;
}

export interface ModelPerson {
  readonly id: string;
  email: string;
  first: string | null;
  last: string | null;
  disabled: boolean;
}

export interface ModelRole {
  readonly id: number;
  readonly tenantId: string;
  name: string;
  readonly custom: boolean;
  permissions: readonly string[];
}

export interface ModelUser {
  readonly id: string;
  readonly tenantId: string;
  readonly personId: string;
  status: Status;
  managerId: string | null;
  roleId: number | null;
  readonly createdAt: Date;
}

export interface ModelUnitType {
  readonly id: string;
  readonly tenantId: string;
  name: string;
}

export interface ModelUnit {
  readonly id: string;
  readonly tenantId: string;
  readonly typeId: string;
  name: string;
  unitCode: string | null;
  description: string | null;
  parentId: string | null;
  readonly createdAt: Date;
}

export interface ModelLocation {
  readonly id: string;
  readonly tenantId: string;
  readonly name: string;
  readonly createdAt: Date;
}

export interface ModelWorker {
  readonly id: string;
  readonly tenantId: string;
  readonly personId: string;
  jobTitles: readonly string[];
  phone: string | null;
  address: ModelAddress;
  unitIds: readonly string[];
  primaryUnitId: string | null;
  locationId: string | null;
  readonly createdAt: Date;
  endedAt: Date | null;
}

export const byId = <T extends { readonly id: string | number }>(list: readonly T[], id: T["id"]): T => {
  const found = list.find((one) => one.id === id);
  if (found === undefined) throw new Error(`The model has no ${id}.`);
  return found;
};

export const ofTenant = <T extends { readonly tenantId: string }>(list: readonly T[], tenantId: string): T[] =>
  list.filter((one) => one.tenantId === tenantId);
