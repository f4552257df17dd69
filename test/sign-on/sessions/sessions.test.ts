import type { PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createSessions, isUseDue } from "../../../src/sign-on/sessions/sessions.ts";
import { standingClock } from "../../support/clock.ts";

const NOW = new Date("2026-06-30T08:00:00Z");
const at = (ms: number) => new Date(NOW.getTime() + ms);
const MINUTE = 60_000;
const PERSON = "person_AqnsKVwhGnkg841xUstKP" as PersonId;

const unasked = () => Promise.reject(new Error("Nothing here asks the store."));

const sessions = createSessions(
  { findLive: unasked, findUnended: unasked, findConsenting: unasked, listLiveOf: unasked },
  { idleMinutes: 30, absoluteMinutes: 600 },
  { clock: standingClock(NOW), random: systemRandom },
);

describe("whether a session that was not ended still signs its person in (R-X7)", () => {
  const { session } = sessions.begin(PERSON, NOW);
  it.each([
    ["as it begins", {}, true],
    ["in its last millisecond", { expiresAt: at(1) }, true],
    ["at its limit", { expiresAt: NOW }, false],
    ["beyond its limit, though it is in use", { expiresAt: at(-1), seenAt: NOW }, false],
    ["in the last millisecond before it is idle", { seenAt: at(1 - 30 * MINUTE) }, true],
    ["idle, though its limit is far", { seenAt: at(-30 * MINUTE) }, false],
  ])("%s", (_, differing, live) => {
    const unended = { ...session, ...differing };
    expect(sessions.liveOf(unended)).toBe(live ? unended : undefined);
  });

  it("none is none", () => {
    expect(sessions.liveOf(undefined)).toBeUndefined();
  });
});

describe("when a use of a session is written down", () => {
  it.each([
    ["less than a minute after the last", at(1 - MINUTE), false],
    ["a minute after it", at(-MINUTE), true],
    ["just before it, by a clock that was set back", at(MINUTE - 1), false],
    ["a minute before it, by a clock that was set back", at(MINUTE), true],
  ])("%s", (_, seenAt, due) => {
    expect(isUseDue({ seenAt }, NOW)).toBe(due);
  });
});

describe("a session that begins", () => {
  it.each([
    ["now", [], NOW],
    ["after instants that have passed", [at(-2), undefined], NOW],
    ["after an instant that a clock ahead has written (0035)", [at(-2), at(3)], at(3)],
  ])("has the password entered %s", (_, after, authenticatedAt) => {
    const { session } = sessions.begin(PERSON, NOW, undefined, after);
    expect(session).toMatchObject({ authenticatedAt, seenAt: NOW, expiresAt: at(600 * MINUTE) });
  });
});
