import { readFileSync } from "node:fs";
import { newId } from "../../../src/runtime/basis/ids.ts";
import {
  redactedPlace,
  redactedTenant,
  redactedUser,
  redactedWorker,
} from "../../../src/workforce/erasure/tombstone.ts";
import { seededRandom } from "../../support/random.ts";

const { components } = JSON.parse(readFileSync("generated/contracts/webhooks.asyncapi.json", "utf8")) as {
  readonly components: { readonly schemas: Readonly<Record<string, { readonly properties: object }>> };
};

/** Besides ids, what a snapshot may go on saying of something erased: times, a state, and other places, erased by themselves. */
const KEPT = ["createdAt", "endedAt", "links", "status", "unitType", "parentUnit", "units"];
const random = seededRandom();
const tenant = redactedTenant(newId("tenant", random));

describe("a stored event shows nothing of what was erased (R-X264)", () => {
  it.each([
    ["UserSnapshot", redactedUser(newId("user", random), "e@example.com")],
    ["WorkerSnapshot", redactedWorker(newId("worker", random), "e@example.com")],
    ["OrganizationUnitSnapshot", redactedPlace({ kind: "unit", id: newId("organizationUnit", random) })],
    ["OrganizationUnitTypeSnapshot", redactedPlace({ kind: "unitType", id: newId("unitType", random) })],
    ["ClientSnapshot", tenant],
    ["UserSnapshot", tenant],
    ["WorkerSnapshot", tenant],
    ["OrganizationUnitSnapshot", tenant],
    ["OrganizationUnitTypeSnapshot", tenant],
    ["OrganizationLocationSnapshot", tenant],
  ])("every member of %s is replaced, or says nothing about somebody", (snapshot, { members }) => {
    const names = Object.keys(components.schemas[snapshot]?.properties ?? {});
    expect(names).toContain("links");
    expect(names.filter((name) => !(name in members || name.endsWith("Id") || KEPT.includes(name)))).toEqual([]);
  });
});
