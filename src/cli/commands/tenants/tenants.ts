import type { Command } from "commander";
import type { Tenant } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { requestIdOption } from "../../input/flags.ts";
import { instanceId } from "../../input/id-or-name.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { shellWord } from "../../output/terminal-text.ts";
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

const UPDATE_FIELDS = { tenant_id: "<tenant-id>", name: "--name", ...ADDRESS_FIELDS };

/** `gatehouse tenants …` */
export function addTenants(program: Command, verb: Verb): void {
  const noun = program.command("tenants").summary("clients of the platform: one company on one instance");

  const create = noun
    .command("create")
    .summary("make a tenant; subscribers get client.created")
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
        return one(toTenantJson(tenant), tenantFacts(tenant), {
          said: "The tenant is made, and client.created is sent to its subscribers.",
          next: `gatehouse users invite --tenant ${tenant.id} --email …`,
        });
      },
      { instance_id: "--instance", ...ADDRESS_FIELDS },
    ),
  );

  const update = noun
    .command("update")
    .summary("change the fields whose flags are given; an empty text clears the field")
    .argument("<tenant-id>", "the tenant")
    .option("--name <text>", "its new name")
    .addOption(requestIdOption());
  addAddressOptions(update).action(
    verb<AddressOptions & { name?: string }>(async ({ platform, requestId, call }, options, tenantId = "") => {
      const given = { name: options.name, ...addressFieldsOf(options) };
      const request = {
        requestId,
        tenantId,
        updateMask: chosenFields(given, UPDATE_FIELDS),
        name: options.name ?? "",
        address: addressOf(options),
      };
      const tenant = present((await platform.updateTenant(request, call)).tenant);
      return one(toTenantJson(tenant), tenantFacts(tenant), {
        said: "The tenant is changed.",
        next: `gatehouse tenants show ${tenant.id}`,
      });
    }, UPDATE_FIELDS),
  );

  noun
    .command("show")
    .summary("show a tenant")
    .argument("<tenant-id>", "the tenant")
    .action(
      verb<object>(
        async ({ platform, call }, _options, tenantId = "") => {
          const tenant = present((await platform.readTenant({ tenantId }, call)).tenant);
          return one(toTenantJson(tenant), tenantFacts(tenant));
        },
        { tenant_id: "<tenant-id>" },
      ),
    );

  noun
    .command("list")
    .summary("list the tenants of an instance, oldest first")
    .requiredOption("--instance <id or name>", "instance whose tenants are listed")
    .action(
      verb<{ instance: string }>(
        async (asked, { instance }) => {
          const request = { instanceId: await instanceId(asked, instance) };
          const { tenants } = await asked.platform.listTenantsOfInstance(request, asked.call);
          const columns = [
            { heading: "name", cell: ({ name }: Tenant) => name },
            { heading: "id", cell: ({ id }: Tenant) => id },
            { heading: "city", cell: ({ address }: Tenant) => address?.city },
            { heading: "country", cell: ({ address }: Tenant) => address?.isoCountryCode },
          ];
          return many({ tenants: tenants.map(toTenantJson) }, tenants, columns, {
            ifNone: {
              said: "The instance has no tenants yet.",
              next: `gatehouse tenants create --instance ${shellWord(instance)} --name …`,
            },
          });
        },
        { instance_id: "--instance" },
      ),
    );
}

const toTenantJson = ({ id, instanceId, name, address, createdAt }: Tenant) => ({
  id,
  instanceId,
  name,
  address: toAddressJson(address),
  createdAt: toJsonInstant(createdAt),
});

const tenantFacts = ({ id, instanceId, name, address, createdAt }: Tenant) =>
  [
    ["id", id],
    ["name", name],
    ["instance", instanceId],
    ["address", toShownAddress(address)],
    ["created", toShownInstant(createdAt)],
  ] as const;
