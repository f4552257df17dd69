import { Option } from "commander";
import { tenantOption } from "./flags.ts";
import {
  apiKeyId,
  instanceId,
  instanceIntegrationId,
  integrationId,
  locationId,
  personId,
  tenantId,
  unitId,
  unitTypeId,
  userId,
  workerId,
} from "./references.ts";
import type { Subject } from "./verb-of-one.ts";

const BY_NAME = "its id or name";
const SEAT = "id, e-mail address, or first and last name";

const integrationOption = (whose: string) => (): Option =>
  new Option("--integration <id or name>", `integration ${whose}`);

// The things of workforce that verbs take by their name.

export const INSTANCE: Subject = {
  argument: ["<instance>", BY_NAME],
  find: instanceId,
  fields: { instance_id: "<instance>", name: "--name" },
};

export const INTEGRATION: Subject = {
  argument: ["<integration>", BY_NAME],
  find: integrationId,
  fields: { integration_id: "<integration>", name: "--name" },
};

export const INSTANCE_INTEGRATION: Subject = {
  argument: ["<instance-integration>", "its id, “<integration> on <instance>”, or one of the two names"],
  within: integrationOption("whose instance integration is meant"),
  find: instanceIntegrationId,
  fields: { instance_integration_id: "<instance-integration>" },
};

export const API_KEY: Subject = {
  argument: ["<api-key>", "its public id or label"],
  within: integrationOption("that a label is looked for in"),
  find: apiKeyId,
  fields: { api_key_id: "<api-key>" },
};

export const TENANT: Subject = { argument: ["<tenant>", BY_NAME], find: tenantId, fields: { tenant_id: "<tenant>" } };

export const PERSON: Subject = {
  argument: ["<person>", `id (person_…), e-mail address, or first and last name`],
  find: personId,
  fields: { person_id: "<person>" },
};

export const USER: Subject = {
  argument: ["<user>", SEAT],
  within: tenantOption,
  find: userId,
  fields: { user_id: "<user>" },
};

export const WORKER: Subject = {
  argument: ["<worker>", SEAT],
  within: tenantOption,
  find: workerId,
  fields: { worker_id: "<worker>" },
};

export const LOCATION: Subject = {
  argument: ["<location>", BY_NAME],
  within: tenantOption,
  find: locationId,
  fields: { location_id: "<location>" },
};

export const UNIT_TYPE: Subject = {
  argument: ["<unit-type>", BY_NAME],
  within: tenantOption,
  find: unitTypeId,
  fields: { unit_type_id: "<unit-type>", name: "--name" },
};

export const UNIT: Subject = {
  argument: ["<unit>", "id, name or code"],
  within: tenantOption,
  find: unitId,
  fields: { unit_id: "<unit>" },
};
