import { execFile } from "node:child_process";
import { promisify } from "node:util";
import { eventually } from "../../support/eventually.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { openRetryKit, outcomesOf, type RetryKit } from "../retry-kit.ts";

// With the embedded engine alone: Temporal's SDK runs workflows under a timer of Node's that ends the process when no descriptor is left
// (decision 0034).
describe("a worker without free file descriptors", () => {
  withScope((closeLater) => {
    let kit: RetryKit;
    beforeAll(async () => {
      kit = await openRetryKit(closeLater, { flags: { "log-level": "error" } });
    }, 90_000);

    it("spends no attempt while it has no descriptor, first or later, and sends when there is one (R-X142)", async () => {
      const first = await kit.subscriber("unsent-first");
      const later = await kit.subscriber("unsent-later");
      later.receiver.answerNext("reset");
      await later.emit();
      await later.attempts(1);
      const program = present(kit.gatehouse.programs.all);
      const limit = (soft: string) =>
        promisify(execFile)("prlimit", ["--pid", String(program.child.pid), `--nofile=${soft}:`]);
      await limit("3");
      await first.emit();
      const unsent = () => (program.output().match(/Webhooks cannot be sent/g) ?? []).length;
      await eventually(
        async () => unsent(),
        (count) => count > 0,
      );
      const waiting = await first.attempts(0);
      await limit("1024");
      const settled = await Promise.all([first.settled(), later.settled()]);
      expect([waiting.state, ...outcomesOf(waiting)]).toEqual(["DELIVERY_STATE_PENDING"]);
      expect(settled.map((delivery) => [delivery.state, ...outcomesOf(delivery)])).toEqual([
        ["DELIVERY_STATE_DELIVERED", "acknowledged"],
        ["DELIVERY_STATE_DELIVERED", "connection", "acknowledged"],
      ]);
      expect([first, later].map(({ receiver }) => receiver.received.length)).toEqual([1, 2]);
    });
  });
});
