import { signOnSettings } from "../../../src/sign-on/settings.ts";
import { dueStep, keySchedule, overdueMs, replacementDueAt } from "../../../src/sign-on/signing-keys/key-schedule.ts";
import type { StoredSigningKey } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import { aKey, DAY, HOUR, later, MINUTE, NOW, SCHEDULE, SECOND } from "./keys-fixture.ts";

const active = (change: Partial<StoredSigningKey> = {}) => aKey({ activatedAt: NOW, ...change });
const next = (change: Partial<StoredSigningKey> = {}) => aKey({ keyId: "es256-b", state: "next", ...change });
const retiring = (change: Partial<StoredSigningKey> = {}) =>
  aKey({ keyId: "es256-0", state: "retiring", retiresAt: later(48 * HOUR), ...change });

describe("when a signing key moves on (R-S13, S35)", () => {
  it.each<[string, readonly StoredSigningKey[], number, string | undefined]>([
    ["an empty store begins", [], 0, "begin"],
    ["keys of the other algorithm count for nothing", [active({ algorithm: "RS256" })], 0, "begin"],
    ["only a retiring key: nothing signs, so it begins", [retiring()], 0, "begin"],
    ["an active key alone gets a successor at once", [active()], 0, "prepare"],
    ["an active key and a successor: nothing", [active(), next()], 0, undefined],
    ["one millisecond before the period is over: nothing", [active(), next()], 90 * DAY - 1, undefined],
    ["the period is over", [active(), next()], 90 * DAY, "replace"],
    [
      "the period is over, the successor was not published long enough: it waits",
      [active(), next({ signsFrom: later(91 * DAY) })],
      91 * DAY - 1,
      undefined,
    ],
    ["and then signs", [active(), next({ signsFrom: later(91 * DAY) })], 91 * DAY, "replace"],
    [
      "an operator asked: at once when the successor may sign",
      [active({ rotationAskedAt: NOW }), next()],
      0,
      "replace",
    ],
    [
      "an operator asked: when the successor may sign",
      [active({ rotationAskedAt: NOW }), next({ signsFrom: later(HOUR) })],
      HOUR - 1,
      undefined,
    ],
    ["no active key: a successor takes over before its time", [next({ signsFrom: later(DAY) })], 0, "replace"],
    ["a retiring key stays to the end", [active(), next(), retiring()], 48 * HOUR - 1, undefined],
    ["a retiring key is retired then", [active(), next(), retiring()], 48 * HOUR, "retire"],
    ["a clock that was set back a year does nothing", [active(), next(), retiring()], -365 * DAY, undefined],
  ])("%s", (_, keys, passedMs, expected) => {
    expect(dueStep(keys, "ES256", SCHEDULE, later(passedMs))?.kind).toBe(expected);
  });

  it("without a period keys are replaced only when an operator asks", () => {
    const byHand = { ...SCHEDULE, signsMs: undefined };
    expect(dueStep([active(), next()], "ES256", byHand, later(5_000 * DAY))).toBeUndefined();
    expect(dueStep([active({ rotationAskedAt: NOW }), next()], "ES256", byHand, NOW)?.kind).toBe("replace");
    expect(replacementDueAt(active(), byHand)).toBeUndefined();
  });

  it("no setting lets a key sign before every copy of the JWKS without it is too old, nor leave before its tokens (S35)", () => {
    const least = keySchedule({
      "jwks-max-age-seconds": 86_400,
      "signing-key-rotation-days": 0,
      "signing-key-publish-minutes": 2,
      "signing-key-retiring-hours": 25,
    });
    expect(least.publishedAheadMs).toBe(DAY + 2 * MINUTE);
    expect(least.publishedAfterMs).toBe(DAY + HOUR);
    const refused = (name: keyof typeof signOnSettings, text: string) => signOnSettings[name].schema.safeParse(text);
    expect(refused("signing-key-publish-minutes", "1").success).toBe(false);
    expect(refused("signing-key-retiring-hours", "24").success).toBe(false);
    expect(refused("signing-key-retiring-hours", "25").success).toBe(true);
  });

  it.each<[string, readonly StoredSigningKey[], number, number]>([
    ["not due", [active(), next()], 90 * DAY, 0],
    ["due for a second", [active(), next()], 90 * DAY + SECOND, SECOND],
    [
      "due for a day, with a successor that may not sign yet",
      [active(), next({ signsFrom: later(95 * DAY) })],
      91 * DAY,
      0,
    ],
    ["due for a day, without a successor", [active()], 91 * DAY, DAY],
    ["no key at all", [], 91 * DAY, 0],
  ])("is late: %s", (_, keys, passedMs, expected) => {
    expect(overdueMs(keys, "ES256", SCHEDULE, later(passedMs))).toBe(expected);
  });
});
