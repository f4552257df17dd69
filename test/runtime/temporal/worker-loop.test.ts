import { createMetrics } from "../../../src/runtime/basis/metrics.ts";
import { temporalWorker } from "../../../src/runtime/temporal/worker-loop.ts";
import { eventually } from "../../support/eventually.ts";
import { describeWith } from "../../support/optional-part.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { withScope } from "../../support/scope.ts";
import { openTemporal, temporalPart } from "../../support/temporal-server.ts";

describeWith(temporalPart(), "a worker that fails by itself beside a server that is well (R-X74)", () =>
  withScope((closeLater) => {
    it("is degraded with a sentence that does not blame the server, and its error is logged once", async () => {
      const { address } = await openTemporal(closeLater);
      const log = recordedLog();
      const cause = new Error("The bundle cannot be made.");
      let asked = 0;
      const { loop, check } = temporalWorker({
        address,
        namespace: "default",
        apiKey: undefined,
        bundle: async () => {
          asked += 1;
          throw cause;
        },
        activities: {},
        searchAttributes: [],
        activitySlots: 1,
        graceMs: 100,
        log,
        metrics: createMetrics(),
      });
      const ending = new AbortController();
      const running = loop.run(ending.signal);
      await eventually(
        async () => asked,
        (times) => times >= 2,
      );
      const told = await check.check();
      ending.abort();
      await running;
      expect(told).toBe("The Temporal worker cannot run: the log says why.");
      const warnings = log.lines.filter(({ level }) => level === "warn");
      expect(warnings).toEqual([expect.objectContaining({ fields: { detail: told, error: cause } })]);
    }, 60_000);
  }),
);
