import { webhookMistakes, webhooksSettings } from "../../src/webhooks/settings.ts";
import { settingsFor } from "./webhooks-kit.ts";

describe("the settings of webhooks", () => {
  it("are safe by default (R-E6, R-E7, R-E11)", () => {
    const settings = settingsFor({ "webhook-allow-http": "false", "webhook-allowed-networks": "" });
    expect(settings).toEqual({
      "webhook-attempt-delays": [60_000, 3_600_000],
      "webhook-jitter": 0.2,
      "webhook-retry-compare-ms": 15_000,
      "webhook-allowed-networks": [],
      "webhook-allow-http": false,
      "webhook-endpoint-ports": [],
      "webhook-timeout-ms": 15_000,
      "webhook-connect-timeout-ms": 5_000,
      "webhook-lease-ms": 60_000,
      "webhook-body-days": 30,
      "webhook-delivery-days": 90,
      "webhook-concurrency": 512,
      "webhook-concurrency-per-endpoint": 50,
      "webhook-recovery-share": 0.2,
    });
    expect(webhookMistakes(settings)).toEqual([]);
  });

  it.each([
    ["1m,60m", [60_000, 3_600_000]],
    ["250ms", [250]],
    ["5s, 24h", [5_000, 86_400_000]],
    ["0s,0s", [0, 0]],
  ])("reads the waits %s", (text, ms) => {
    expect(settingsFor({ "webhook-attempt-delays": text })["webhook-attempt-delays"]).toEqual(ms);
  });

  it.each([
    ["webhook-attempt-delays", ""],
    ["webhook-attempt-delays", "1"],
    ["webhook-attempt-delays", "1m,1m,1m"],
    ["webhook-attempt-delays", "-1m"],
    ["webhook-attempt-delays", "25h"],
    ["webhook-attempt-delays", "1 m"],
    ["webhook-jitter", "0.6"],
    ["webhook-jitter", "-0.1"],
    ["webhook-jitter", "much"],
    ["webhook-allowed-networks", "10.0.0.1/8"],
    ["webhook-allowed-networks", "localhost"],
    ["webhook-allowed-networks", "10.0.0.0/8 fd00::/8"],
    ["webhook-endpoint-ports", "0"],
    ["webhook-endpoint-ports", "443-80"],
    ["webhook-endpoint-ports", "65536"],
    ["webhook-endpoint-ports", "https"],
    ["webhook-allow-http", "maybe"],
    ["webhook-timeout-ms", "99"],
    ["webhook-timeout-ms", "1.5"],
    ["webhook-timeout-ms", "17001"],
    ["webhook-concurrency", "0"],
  ])("refuse %s=%s, naming the setting", (name, text) => {
    expect(() => settingsFor({ [name]: text })).toThrow(new RegExp(`${name} \\(--${name}\\)`));
  });

  it("refuse no waits at all, which only a file can say, as they refuse an empty text", () => {
    const { schema } = webhooksSettings["webhook-attempt-delays"];
    expect(schema.safeParse([]).success).toBe(false);
    expect(schema.safeParse(["1m"])).toMatchObject({ success: true, data: [60_000] });
  });

  it("refuse a lease that is too short for the timeout", () => {
    const settings = settingsFor({ "webhook-timeout-ms": "15000", "webhook-lease-ms": "29999" });
    expect(webhookMistakes(settings)).toMatchObject([
      {
        sentence: expect.stringContaining("at least twice webhook-timeout-ms"),
        settings: ["webhook-lease-ms", "webhook-timeout-ms"],
      },
    ]);
  });

  it.each([
    ["17000", 0, []],
    ["16500", 500, []],
    ["16501", 500, [expect.objectContaining({ sentence: expect.stringContaining("a stop would cut off attempts") })]],
  ])("with a timeout of %s ms after a drain of %d ms: a stop has 20 s in all", (timeoutMs, drainMs, mistakes) => {
    expect(webhookMistakes(settingsFor({ "webhook-timeout-ms": timeoutMs }), drainMs)).toEqual(mistakes);
  });
});
