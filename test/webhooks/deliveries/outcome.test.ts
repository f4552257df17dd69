import gatewayContract from "../../../generated/contracts/gateway.json" with { type: "json" };
import { OutcomeClass } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { toOutcome } from "../../../src/webhooks/deliveries/outcome.ts";

describe("how an attempt ended (R-E6, R-E8)", () => {
  it("is said to integrators in words that the contract lists, each with its meaning", () => {
    const ended = Object.values(OutcomeClass).flatMap((one) => toOutcome(one) ?? []);
    const { description, "x-extensible-enum": listed } = gatewayContract.components.schemas.Attempt.properties.outcome;
    expect(listed.toSorted()).toEqual([...ended, "in_flight", "lost"].toSorted());
    expect(listed.filter((word) => !description.includes(`\`${word}\``))).toEqual([]);
  });
});
