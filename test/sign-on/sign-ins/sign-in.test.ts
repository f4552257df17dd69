import { createMetrics } from "#runtime/process/metrics.ts";
import { keptUserAgent, signInCounter, USER_AGENT_LENGTH_MAX } from "../../../src/sign-on/sign-ins/sign-in.ts";

describe("what is kept of a User-Agent (R-X86)", () => {
  it.each([
    ["Mozilla/5.0 (X11; Linux x86_64)", "Mozilla/5.0 (X11; Linux x86_64)"],
    ["  curl/8.5.0 ", "curl/8.5.0"],
    ["a\u0000b\r\nc\u007fd\u0085e\ud800f🙂", "abcdef"],
    ["Navegador Ñandú", "Navegador Ñandú"],
    ["a".repeat(USER_AGENT_LENGTH_MAX + 1), "a".repeat(USER_AGENT_LENGTH_MAX)],
  ])("of %j is %j", (sent, kept) => {
    expect(keptUserAgent(sent)).toBe(kept);
  });

  it.each(["", " ", "\u0000\n", "🙂"])("of %j is nothing", (sent) => {
    expect(keptUserAgent(sent)).toBeUndefined();
  });
});

describe("attempts by their end", () => {
  it("begin at 0 each, so that an alert can compare what has not happened yet", async () => {
    const metrics = createMetrics();
    const count = signInCounter(metrics);
    const counted = async () => {
      const { values = [] } = (await metrics.getSingleMetric("gatehouse_sign_in_attempts_total")?.get()) ?? {};
      return Object.fromEntries(values.map(({ labels, value }) => [labels.result, value]));
    };
    expect(await counted()).toEqual({ succeeded: 0, refused: 0, throttled: 0, busy: 0 });
    count("refused");
    expect(await counted()).toEqual({ succeeded: 0, refused: 1, throttled: 0, busy: 0 });
  });
});
