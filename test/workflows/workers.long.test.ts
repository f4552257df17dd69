import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { openTemporal, temporalPart } from "../support/temporal-server.ts";
import { openRetryKit, outcomesOf } from "../webhooks/retry-kit.ts";

describeWith(temporalPart(), "workers on a real server", () =>
  withScope((closeLater) => {
    it("two side by side, one killed with -9 in the middle of a POST: at most three POSTs, and the row is final (R-E8)", async () => {
      const { address } = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { separate: true, flags: { "temporal-address": address } });
      const { programs } = kit.gatehouse;
      const first = programs.worker;
      closeLater(async () => void (await first?.end("SIGKILL")));
      await kit.gatehouse.restart("worker");
      const one = await kit.subscriber("side-by-side");
      one.receiver.answerNext({ status: 500 }, "silence");
      await one.emit();
      await one.receiver.next();
      await one.receiver.next();
      await first?.end("SIGKILL");
      const delivery = await one.settled(60_000);
      const [, second, ...rest] = outcomesOf(delivery);
      expect(delivery.state).toBe("DELIVERY_STATE_DELIVERED");
      // Which of the two had it is chance: lost with the one, or out of time at the other.
      expect(["lost", "timeout"]).toContain(second);
      expect(rest).toEqual(["acknowledged"]);
      expect(one.receiver.received).toHaveLength(3);
    }, 120_000);

    it("one that is asked to stop lets the POST under way end, and reports how", async () => {
      const { address } = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": address } });
      const one = await kit.subscriber("stopped");
      one.receiver.answerNext({ status: 500 }, { status: 204, delayMs: 1_000 });
      await one.emit();
      await one.receiver.next();
      await one.receiver.next();
      expect(await kit.gatehouse.programs.all?.end("SIGTERM")).toBe(0);
      await kit.gatehouse.restart("all");
      expect(outcomesOf(await one.settled())).toEqual(["refused", "acknowledged"]);
      expect(one.receiver.received).toHaveLength(2);
    }, 90_000);
  }),
);
