import { createHash } from "node:crypto";
import { GatehouseRefused } from "./failures.ts";
import type { Gatehouse } from "./gatehouse.ts";
import type { Person } from "./people-file.ts";

interface Named {
  readonly id: string;
  readonly name: string;
}

/**
 * The same for the same content, whenever and wherever this program runs: Gatehouse answers a repeat within 24 hours
 * with the first answer. At most 100 characters.
 */
const requestId = (kind: string, ...content: readonly string[]): string =>
  `${kind}-${createHash("sha256").update(JSON.stringify(content)).digest("hex")}`;

/** @throws Error that lists the instances, when none has the name or the id. */
export async function findInstance(gatehouse: Gatehouse, nameOrId: string): Promise<Named> {
  const instances: Named[] = [];
  for await (const page of gatehouse.pages<{ readonly instances: readonly Named[] }>("ListInstances", {}))
    instances.push(...page.instances);
  const found = instances.filter(({ id, name }) => id === nameOrId || name === nameOrId);
  const [instance] = found;
  if (instance !== undefined && found.length === 1) return instance;
  const names = (found.length > 1 ? found : instances).map(({ id, name }) => `  ${name} (${id})`);
  throw new Error(
    `${found.length > 1 ? "Several instances have the name" : "There is no instance"} ${nameOrId}. Name one of:\n${names.join("\n")}`,
  );
}

/** The company of this name on the instance; made if there is none. Gatehouse calls a company a tenant. */
export async function findOrCreateCompany(gatehouse: Gatehouse, instanceId: string, given: string): Promise<Named> {
  // Gatehouse removes white space around a name.
  const name = given.trim();
  // A request id is remembered for a day. What was made earlier is found by its name.
  const request = { instance_id: instanceId };
  for await (const page of gatehouse.pages<{ readonly tenants: readonly Named[] }>("ListTenantsOfInstance", request)) {
    const present = page.tenants.find((tenant) => tenant.name === name);
    if (present !== undefined) return present;
  }
  const { tenant } = await gatehouse.call<{ readonly tenant: Named }>("CreateTenant", {
    request_id: requestId("company", instanceId, name),
    instance_id: instanceId,
    name,
  });
  return tenant;
}

/** Makes the person a worker of the company, and a user of its dashboard if a role is named; says what they are now. */
export async function onboard(gatehouse: Gatehouse, tenantId: string, person: Person): Promise<string> {
  const { role, ...employment } = person;
  const content = JSON.stringify(employment);
  const worker = await unlessPresent("worker_exists", async () => {
    const answer = await gatehouse.call<{ readonly worker: { readonly id: string } }>("OnboardWorker", {
      request_id: requestId("worker", tenantId, content),
      tenant_id: tenantId,
      ...employment,
    });
    return `is ${answer.worker.id}`;
  });
  if (role === undefined) return worker;
  const user = await unlessPresent("user_exists", async () => {
    const answer = await gatehouse.call<{ readonly user: { readonly id: string } }>("InviteUser", {
      request_id: requestId("user", tenantId, person.email, role),
      tenant_id: tenantId,
      email: person.email,
      role_name: role,
    });
    return `is ${answer.user.id}`;
  });
  return `${worker}; ${user}`;
}

/** A person who is there is left as they are: the line may be older than what somebody changed since. */
async function unlessPresent(reason: string, write: () => Promise<string>): Promise<string> {
  try {
    return await write();
  } catch (error) {
    if (error instanceof GatehouseRefused && error.reason === reason) return `was there before (${error.message})`;
    throw error;
  }
}
