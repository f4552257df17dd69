import type { Command } from "commander";
import type { OrganizationLocation } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { requestIdOption } from "../../input/flags.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";

/** `gatehouse locations …` */
export function addLocations(program: Command, verb: Verb): void {
  const noun = program.command("locations").summary("places where a tenant's workers work");

  noun
    .command("create")
    .summary("make a location")
    .requiredOption("--tenant <id>", "tenant that it belongs to")
    .requiredOption("--name <text>", "its name")
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

  noun
    .command("delete")
    .summary("delete a location; workers placed there are left without one")
    .argument("<location-id>", "the location")
    .addOption(requestIdOption())
    .action(
      verb<object>(
        async ({ platform, requestId, call }, _options, locationId = "") => {
          const answer = await platform.deleteLocation({ requestId, locationId }, call);
          const { detachedWorkers } = answer;
          const gone = present(answer.location);
          return one({ ...toLocationJson(gone), detachedWorkers }, locationFacts(gone), {
            said: `The location is deleted. ${leftBehind(detachedWorkers)}`,
            next: `gatehouse locations list --tenant ${gone.tenantId}`,
          });
        },
        { location_id: "<location-id>" },
      ),
    );

  noun
    .command("list")
    .summary("list the locations of a tenant, oldest first")
    .requiredOption("--tenant <id>", "tenant whose locations are listed")
    .action(
      verb<{ tenant: string }>(
        async ({ platform, call }, { tenant }) => {
          const { locations } = await platform.readStructure({ tenantId: tenant }, call);
          const columns = [
            { heading: "name", cell: ({ name }: OrganizationLocation) => name },
            { heading: "id", cell: ({ id }: OrganizationLocation) => id },
            { heading: "created", cell: ({ createdAt }: OrganizationLocation) => toShownInstant(createdAt) },
          ];
          return many({ locations: locations.map(toLocationJson) }, locations, columns, {
            ifNone: {
              said: "The tenant has no locations yet.",
              next: `gatehouse locations create --tenant ${tenant} --name …`,
            },
          });
        },
        { tenant_id: "--tenant" },
      ),
    );
}

function leftBehind(workers: number): string {
  if (workers === 0) return "No worker was placed there.";
  return workers === 1
    ? "The worker who was placed there has no location now."
    : `The ${workers} workers who were placed there have no location now.`;
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
