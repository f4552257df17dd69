import type { ApplicationId } from "../../../../src/runtime/basis/ids.ts";
import { createMetrics } from "../../../../src/runtime/process/metrics.ts";
import { countRepeatedValues } from "../../../../src/sign-on/conversations/authorize/repeated-values.ts";

describe("constant challenges and nonces (RFC 9700 statement 12, §2.1.1, R-X110)", () => {
  const METRIC = "gatehouse_authorization_values_repeated_total";
  const request = (applicationId: string, nonce: string | undefined, codeChallenge: string | undefined) => ({
    applicationId: applicationId as ApplicationId,
    nonce,
    codeChallenge,
  });

  it("are counted per application and parameter, and new ones are not", async () => {
    const metrics = createMetrics();
    const look = countRepeatedValues(metrics);
    for (const one of [
      request("app_a", "constant", "c1"),
      request("app_a", "constant", "c2"),
      request("app_a", "constant", "c2"),
      request("app_b", "constant", undefined),
      request("app_b", undefined, undefined),
      request("app_b", undefined, undefined),
      // A nonce is no challenge.
      request("app_b", "c9", "constant"),
    ])
      look(one);
    const found = await metrics.getSingleMetric(METRIC)?.get();
    expect(found?.values.map(({ labels, value }) => [labels, value])).toEqual([
      [{ application: "app_a", parameter: "nonce" }, 2],
      [{ application: "app_a", parameter: "code_challenge" }, 1],
    ]);
  });

  it("are remembered for ten thousand values and no more", async () => {
    const metrics = createMetrics();
    const look = countRepeatedValues(metrics);
    for (let index = 0; index < 10_001; index++) look(request("app_a", `n${index}`, undefined));
    look(request("app_a", "n0", undefined));
    look(request("app_a", "n9999", undefined));
    const found = await metrics.getSingleMetric(METRIC)?.get();
    expect(found?.values.map(({ value }) => value)).toEqual([1]);
  });
});
