import type { ApplicationId, InstanceId, PersonId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { SIGN_INS_KEPT, type SignIn } from "../../../src/sign-on/sign-ins/sign-in.ts";
import { signInRepository } from "../../../src/sign-on/sign-ins/sign-in-repository.ts";
import { signOnSweepLoop } from "../../../src/sign-on/sweep-loop.ts";
import type { SignOnTables } from "../../../src/sign-on/tables.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { signOnSets } from "../sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const DAY_MS = 86_400_000;
const later = (ms: number) => new Date(NOW.getTime() + ms);
const MAREN = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
const TOMAS = "person_EXUAD7sVdMrrwGoyGkSEM" as PersonId;

const signIn = (more: Partial<SignIn> = {}): SignIn => ({
  personId: MAREN,
  at: NOW,
  outcome: "succeeded",
  reason: undefined,
  applicationId: "app_a" as ApplicationId,
  instanceId: "instance_a" as InstanceId,
  userAgent: "Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0",
  network: "192.0.2.0/24",
  ...more,
});
const failed = (more: Partial<SignIn> = {}) => signIn({ outcome: "failed", reason: "wrong_password", ...more });

eachStore((_, open) => {
  async function opened() {
    const store = await open(signOnSets);
    const db = store.store.view<SignOnTables>();
    const clock = standingClock(NOW);
    const changes = createChanges<SignOnTables>({ ...store, clock, random: systemRandom });
    const repository = signInRepository(db);
    const record = (...signIns: readonly SignIn[]) =>
      changes.run(async ({ db: tx }) => {
        for (const one of signIns) await repository.record(tx, one);
      });
    return { db, clock, repository, record };
  }

  it("sign-ins come back as they were written, the newest first, of one person, as many as asked for (R-X86)", async () => {
    const { repository, record } = await opened();
    const bare = failed({ at: later(2), instanceId: undefined, userAgent: undefined, network: undefined });
    const disabled = failed({ at: later(2), reason: "person_disabled" });
    await record(signIn(), bare, disabled, signIn({ personId: TOMAS, at: later(3) }));
    expect(await repository.listRecent(MAREN, 10)).toEqual([disabled, bare, signIn()]);
    expect(await repository.listRecent(MAREN, 2)).toEqual([disabled, bare]);
    expect(await repository.listRecent("person_nobody" as PersonId, 10)).toEqual([]);
  });

  it("the store itself refuses a failure without a reason, and a success with one", async () => {
    const { repository, record } = await opened();
    await expect(record(failed({ reason: undefined }))).rejects.toThrow();
    await expect(record(signIn({ reason: "wrong_password" }))).rejects.toThrow();
    expect(await repository.listRecent(MAREN, 10)).toEqual([]);
  });

  it("keeps so many of a person and outcome, whatever comes: a flood of failures hides no success (R-X86)", async () => {
    const { repository, record } = await opened();
    await record(signIn(), signIn({ personId: TOMAS }), failed({ personId: TOMAS }));
    await record(...Array.from({ length: SIGN_INS_KEPT + 7 }, (_, index) => failed({ at: later(index) })));
    const kept = await repository.listRecent(MAREN, 1_000);
    expect(kept).toHaveLength(SIGN_INS_KEPT + 1);
    expect(kept[0]?.at).toEqual(later(SIGN_INS_KEPT + 6));
    expect(kept.at(-2)?.at).toEqual(later(7));
    expect(kept.at(-1)).toEqual(signIn());
    expect(await repository.listRecent(TOMAS, 1_000)).toHaveLength(2);
  });

  it("the sweep removes those of more than ninety days ago (R-X86)", async () => {
    const { db, clock, repository, record } = await opened();
    await record(signIn({ at: later(-90 * DAY_MS - 1) }), signIn({ at: later(-90 * DAY_MS) }));
    const stop = new AbortController();
    const run = signOnSweepLoop(db, clock).run(stop.signal);
    await eventually(
      () => repository.listRecent(MAREN, 10),
      (kept) => kept.length === 1,
    );
    stop.abort();
    await run;
    expect(await repository.listRecent(MAREN, 10)).toEqual([signIn({ at: later(-90 * DAY_MS) })]);
  });
});
