import type { Command } from "commander";
import type { OrganizationLocation } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import { type Names, namesOf } from "../../connection/names.ts";
import type { Verb } from "../../connection/verb.ts";
import { requestIdOption, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { tenantId } from "../../input/references.ts";
import { LOCATION } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { toJsonInstant, toShownInstant } from "../../output/instant.ts";
import { many, one } from "../../output/outcome.ts";
import { withId } from "../../output/terminal-text.ts";
import { structureOf } from "./unit-shown.ts";

/** `gatehouse locations …` */
export function addLocations(program: Command, verb: Verb): void {
  const noun = program.command("locations").summary("places where a tenant's workers work");

  noun
    .command("create")
    .summary("create a location")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) that it belongs to")
    .requiredOption("--name <text>", "its name")
    .addOption(requestIdOption())
    .action(
      verb<{ tenant: string; name: string }>(
        async (asked, { tenant, name }) => {
          const { platform, requestId, call } = asked;
          const request = { requestId, tenantId: await tenantId(asked, tenant), name };
          const made = present((await platform.createLocation(request, call)).location);
          const names = await namesOf(asked, [made.tenantId]);
          return one(toLocationJson(made), locationFacts(made, names), {
            said: "The location is created.",
            next: run`gatehouse workers onboard --tenant ${made.tenantId} --location ${made.id} …`,
          });
        },
        { tenant_id: "--tenant" },
      ),
    );

  verbOfOne(noun, verb, LOCATION)<ConsentOptions>(
    "delete",
    "delete a location; workers placed there are left without one; asks first",
    async (asked, id, options, given) => {
      const { platform, requestId, call } = asked;
      await confirmed(asked, options, {
        says: `This deletes the location ${withId(given, id)}; workers placed there are left without one.`,
        question: "Delete it?",
      });
      const { location, detachedWorkers } = await platform.deleteLocation({ requestId, locationId: id }, call);
      const gone = present(location);
      const names = await namesOf(asked, [gone.tenantId]);
      return one({ ...toLocationJson(gone), detachedWorkers }, locationFacts(gone, names), {
        said: `The location is deleted. ${leftBehind(detachedWorkers)}`,
        next: run`gatehouse locations list --tenant ${gone.tenantId}`,
      });
    },
    yesOption(),
    requestIdOption(),
  );

  noun
    .command("list")
    .summary("list the locations of a tenant, oldest first")
    .requiredOption("--tenant <id or name>", "tenant (the wire's client) whose locations are listed")
    .action(
      verb<{ tenant: string }>(
        async (asked, { tenant }) => {
          const { locations } = await structureOf(asked, tenant);
          const columns = [
            { heading: "name", cell: ({ name }: OrganizationLocation) => name },
            { heading: "id", cell: ({ id }: OrganizationLocation) => id },
            { heading: "created", cell: ({ createdAt }: OrganizationLocation) => toShownInstant(createdAt) },
          ];
          return many({ locations: locations.map(toLocationJson) }, locations, columns, {
            ifNone: {
              said: "The tenant has no locations yet.",
              next: run`gatehouse locations create --tenant ${tenant} --name …`,
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

const toLocationJson = ({ id, tenantId: of, name, createdAt }: OrganizationLocation) => ({
  id,
  tenantId: of,
  name,
  createdAt: toJsonInstant(createdAt),
});

const locationFacts = ({ id, tenantId: of, name, createdAt }: OrganizationLocation, names: Names) =>
  [
    ["id", id],
    ["name", name],
    ["tenant", names.of(of)],
    ["created", toShownInstant(createdAt)],
  ] as const;
