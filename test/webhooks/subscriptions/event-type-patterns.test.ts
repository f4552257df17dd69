import { EVENT_TYPES, OPERATIONAL_EVENT_TYPES } from "../../../generated/event-types.ts";
import { patternMatches, patternProblem } from "../../../src/webhooks/subscriptions/subscription.ts";

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
    "",
    ".*",
    "**",
    "*.created",
    "user",
    "user.",
    "user*",
    "use.*",
    "user.updated.*",
    "User.*",
    "u?er.*",
    "[a-z]+.*",
    "worker.*",
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

  it("accepts every type of the published contract", () => {
    expect(EVENT_TYPES.map((type) => patternProblem(type, EVENT_TYPES))).toEqual(EVENT_TYPES.map(() => undefined));
  });
});
