import type { ApplicationId, InstanceId, PersonId } from "../../src/runtime/basis/ids.ts";
import { signInRepository } from "../../src/sign-on/sign-ins/sign-in-repository.ts";
import { signOnSweepLoop } from "../../src/sign-on/sweep-loop.ts";
import type { SignOnTables } from "../../src/sign-on/tables.ts";
import { standingClock } from "../support/clock.ts";
import { oneRound } from "../support/one-round.ts";
import { eachStore, inTransaction } from "../support/stores.ts";
import { signOnSets } from "./sign-on-fixture.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
const DAY_MS = 86_400_000;
const inDays = (days: number) => new Date(NOW.getTime() + days * DAY_MS);

eachStore((_, open) => {
  it("what was revoked by itself goes two days after its end by the clock of the sweeps, whatever that of this process says (R-X249, R-X370)", async () => {
    const db = (await open(signOnSets)).store.view<SignOnTables>();
    const expiries = [NOW.getTime() - 2 * DAY_MS - 1, NOW.getTime() - 2 * DAY_MS, NOW.getTime()];
    const revoked = expiries.map((expires_at, index) => ({ token_id: `token-${index}`, revoked_at: 1, expires_at }));
    await db.insertInto("sign_on_revoked_access_tokens").values(revoked).execute();
    await oneRound(signOnSweepLoop(db, standingClock(inDays(400)), standingClock(NOW)));
    const left = await db.selectFrom("sign_on_revoked_access_tokens").select("token_id").orderBy("token_id").execute();
    expect(left.map(({ token_id }) => token_id)).toEqual(["token-1", "token-2"]);
  });

  it("no sign-in is taken for one of the future that is none by the clock, though removing is behind (R-X392)", async () => {
    const db = (await open(signOnSets)).store.view<SignOnTables>();
    const signIns = signInRepository(db);
    const personId = "person_AqnsKVwhGnkg841xUstKP" as PersonId;
    await inTransaction(db, async (tx) => {
      for (const day of [0, 405, 100])
        await signIns.record(tx, {
          personId,
          at: inDays(day),
          outcome: "succeeded",
          reason: undefined,
          applicationId: "app_a" as ApplicationId,
          instanceId: "instance_a" as InstanceId,
          userAgent: undefined,
          network: undefined,
        });
    });
    // Ten days behind.
    await oneRound(signOnSweepLoop(db, standingClock(inDays(411)), standingClock(inDays(401))));
    const left = await db.selectFrom("sign_on_sign_ins").select("at").execute();
    expect(left.map(({ at }) => (Number(at) - NOW.getTime()) / DAY_MS).sort()).toEqual([100, 405]);
  });
});
