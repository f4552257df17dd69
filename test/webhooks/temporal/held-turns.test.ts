import { sql } from "kysely";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { answeredBesidesALock, MANY_CALLS } from "../../support/besides-a-lock.ts";
import { onPostgres, type TestStore } from "../../support/stores.ts";
import { exhaust, start } from "../recoveries/recovery-kit.ts";
import { webhooksKit } from "../webhooks-kit.ts";

const MINUTE_MS = 60_000;
onPostgres((open) => {
  describe("while another process has a turn and is paused (R-X410)", () => {
    let opened: TestStore;
    let holder: TestStore;
    beforeEach(async () => {
      opened = await open([webhooksMigrations]);
      holder = await opened.again();
    });

    /** Whether this process answers a read while calls wait for a turn that the other one has. */
    const readBesides = async (turn: string, calls: () => readonly Promise<unknown>[]) => {
      const lock = `select pg_advisory_xact_lock(hashtext('${turn}'), 0)`;
      const asked = () => sql`select 1`.execute(opened.store.view());
      return (await answeredBesidesALock({ holder, lock, calls, asked })).asked;
    };

    it("steps of recoveries leave connections for requests, however many are asked for", async () => {
      const embedded = webhooksKit(opened);
      const { id } = await embedded.subscribe({ label: "marigold" });
      await exhaust(embedded, 3);
      const { dispatch, operator, clock } = webhooksKit(opened, { clock: embedded.clock, retries: "temporal" });
      const recoveryId = await start({ ...embedded, operator, clock }, id);
      const advance = () => dispatch.advanceRecovery({ recoveryId, waitMs: 0 });
      expect(await readBesides("webhooks_recoveries", () => Array.from({ length: MANY_CALLS }, advance))).toBe(
        "fulfilled",
      );
    });

    it("claims of due retries leave connections for requests, however many are due", async () => {
      const kit = webhooksKit(opened, { flags: { "webhook-jitter": "0" }, retries: "temporal" });
      await kit.subscribe({ label: "marigold" });
      for (let event = 0; event < MANY_CALLS; event++) await kit.emit();
      await kit.relay();
      const rounds = (await kit.claim(MANY_CALLS)).map((claimed) => ({ claimed, round: claimed.round }));
      for (const { claimed } of rounds) await kit.record(claimed);
      const due = rounds.map(({ claimed, round }) => ({ deliveryId: claimed.deliveryId, round }));
      await kit.dispatch.claimHandOvers({ limit: 50, waitMs: 0 });
      await kit.dispatch.confirmHandOvers({ rounds: due });
      kit.clock.step(MINUTE_MS);
      const claims = () => due.map((round) => kit.dispatch.claimOne({ round, now: false }));
      expect(due).toHaveLength(MANY_CALLS);
      expect(await readBesides("webhooks_queue", claims)).toBe("fulfilled");
    });
  });
});
