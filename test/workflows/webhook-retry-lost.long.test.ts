import { setTimeout as sleep } from "node:timers/promises";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { temporalPart } from "../support/temporal-server.ts";
import { outcomesOf } from "../webhooks/retry-kit.ts";
import { openTroubleKit, type TroubleKit } from "./trouble.ts";

describeWith(temporalPart(), "a delivery whose workflow is lost", () => {
  withScope((closeLater) => {
    let setup: TroubleKit;
    beforeAll(async () => {
      setup = await openTroubleKit(closeLater);
    }, 90_000);

    it("is started again when it was terminated: the delivery continues (R-X71)", async () => {
      const { handle, settled, receiver } = await setup.inTrouble("terminated");
      await handle.terminate("pressed");
      const delivery = await settled(80_000);
      expect([delivery.state, ...outcomesOf(delivery)]).toEqual([
        "DELIVERY_STATE_DELIVERED",
        "refused",
        "acknowledged",
      ]);
      expect(receiver.received).toHaveLength(2);
    }, 100_000);

    it("continues when the server was killed and comes back with its store", async () => {
      const { settled, receiver } = await setup.inTrouble("server-killed");
      await setup.temporal.end("SIGKILL");
      // Long enough for the worker to meet the server away: its calls fail in this time, and no state shows each of them.
      await sleep(1_000);
      const health = await (await fetch(`${setup.kit.gatehouse.managementUrl}/health/live`)).json();
      await setup.temporal.start();
      expect(health).toEqual({ status: "live" });
      expect(outcomesOf(await settled(40_000))).toEqual(["refused", "acknowledged"]);
      expect(receiver.received).toHaveLength(2);
    }, 90_000);

    it("loses no delivery when the server comes back empty", async () => {
      const { settled, receiver } = await setup.inTrouble("emptied");
      await setup.temporal.end("SIGKILL");
      await setup.temporal.start({ emptied: true });
      expect(outcomesOf(await settled(90_000))).toEqual(["refused", "acknowledged"]);
      expect(receiver.received).toHaveLength(2);
    }, 120_000);
  });
});
