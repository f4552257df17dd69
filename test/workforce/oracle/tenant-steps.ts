import { there } from "../workforce-fixture.ts";
import type { ModelTenant } from "./model.ts";
import { clientCreated } from "./model-events.ts";
import { type Meant, NO_ADDRESS, pick, withTenant } from "./stage.ts";

export const createTenant: Meant = ({ workforce, model }, { picks, words, flags }) => {
  const instance = there(pick(model.instances, picks[0]));
  const name = `${words[0]} ${words[1]}`;
  const address = flags[0] ? { ...NO_ADDRESS, address1: `${words[2]} 1`, isoCountryCode: "NL" } : NO_ADDRESS;
  return {
    call: (requestId) => workforce.platform.createTenant({ requestId, instanceId: instance.id, name, address }),
    outcome: ({ tenant }: { tenant: { id: string } }) => {
      const made: ModelTenant = { id: tenant.id, instanceId: instance.id, name, address };
      model.tenants.push(made);
      return [clientCreated(model, made)];
    },
  };
};

export const updateTenant = withTenant(({ workforce, model }, { words, flags }, tenant) => {
  const updateMask = [...(flags[0] ? ["name"] : []), ...(flags[1] || !flags[0] ? ["address.city"] : [])];
  return {
    call: (requestId) =>
      workforce.platform.updateTenant({
        requestId,
        tenantId: tenant.id,
        updateMask,
        name: words[0] ?? "",
        address: { ...NO_ADDRESS, city: words[1] ?? "" },
      }),
    outcome: () => {
      if (flags[0]) tenant.name = words[0] ?? "";
      if (updateMask.includes("address.city")) tenant.address = { ...tenant.address, city: words[1] ?? "" };
      void model;
      return [];
    },
  };
});

export const updateInstance: Meant = ({ workforce, model }, { picks, words }) => {
  const instance = there(pick(model.instances, picks[0]));
  const name = words[0] ?? "";
  return {
    call: (requestId) =>
      workforce.platform.updateInstance({ requestId, instanceId: instance.id, updateMask: ["name"], name }),
    outcome: () => {
      instance.name = name;
      return [];
    },
  };
};

export const configure: Meant = ({ workforce, model }, { picks, flags }) => {
  const connection = there(pick(model.connections, picks[0]));
  const configured = flags[0] === true;
  return {
    call: (requestId) =>
      workforce.operator.configureInstanceIntegration({
        requestId,
        instanceIntegrationId: connection.id,
        configured,
      }),
    outcome: (_answer, at) => {
      if (connection.configured === configured) return [];
      connection.configured = configured;
      connection.updatedAt = at;
      return [];
    },
  };
};
