import type { Command } from "commander";
import type { Tenant } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesIn, namesOf } from "../../connection/names.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { allInstances, allTenantsOf } from "../../connection/whole-lists.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { requestIdOption } from "../../input/flags.ts";
import { instanceId, tenantId } from "../../input/references.ts";
import { TENANT } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, type OutcomeWords, one } from "../../output/outcome.ts";
import { addErase } from "../erasing.ts";
import {
  ADDRESS_FIELDS,
  type AddressOptions,
  addAddressOptions,
  addressFieldsOf,
  addressOf,
  toAddressJson,
  toShownAddress,
} from "./postal-address.ts";

interface CreateOptions extends AddressOptions {
  readonly instance: string;
  readonly name: string;
}

const UPDATE_FIELDS = { ...TENANT.fields, name: "--name", ...ADDRESS_FIELDS };

/** `gatehouse tenants …` */
export function addTenants(program: Command, verb: Verb): void {
  const noun = program.command("tenants").summary("the wire's clients: each is one company on one instance");

  const create = noun
    .command("create")
    .summary("create a tenant; subscribers get client.created")
    .requiredOption("--instance <id or name>", "instance that it is on")
    .requiredOption("--name <text>", "its name")
    .addOption(requestIdOption());
  addAddressOptions(create).action(
    verb<CreateOptions>(
      async (asked, options) => {
        const { platform, requestId, call } = asked;
        const request = {
          requestId,
          instanceId: await instanceId(asked, options.instance),
          name: options.name,
          address: addressOf(options),
        };
        const tenant = present((await platform.createTenant(request, call)).tenant);
        return shownTenant(asked, tenant, {
          said: "The tenant is created, and client.created is sent to its subscribers.",
          next: run`gatehouse users invite --tenant ${tenant.id} --email …`,
        });
      },
      { instance_id: "--instance", ...ADDRESS_FIELDS },
    ),
  );

  const update = noun
    .command("update")
    .summary("change the fields whose flags are given; an empty text clears the field")
    .argument(...TENANT.argument)
    .option("--name <text>", "its new name")
    .addOption(requestIdOption());
  addAddressOptions(update).action(
    verb<AddressOptions & { name?: string }>(async (asked, options, given = "") => {
      const { platform, requestId, call } = asked;
      const changed = { name: options.name, ...addressFieldsOf(options) };
      const request = {
        requestId,
        updateMask: chosenFields(changed, UPDATE_FIELDS),
        tenantId: await tenantId(asked, given),
        name: options.name ?? "",
        address: addressOf(options),
      };
      const tenant = present((await platform.updateTenant(request, call)).tenant);
      return shownTenant(asked, tenant, {
        said: "The tenant is changed.",
        next: run`gatehouse tenants show ${tenant.id}`,
      });
    }, UPDATE_FIELDS),
  );

  verbOfOne(noun, verb, TENANT)("show", "show a tenant", async (asked, id) =>
    shownTenant(asked, present((await asked.platform.readTenant({ tenantId: id }, asked.call)).tenant)),
  );

  noun
    .command("list")
    .summary("list the tenants of an instance or of all, oldest first")
    .option("--instance <id or name>", "instance whose tenants are listed; all by default")
    .action(
      verb<{ instance?: string }>(
        async (asked, { instance }) => {
          const { tenants, instances } = await tenantsOf(asked, instance);
          const names = namesIn(instances, asked.shows);
          const columns = [
            { heading: "name", cell: ({ name }: Tenant) => name },
            { heading: "id", cell: ({ id }: Tenant) => id },
            ...(instance === undefined
              ? [{ heading: "instance", cell: ({ instanceId: on }: Tenant) => names.of(on) }]
              : []),
            { heading: "city", cell: ({ address }: Tenant) => address?.city },
            { heading: "country", cell: ({ address }: Tenant) => address?.isoCountryCode },
          ];
          return many({ tenants: tenants.map(toTenantJson) }, tenants, columns, {
            ifNone: {
              said: instance === undefined ? "There are no tenants yet." : "The instance has no tenants yet.",
              next: run`gatehouse tenants create --instance ${instance} --name …`,
            },
          });
        },
        { instance_id: "--instance" },
      ),
    );

  addErase(noun, verb);
}

const shownTenant = async (asked: Asked, tenant: Tenant, words: OutcomeWords = {}) =>
  one(toTenantJson(tenant), tenantFacts(tenant, await namesOf(asked, [tenant.instanceId])), words);

/** The tenants of one instance, or of each, and what the instances are called. */
async function tenantsOf(asked: Asked, given: string | undefined) {
  if (given !== undefined) {
    const tenants = await allTenantsOf(asked, await instanceId(asked, given));
    return { tenants, instances: new Map<string, string>() };
  }
  const instances = await allInstances(asked);
  const lists: (readonly Tenant[])[] = [];
  for (const { id } of instances) lists.push(await allTenantsOf(asked, id));
  return { tenants: lists.flat(), instances: new Map(instances.map(({ id, name }) => [id, name])) };
}

const toTenantJson = ({ id, instanceId: on, name, address, createdAt }: Tenant) => ({
  id,
  instanceId: on,
  name,
  address: toAddressJson(address),
  createdAt: toJsonInstant(createdAt),
});

const tenantFacts = ({ id, instanceId: on, name, address, createdAt }: Tenant, names: Names) =>
  [
    ["id", id],
    ["name", name],
    ["instance", names.of(on)],
    ["address", toShownAddress(address)],
    ["created", toShownInstant(createdAt)],
  ] as const;
