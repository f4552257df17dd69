import type { Instance } from "../../instances/instance.ts";
import { LENGTHS } from "../../request-fields.ts";
import type { Tenant } from "../../tenants/tenant.ts";
import { shownAddress, type WrittenLine } from "./line-content.ts";
import type { LineFields } from "./line-fields.ts";

export const readInstanceLine = (fields: LineFields) => ({
  id: fields.id("id", "instance"),
  name: fields.text("name", LENGTHS.name),
  createdAt: fields.instant("createdAt"),
});

export const toInstanceLine = ({
  id,
  name,
  createdAt,
}: Instance): WrittenLine<ReturnType<typeof readInstanceLine>> => ({
  kind: "instance",
  id,
  name,
  createdAt,
});

export const readTenantLine = (fields: LineFields) => ({
  id: fields.id("id", "tenant"),
  instanceId: fields.id("instanceId", "instance"),
  name: fields.text("name", LENGTHS.name),
  address: fields.address("address"),
  createdAt: fields.instant("createdAt"),
});

export const toTenantLine = ({
  id,
  instanceId,
  name,
  address,
  createdAt,
}: Tenant): WrittenLine<ReturnType<typeof readTenantLine>> => ({
  kind: "tenant",
  id,
  instanceId,
  name,
  address: shownAddress(address),
  createdAt,
});
