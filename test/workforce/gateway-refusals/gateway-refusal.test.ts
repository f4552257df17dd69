import { GATEWAY_CHECKS } from "../../../src/workforce/gateway-refusals/gateway-refusal.ts";

describe("what operators read about a refused request of the gateway (R-X199)", () => {
  it.each(Object.entries(GATEWAY_CHECKS))("%s has words without a place to fill", (_, { finding, advice }) => {
    expect([finding, advice]).toEqual([expect.stringMatching(/^[^{}<>]+\.$/), expect.stringMatching(/^[^{}<>]+\.$/)]);
  });

  it("names the command that configures an instance integration, which is connected already", () => {
    expect(GATEWAY_CHECKS.instance_integration_not_configured.advice).toBe(
      "Finish the set-up, and mark it as configured: gatehouse integrations configure.",
    );
  });
});
