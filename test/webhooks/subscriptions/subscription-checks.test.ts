import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { EVENT_TYPES_MAX, TENANTS_MAX } from "../../../src/webhooks/subscriptions/request-limits.ts";
import { fieldViolations } from "../../../src/webhooks/subscriptions/subscription-checks.ts";

const AGAINST = { endpoints: { allowHttp: false, allowedNetworks: [], allowedPorts: [] }, headerNames: [] };

const wrong = (fields: Parameters<typeof fieldViolations>[1]) =>
  fieldViolations(Object.keys(fields) as (keyof typeof fields)[], fields, AGAINST).map(({ field }) => field);

const tenants = (count: number) => Array.from({ length: count }, () => newId("tenant", systemRandom));
const types = (count: number) => Array.from({ length: count }, () => "user.*");

describe("what a request says of a subscription (R-E9)", () => {
  it.each([
    ["no description", { description: "" }],
    ["a description of 200 characters", { description: "🥐".repeat(200) }],
    ["as many event types as it may have", { eventTypes: types(EVENT_TYPES_MAX) }],
    ["as many tenants as it may list", { tenantIds: tenants(TENANTS_MAX) }],
  ])("may be %s", (_, fields) => {
    expect(wrong(fields)).toEqual([]);
  });

  it.each([
    ["a description of 201 characters", { description: "🥐".repeat(201) }, ["description"]],
    ["a description of two lines", { description: "two\nlines" }, ["description"]],
    ["one with Unicode's end of a line", { description: "two\u2028lines" }, ["description"]],
    ["one with Unicode's end of a paragraph", { description: "two\u2029lines" }, ["description"]],
    ["one that turns the direction of text", { description: "a\u202eb" }, ["description"]],
    ["one that isolates another direction", { description: "a\u2067b" }, ["description"]],
    ["one with half a character", { description: "a\ud800" }, ["description"]],
    ["no event type", { eventTypes: [] }, ["event_types"]],
    ["one event type too many", { eventTypes: types(EVENT_TYPES_MAX + 1) }, ["event_types"]],
    ["an event type that there is not", { eventTypes: ["user.*", "x"] }, ["event_types[1]"]],
    ["one tenant too many", { tenantIds: tenants(TENANTS_MAX + 1) }, ["tenant_ids"]],
    ["what is no tenant's id", { tenantIds: [...tenants(1), "x"] }, ["tenant_ids[1]"]],
  ])("cannot be %s", (_, fields, expected) => {
    expect(wrong(fields)).toEqual(expected);
  });
});
