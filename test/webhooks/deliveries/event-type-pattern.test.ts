import { EVENT_TYPES, OPERATIONAL_EVENT_TYPES, SENT_TYPES } from "../../../generated/event-types.ts";
import { patternMatches, patternProblem, typesOf } from "../../../src/webhooks/deliveries/event-type-pattern.ts";

const TYPES = [
  "client.created",
  "user.created",
  "user.updated",
  "organization_unit.created",
  "organization_unit_type.created",
];

describe("event type patterns (R-E9)", () => {
  it.each([
    ["*", TYPES],
    ["user.updated", ["user.updated"]],
    ["user.*", ["user.created", "user.updated"]],
    ["organization_unit.*", ["organization_unit.created"]],
    ["organization_unit_type.*", ["organization_unit_type.created"]],
  ])("%s matches its types", (pattern, matched) => {
    expect(TYPES.filter((type) => patternMatches(pattern, type))).toEqual(matched);
    expect(patternProblem(pattern, TYPES)).toBeUndefined();
  });

  it.each([
    ...["", ".*", "**", "*.created", "user", "user.", "user*", "use.*", "user.updated.*", "User.*"],
    ...["u?er.*", "[a-z]+.*", "worker.*"],
  ])("refuses %j, which matches no type", (pattern) => {
    expect(TYPES.filter((type) => patternMatches(pattern, type))).toEqual([]);
    expect(patternProblem(pattern, TYPES)).toMatch(/client\.created, user\.created/);
  });

  it.each([
    ["*", []],
    ["subscription.*", ["subscription.failing", "subscription.disabled", "subscription.enabled"]],
    ["delivery.*", ["delivery.exhausted"]],
    ["delivery.exhausted", ["delivery.exhausted"]],
  ])("%s matches these operational events, which have to be named (R-X310)", (pattern, matched) => {
    expect(OPERATIONAL_EVENT_TYPES.filter((type) => patternMatches(pattern, type)).toSorted()).toEqual(
      matched.toSorted(),
    );
    expect(patternProblem(pattern, EVENT_TYPES)).toBeUndefined();
  });

  it.each([
    ["webhook.ping", ["webhook.ping"]],
    ["webhook.*", []],
    ["*", EVENT_TYPES.filter((type) => !OPERATIONAL_EVENT_TYPES.some((operational) => operational === type))],
    ["user.*", ["user.created", "user.updated"]],
    ["subscription.*", ["subscription.failing", "subscription.disabled", "subscription.enabled"]],
  ])("%s stands for these types in a filter of deliveries (R-X356)", (pattern, types) => {
    expect(typesOf(pattern, SENT_TYPES)).toEqual(types);
    expect(patternProblem(pattern, SENT_TYPES) === undefined).toBe(types.length > 0);
  });

  it("accepts every type of the published contract", () => {
    expect(EVENT_TYPES.map((type) => patternProblem(type, EVENT_TYPES))).toEqual(EVENT_TYPES.map(() => undefined));
  });
});
