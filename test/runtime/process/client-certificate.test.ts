import type { ValidTime } from "../../../src/runtime/process/certificate-ageing.ts";
import { clientCertificateCheck } from "../../../src/runtime/process/client-certificate.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { standingClock } from "../../support/clock.ts";
import { recordedLog } from "../../support/recorded-log.ts";

describe("a certificate that proves us to a server (R-X441)", () => {
  const timeUntil = (ends: string): ValidTime => ({
    validFrom: new Date("2026-01-01T00:00:00Z"),
    expiresAt: new Date(ends),
  });
  const watched = (first: ValidTime) => {
    const clock = standingClock(new Date("2026-06-01T00:00:00Z"));
    const log = recordedLog();
    const metrics = createMetrics();
    let time: ValidTime | undefined = first;
    const { name, degrades, check } = clientCertificateCheck({
      name: "temporal certificate",
      server: "Temporal",
      setting: "temporal-tls-certificate",
      metric: "gatehouse_temporal_certificate_expiry_seconds",
      validTime: () => time,
      clock,
      log,
      metrics,
    });
    expect([name, degrades]).toEqual(["temporal certificate", true]);
    return {
      clock,
      log,
      check,
      metric: async () =>
        (await metrics.metrics()).split("\n").filter((line) => line.startsWith("gatehouse_temporal_certificate")),
      become(next: ValidTime | undefined) {
        time = next;
      },
    };
  };

  it("degrades health from its last week on, until it is renewed", async () => {
    const { clock, check, become, log } = watched(timeUntil("2026-06-30T00:00:00Z"));
    expect(await check()).toBeUndefined();
    clock.set(new Date("2026-06-23T00:00:01Z"));
    expect(await check()).toBe("expires at 2026-06-30T00:00:00.000Z: renew temporal-tls-certificate");
    clock.set(new Date("2026-06-30T00:00:00Z"));
    expect(await check()).toBe("has expired: renew temporal-tls-certificate");
    become(timeUntil("2027-01-01T00:00:00Z"));
    expect([await check(), log.lines]).toEqual([undefined, []]);
  });

  it("is in the log at a start that finds it near its end", () => {
    expect(watched(timeUntil("2026-06-03T00:00:00Z")).log.lines).toEqual([
      {
        level: "warn",
        sentence: "The certificate that proves us to Temporal needs to be renewed.",
        fields: { detail: "It expires at 2026-06-03T00:00:00.000Z: renew temporal-tls-certificate." },
      },
    ]);
  });

  it("has its end in a metric, unless it cannot be read", async () => {
    const { metric, become, check } = watched(timeUntil("2026-06-30T00:00:00Z"));
    expect(await metric()).toEqual(["gatehouse_temporal_certificate_expiry_seconds 1782777600"]);
    become(timeUntil("2026-07-01T00:00:00Z"));
    expect(await metric()).toEqual(["gatehouse_temporal_certificate_expiry_seconds 1782864000"]);
    become(undefined);
    expect([await metric(), await check()]).toEqual([[], undefined]);
  });
});
