import type { Command } from "commander";
import type { OrganizationLocation } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { toJsonInstant, toShownInstant } from "./instant.ts";
import { one } from "./outcome.ts";
import { present } from "./present.ts";
import { requestIdOption } from "./request-id.ts";
import type { Verb } from "./verb.ts";

/** `gatehouse locations …` */
export function addLocations(program: Command, verb: Verb): void {
  program
    .command("locations")
    .summary("places where a tenant's workers work")
    .command("create")
    .summary("make a location")
    .requiredOption("--tenant <id>", "tenant whose place it is")
    .requiredOption("--name <text>", "what people call it")
    .addOption(requestIdOption())
    .action(
      verb<{ tenant: string; name: string }>(
        async ({ platform, requestId, call }, { tenant, name }) => {
          const { location } = await platform.createLocation({ requestId, tenantId: tenant, name }, call);
          const made = present(location);
          return one(toLocationJson(made), locationFacts(made), {
            said: "The location is made.",
            next: `gatehouse workers onboard --tenant ${made.tenantId} --location ${made.id} …`,
          });
        },
        { tenant_id: "--tenant" },
      ),
    );
}

const toLocationJson = ({ id, tenantId, name, createdAt }: OrganizationLocation) => ({
  id,
  tenantId,
  name,
  createdAt: toJsonInstant(createdAt),
});

const locationFacts = ({ id, tenantId, name, createdAt }: OrganizationLocation) =>
  [
    ["id", id],
    ["name", name],
    ["tenant", tenantId],
    ["created", toShownInstant(createdAt)],
  ] as const;
