import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { watchKeys } from "../../../src/sign-on/signing-keys/key-watch.ts";
import type { StoredSigningKey } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import type { SigningKeys } from "../../../src/sign-on/signing-keys/signing-keys.ts";
import { standingClock } from "../../support/clock.ts";
import { aKey, DAY, HOUR, NOW, SCHEDULE } from "./keys-fixture.ts";

describe("what operators see of the signing keys (R-X105)", () => {
  function watched() {
    const clock = standingClock(NOW);
    const metrics = createMetrics();
    let usable: readonly StoredSigningKey[] | undefined = [
      aKey({ activatedAt: NOW }),
      aKey({ keyId: "es256-b", state: "next" }),
    ];
    const keys = {
      usable: async () => {
        if (usable === undefined) throw new Error("no store");
        return usable;
      },
      signer: async () => {
        if (!usable?.some(({ state }) => state === "active")) throw new Error("No signing key is active.");
        return {};
      },
    } as unknown as SigningKeys;
    const watch = watchKeys({ keys, schedule: SCHEDULE, algorithms: ["ES256"], clock, metrics });
    const check = (name: string) => watch.checks.find((one) => one.name === name);
    return {
      clock,
      watch,
      hold(held: readonly StoredSigningKey[] | undefined) {
        usable = held;
      },
      canSign: () => check("signing keys")?.check(),
      rotates: () => check("signing key rotation")?.check(),
      degrades: watch.checks.map(({ name, degrades = false }) => [name, degrades]),
      metric: async (name: string) => (await metrics.metrics()).split("\n").filter((line) => line.startsWith(name)),
    };
  }

  it("reports the age of the active key, and the delay of its replacement", async () => {
    const { clock, metric, hold } = watched();
    clock.step(DAY);
    expect(await metric("gatehouse_signing_key_age_seconds")).toEqual([
      'gatehouse_signing_key_age_seconds{algorithm="ES256"} 86400',
    ]);
    expect(await metric("gatehouse_signing_key_rotation_overdue_seconds")).toEqual([
      'gatehouse_signing_key_rotation_overdue_seconds{algorithm="ES256"} 0',
    ]);
    clock.step(90 * DAY);
    expect(await metric("gatehouse_signing_key_rotation_overdue_seconds")).toEqual([
      'gatehouse_signing_key_rotation_overdue_seconds{algorithm="ES256"} 86400',
    ]);
    hold(undefined);
    expect(await metric("gatehouse_signing_key_age_seconds")).toEqual([]);
  });

  it("counts passes that failed", async () => {
    const { watch, metric } = watched();
    watch.failed();
    watch.failed();
    expect(await metric("gatehouse_signing_key_rotation_failures_total")).toEqual([
      "gatehouse_signing_key_rotation_failures_total 2",
    ]);
  });

  it("is not ready when nothing can be signed, and only degraded when a rotation is more than an hour late (F48)", async () => {
    const { clock, degrades, canSign, rotates, hold } = watched();
    expect(degrades).toEqual([
      ["signing keys", false],
      ["signing key rotation", true],
    ]);
    clock.step(90 * DAY + HOUR);
    expect([await canSign(), await rotates()]).toEqual([undefined, undefined]);
    clock.step(HOUR);
    expect(await rotates()).toBe("The ES256 signing key should have been replaced 2 hours ago.");
    hold([]);
    await expect(canSign()).rejects.toThrow("No signing key is active.");
  });
});
