import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { eachEngine, type FlagsOf } from "../each-engine.ts";
import { countsOf, type OutageKit, openOutageKit } from "./outage-kit.ts";

const hasEnded = ({ state }: { readonly state: string | undefined }) => state === "finished" || state === "cancelled";

/** What a recovery promises, whatever drives it (R-E10, R-X281, R-X285). */
function contract(flagsOf: FlagsOf): void {
  withScope((closeLater) => {
    let kit: OutageKit;
    beforeAll(async () => {
      kit = await openOutageKit(closeLater, { flags: await flagsOf(closeLater) });
    }, 90_000);

    it("sends what was exhausted while the receiver was down, each once, under the same webhook-ids (R-E10)", async () => {
      const one = await kit.outage("mended", 15);
      expect(countsOf(one)).toEqual(one.events.map(() => 2));
      one.mend();
      const id = await one.recover();
      expect(await kit.recovery(id, hasEnded)).toEqual({
        ...{ state: "finished", matched: 15, sent: 15, acknowledged: 15, failed: 0 },
      });
      expect(countsOf(one)).toEqual(one.events.map(() => 3));
      // Each with a signature that the foreign verifier takes.
      expect(one.receiver.received.flatMap(({ faults }) => faults)).toEqual([]);
    }, 90_000);

    it("pauses, goes on, and is cancelled", async () => {
      const one = await kit.outage("paused", 15);
      const { webhooks } = kit.gatehouse;
      const recoveryId = await one.recover();
      await webhooks.pauseRecovery({ recoveryId });
      one.mend();
      const paused = await kit.recovery(recoveryId, ({ sent, acknowledged, failed }) => sent === acknowledged + failed);
      expect(paused).toMatchObject({ state: "paused", reason: "operator" });
      expect(paused.sent).toBeLessThanOrEqual(10);
      await webhooks.resumeRecovery({ recoveryId });
      expect(await kit.recovery(recoveryId, hasEnded)).toMatchObject({ state: "finished", matched: 15, sent: 15 });
      const again = await one.recover();
      await webhooks.cancelRecovery({ recoveryId: again });
      expect(await kit.recovery(again, hasEnded)).toMatchObject({ reason: "operator" });
    }, 90_000);

    it("pauses itself when the endpoint is still down (R-X284)", async () => {
      const one = await kit.outage("down", 30);
      const id = await one.recover();
      const paused = await kit.recovery(id, ({ state }) => state === "paused");
      expect(paused).toMatchObject({ reason: "endpoint_failing" });
      expect(paused.sent).toBeLessThanOrEqual(30);
      one.mend();
      await kit.gatehouse.webhooks.resumeRecovery({ recoveryId: id });
      expect(await kit.recovery(id, hasEnded)).toMatchObject({ state: "finished", matched: 30, sent: 30 });
    }, 90_000);

    it("goes on when services are killed with -9 in the middle: nothing is lost, and nothing is sent twice (R-X281)", async () => {
      const one = await kit.outage("killed", 25);
      one.mend({ status: 204, delayMs: 300 });
      const id = await one.recover();
      const before = one.receiver.received.length;
      while (one.receiver.received.length < before + 8) await one.receiver.next();
      await kit.gatehouse.programs.services?.end("SIGKILL");
      await kit.gatehouse.restart("services");
      const { acknowledged, failed, ...ended } = await kit.recovery(id, hasEnded);
      expect(ended).toEqual({ state: "finished", matched: 25, sent: 25 });
      expect(acknowledged + failed).toBe(25);
      expect(countsOf(one).filter((count) => count > 3)).toEqual([]);
      // An attempt whose outcome was lost counts as failed, and says so: another recovery sends it.
      const second = await one.recover();
      expect(await kit.recovery(second, hasEnded)).toMatchObject({
        state: "finished",
        matched: failed,
        acknowledged: failed,
      });
      const { deliveries } = await kit.gatehouse.webhooks.listDeliveries({
        ...{ subscriptionId: one.subscriptionId, states: [], limit: 500 },
      });
      expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => "DELIVERY_STATE_DELIVERED"));
      expect(countsOf(one).filter((count) => count < 3)).toEqual([]);
      expect(deliveries).toHaveLength(25);
      expect(present(deliveries[0]).attempts.map(({ round }) => round)).toEqual(expect.arrayContaining([1, 1, 2]));
    }, 120_000);
  });
}

eachEngine("recoveries", contract);
