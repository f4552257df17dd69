import {
  RecoveredState,
  type StartRecoveryRequest,
} from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { parseRecoveryRequest } from "../../../src/webhooks/recoveries/recovery-request.ts";

const NOW = new Date("2026-08-01T12:00:00Z");
const DAY_MS = 86_400_000;
const ago = (days: number) => new Date(NOW.getTime() - days * DAY_MS);
const GOOD: StartRecoveryRequest = {
  subscriptionId: newId("subscription", systemRandom),
  from: ago(2),
  to: ago(1),
  states: [],
  eventTypes: [],
  tenantIds: [],
};

const fieldsOf = (request: Partial<StartRecoveryRequest>): readonly string[] => {
  try {
    parseRecoveryRequest({ ...GOOD, ...request }, NOW);
    return [];
  } catch (error) {
    return (error as Failure).violations.map(({ field }) => field);
  }
};

describe("what a recovery is asked for (R-X281)", () => {
  it.each<[string, Partial<StartRecoveryRequest>, readonly string[]]>([
    ["a day", {}, []],
    ["no end", { to: null }, []],
    ["31 days", { from: ago(31), to: NOW }, []],
    ["31 days and a millisecond", { from: new Date(ago(31).getTime() - 1), to: NOW }, ["from"]],
    ["an end in the future, which is now", { from: ago(31), to: new Date(NOW.getTime() + 9 * DAY_MS) }, []],
    ["no beginning", { from: null }, ["from"]],
    ["a beginning in the future", { from: new Date(NOW.getTime() + 1), to: null }, ["from"]],
    ["a beginning in 1970", { from: new Date(0), to: new Date(DAY_MS) }, []],
    [
      "a beginning in a year that no answer can show",
      { from: new Date("-000001-12-31T10:00:00Z"), to: new Date("0000-01-10T00:00:00Z") },
      ["from"],
    ],
    ["an end before the beginning", { from: ago(1), to: ago(2) }, ["from"]],
    ["an empty time", { from: ago(1), to: ago(1) }, ["from"]],
    ["no id of a subscription", { subscriptionId: "payroll" }, ["subscription_id"]],
    ["an id of another kind", { subscriptionId: newId("delivery", systemRandom) }, ["subscription_id"]],
    ["a state that is not known", { states: [RecoveredState.SKIPPED, RecoveredState.UNSPECIFIED] }, ["states"]],
    ["a type that does not exist", { eventTypes: ["user.updated", "user.*"] }, ["event_types[1]"]],
    ["too many types", { eventTypes: Array.from({ length: 101 }, () => "user.updated") }, ["event_types"]],
    ["a tenant's name", { tenantIds: ["Nordlicht"] }, ["tenant_ids[0]"]],
    [
      "too many tenants",
      { tenantIds: Array.from({ length: 1_001 }, () => newId("tenant", systemRandom)) },
      ["tenant_ids"],
    ],
    [
      "all of it wrong",
      { subscriptionId: "", from: null, eventTypes: ["x"], tenantIds: ["y"] },
      ["subscription_id", "from", "event_types[0]", "tenant_ids[0]"],
    ],
  ])("%s", (_, request, expected) => {
    expect(fieldsOf(request)).toEqual(expected);
  });

  it("means both states when it names none, and each value once", () => {
    expect(parseRecoveryRequest({ ...GOOD, eventTypes: ["user.updated", "user.updated"] }, NOW)).toEqual({
      ...{ from: ago(2), to: ago(1), states: ["exhausted", "skipped"] },
      ...{ eventTypes: ["user.updated"], tenantIds: [] },
    });
  });

  it("says what to do about a time that is too long", () => {
    const refused = () => parseRecoveryRequest({ ...GOOD, from: ago(40), to: NOW }, NOW);
    expect(refused).toThrow("start a recovery for each part of a longer time");
  });
});
