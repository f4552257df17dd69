import fc from "fast-check";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import type { StoredSigningKey } from "../../../src/sign-on/signing-keys/signing-key-repository.ts";
import { revokeSigningKey } from "../../../src/sign-on/signing-keys/signing-keys-operator-service.ts";
import { REREAD_MS } from "../../../src/sign-on/signing-keys/signing-keys-service.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";
import { DAY, HOUR, later, MINUTE, openKeys, SCHEDULE, SECOND } from "./keys-fixture.ts";

/** How far the processes' clocks may be from the true time, either way. */
const CLOCK_OFF_MS = 50 * SECOND;
const JWKS_MAX_AGE_MS = 5 * MINUTE;
const TOKEN_LIFE_MS = DAY;
const PROCESSES = 3;
/** The least that the settings allow, so that every margin counts. */
const TIGHT = {
  ...SCHEDULE,
  signsMs: 3 * DAY,
  publishedAheadMs: JWKS_MAX_AGE_MS + 2 * MINUTE,
  publishedAfterMs: 25 * HOUR,
};

const process = fc.nat({ max: PROCESSES - 1 });
const step = fc.oneof(
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant("pass" as const),
      ms: fc.oneof(
        fc.nat({ max: 10 * MINUTE }),
        fc.nat({ max: DAY }),
        fc.constantFrom(9 * SECOND, JWKS_MAX_AGE_MS, 3 * DAY),
      ),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({
      kind: fc.constant("setClock" as const),
      process,
      ms: fc.integer({ min: -CLOCK_OFF_MS, max: CLOCK_OFF_MS }),
    }),
  },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("keep" as const), process }) },
  { weight: 1, arbitrary: fc.constant({ kind: "keepAll" as const }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant("crash" as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("ask" as const), process }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant("revoke" as const), process }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("fetch" as const), process }) },
  { weight: 4, arbitrary: fc.record({ kind: fc.constant("sign" as const), process }) },
);
type Step = typeof step extends fc.Arbitrary<infer T> ? T : never;

const RANK = { next: 0, active: 1, retiring: 2, retired: 3 } as const;

const OPERATOR = { path: "", peer: "operator", actor: "operator", requestId: "" } as Call;

eachStore((_, open) => {
  let opened: TestStore;
  beforeAll(async () => {
    opened = await open(signOnSets);
  });

  /** Every copy of the JWKS that a relying party may hold, every token that may be shown, by the true time. */
  async function play(steps: readonly Step[], schedule = TIGHT): Promise<void> {
    let now = 0;
    const offsets = Array<number>(PROCESSES).fill(0);
    const clocks = offsets.map(() => standingClock(later(0)));
    const setClocks = () => clocks.forEach((clock, index) => void clock.set(later(now + (offsets[index] ?? 0))));
    const processes = clocks.map((clock) => openKeys(opened, { clock, schedule, deaf: true }));
    const [first] = processes;
    if (first === undefined) throw new Error("no process");
    await first.db.deleteFrom("sign_on_signing_keys").execute();
    await first.keep();
    const copies: {
      readonly fetchedAt: number;
      readonly goodUntil: number;
      readonly keyIds: ReadonlySet<string | undefined>;
    }[] = [];
    const tokens: { readonly goodUntil: number; readonly keyId: string }[] = [];
    const revoked = new Set<string>();
    let emergencyUntil = -1;
    let before = new Map<string, StoredSigningKey>();

    for (const one of steps) {
      const chosen = "process" in one ? processes[one.process] : first;
      switch (one.kind) {
        case "pass":
          now += one.ms;
          break;
        case "setClock":
          offsets[one.process] = one.ms;
          break;
        case "keep":
          await chosen?.keep();
          break;
        case "keepAll":
          await Promise.all(processes.map(({ keep }) => keep()));
          break;
        case "crash":
          await first.changes
            .run(async ({ db, at }) => {
              const active = (await first.repository.listUsable(db)).find(({ state }) => state === "active");
              await first.repository.beginRetiring(db, active?.keyId ?? "", at);
              throw new Error("crashed");
            })
            .catch(() => undefined);
          break;
        case "ask": {
          const active = await first.inState("active");
          await first.changes.run(({ db, at }) => first.repository.askRotation(db, active?.keyId ?? "", at));
          break;
        }
        case "revoke": {
          const keyId = (await first.inState("active"))?.keyId ?? "";
          if (chosen !== undefined) await revokeSigningKey(chosen)({ keyId, emergency: "leaked" }, OPERATOR);
          revoked.add(keyId);
          emergencyUntil = now + REREAD_MS + 2 * CLOCK_OFF_MS;
          break;
        }
        case "fetch": {
          const published = (await chosen?.keys.published()) ?? [];
          copies.push({
            fetchedAt: now,
            goodUntil: now + JWKS_MAX_AGE_MS,
            keyIds: new Set(published.map(({ kid }) => kid)),
          });
          break;
        }
        case "sign": {
          const keyId = (await chosen?.keys.signer("ES256"))?.keyId ?? "";
          tokens.push({ goodUntil: now + TOKEN_LIFE_MS, keyId });
          // Copies from before an emergency, and from processes that have not noticed it yet, may lack the successor (R-X104).
          for (const { fetchedAt, goodUntil, keyIds } of copies)
            if (fetchedAt > emergencyUntil && goodUntil >= now && !keyIds.has(keyId))
              throw new Error(`a good copy does not have ${keyId}`);
          break;
        }
      }
      setClocks();

      const all = await first.repository.listAll();
      const count = (state: string) => all.filter((key) => key.state === state).length;
      if (count("active") !== 1) throw new Error(`${count("active")} active keys`);
      if (count("next") > 1) throw new Error(`${count("next")} next keys`);
      for (const key of all) {
        const earlier = before.get(key.keyId);
        if (earlier !== undefined && RANK[key.state] < RANK[earlier.state]) throw new Error("a key went back");
        if ((key.sealedPrivateKey.length === 0) !== (key.state === "retired")) throw new Error("private half");
      }
      const published = new Set(all.filter(({ state }) => state !== "retired").map(({ keyId }) => keyId));
      for (const { goodUntil, keyId } of tokens)
        if (goodUntil >= now && !published.has(keyId) && !revoked.has(keyId))
          throw new Error(`${keyId} left before its tokens`);
      before = new Map(all.map((key) => [key.keyId, key]));
    }
  }

  it("keeps every promise whatever happens in whatever order, on clocks that are off and in processes that hear nothing (R-S13, R-X100, S35)", async () => {
    const property = fc.asyncProperty(fc.array(step, { minLength: 20, maxLength: 80 }), (steps) => play(steps));
    await expect(fc.assert(property, { numRuns: 60, endOnFailure: true })).resolves.toBeUndefined();
  });

  const RUSH: readonly Step[] = [
    { kind: "pass", ms: 3 * DAY },
    { kind: "sign", process: 0 },
    { kind: "fetch", process: 0 },
    { kind: "keep", process: 0 },
    { kind: "ask", process: 0 },
    { kind: "keep", process: 0 },
    { kind: "pass", ms: MINUTE },
    { kind: "sign", process: 0 },
    { kind: "keep", process: 0 },
  ];

  it.each([
    ["that publishes no key ahead", { ...TIGHT, publishedAheadMs: 0 }, /^a good copy does not have es256-/],
    ["that publishes no key afterwards", { ...TIGHT, publishedAfterMs: 0 }, /^es256-.* left before its tokens$/],
  ])("would notice a schedule %s", async (_, schedule, expected) => {
    await expect(play(RUSH)).resolves.toBeUndefined();
    await expect(play(RUSH, schedule)).rejects.toThrow(expected);
  });
});
