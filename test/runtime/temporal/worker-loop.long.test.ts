import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { type ResourceBasedSlotsForType, type TunerHolder, Worker, type WorkerOptions } from "@temporalio/worker";
import type { Pass } from "../../../src/runtime/process/loop.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { temporalWorker } from "../../../src/runtime/temporal/worker-loop.ts";
import { workflowBundle } from "../../../src/runtime/temporal/workflow-bundle.ts";
import { eventually } from "../../support/eventually.ts";
import { openFaultProxy } from "../../support/fault-proxy.ts";
import { describeWith } from "../../support/optional-part.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { withScope } from "../../support/scope.ts";
import { steadyCredentials } from "../../support/steady-credentials.ts";
import { openTemporal, temporalPart } from "../../support/temporal-server.ts";

const ROOT = join(import.meta.dirname, "..", "..", "..");

/** Which of a worker's two queues is asked again first is chance: of so many workers one is wrong. */
const WORKERS = 6;
/** The server answers a poll for which it has nothing after a minute. */
const QUIET_MS = 65_000;
const NOTICED_MS = 25_000;

/** The slots of a worker, where processors are never idle enough for more than its least. */
function withoutRoom(tuner: WorkerOptions["tuner"]): TunerHolder {
  const workflowTaskSlotSupplier = {
    ...(tuner as TunerHolder).workflowTaskSlotSupplier,
    tunerOptions: { targetCpuUsage: 0.001, targetMemoryUsage: 1 },
  } as ResourceBasedSlotsForType;
  return { ...(tuner as TunerHolder), workflowTaskSlotSupplier };
}

/** What every worker here is made with, unless a test says otherwise. */
const defaults = () => ({
  namespace: "default",
  credentials: steadyCredentials(),
  bundle: () => workflowBundle(join(ROOT, "workflows", "index.ts"), join(ROOT, ".cache", "workflows")),
  failureConverterPath: join(ROOT, "workflows", "failure-converter.ts"),
  activities: {},
  searchAttributes: [],
  activitySlots: 1,
  graceMs: 100,
  log: recordedLog(),
  metrics: createMetrics(),
});

describeWith(temporalPart(), "a worker that fails by itself beside a server that is well (R-X74)", () =>
  withScope((closeLater) => {
    it("is degraded with a sentence that does not blame the server, and its error is logged once", async () => {
      const { address } = await openTemporal(closeLater);
      const log = recordedLog();
      const cause = new Error("The bundle cannot be made.");
      let asked = 0;
      const { loop, check } = temporalWorker({
        ...defaults(),
        address,
        bundle: async () => {
          asked += 1;
          throw cause;
        },
        log,
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
      expect([told, check.degrades]).toEqual(["The Temporal worker cannot run: the log says why.", true]);
      const warnings = log.lines.filter(({ level }) => level === "warn");
      expect(warnings).toEqual([expect.objectContaining({ fields: { detail: told, error: cause } })]);
    });
  }),
);

describeWith(temporalPart(), "a worker that comes when it is no longer wanted", () =>
  withScope((closeLater) => {
    it.each([
      ["the loop was asked to end", true],
      ["its pass was late", false],
    ])("is shut down, since %s", async (_, isEnding) => {
      const { address } = await openTemporal(closeLater);
      const log = recordedLog();
      const made: Worker[] = [];
      const coming = Promise.withResolvers<void>();
      const { loop } = temporalWorker({
        ...defaults(),
        address,
        log,
        async create(options) {
          const worker = await Worker.create(options);
          made.push(worker);
          await coming.promise;
          return worker;
        },
      });
      const ending = new AbortController();
      const late = new AbortController();
      const pass: Pass = (work) => {
        const missed = new Promise<never>((__, reject) => {
          late.signal.addEventListener("abort", () => reject(new Error("The pass missed its deadline.")));
        });
        return Promise.race([work(AbortSignal.any([ending.signal, late.signal])), missed]);
      };
      const running = loop.run(ending.signal, pass);
      await eventually(
        async () => made.length,
        (count) => count === 1,
      );
      if (!isEnding) late.abort();
      ending.abort();
      await running;
      coming.resolve();
      const state = await eventually(
        async () => made[0]?.getState(),
        (found) => found === "STOPPED",
      );
      expect(state).toBe("STOPPED");
      expect(log.lines.filter(({ sentence }) => sentence === "The connection to Temporal was not closed.")).toEqual([]);
    });
  }),
);

describeWith(temporalPart(), "what a worker runs at once (R-X359)", () =>
  withScope((closeLater) => {
    it("does not depend on the processors for activities, and for workflow tasks on all of the machine's", async () => {
      const { address } = await openTemporal(closeLater);
      const asked: WorkerOptions[] = [];
      const { loop, check } = temporalWorker({
        ...defaults(),
        address,
        activitySlots: 7,
        create(options) {
          asked.push(options);
          return Worker.create(options);
        },
      });
      const ending = new AbortController();
      const running = loop.run(ending.signal);
      await eventually(
        () => check.check(),
        (trouble) => trouble === undefined,
      );
      ending.abort();
      await running;
      expect(asked).toHaveLength(1);
      expect(asked[0]?.tuner).toMatchObject({
        activityTaskSlotSupplier: { type: "fixed-size", numSlots: 7 },
        workflowTaskSlotSupplier: {
          type: "resource-based",
          // A worker of which nothing but the processors' load is known still makes progress.
          minimumSlots: 6,
          maximumSlots: 40,
          tunerOptions: { targetCpuUsage: 0.6, targetMemoryUsage: 1 },
        },
      });
    });
  }),
);

describeWith(temporalPart(), "a worker on a machine without room, after a quiet minute (R-X359)", () =>
  withScope((closeLater) => {
    it("still asks for workflows that are new: none waits for the end of the asking for others", async () => {
      const { address, client } = await openTemporal(closeLater);
      const queues = Array.from({ length: WORKERS }, (_, n) => `quiet-${n}`);
      for (const taskQueue of queues) {
        const { loop, check } = temporalWorker({
          ...defaults(),
          address,
          activities: { expireCodes: async () => ({ expired: 0, more: false }) },
          create: (options) => Worker.create({ ...options, taskQueue, tuner: withoutRoom(options.tuner) }),
        });
        const ending = new AbortController();
        const running = loop.run(ending.signal);
        closeLater(async () => {
          ending.abort();
          await running;
        });
        await eventually(
          () => check.check(),
          (trouble) => trouble === undefined,
        );
      }
      await sleep(QUIET_MS);
      const isNoticed = async (taskQueue: string) => {
        const args = [{ minute: "2026-11-20T07:05Z" }];
        const started = await client.workflow.start("authorizationCodeExpiry", {
          taskQueue,
          workflowId: taskQueue,
          args,
        });
        const status = async () => (await started.describe()).status.name;
        return eventually(status, (name) => name === "COMPLETED", NOTICED_MS);
      };
      expect(await Promise.all(queues.map(isNoticed))).toEqual(queues.map(() => "COMPLETED"));
    }, 180_000);
  }),
);

describeWith(temporalPart(), "a server that falls silent before its first check is answered", () =>
  withScope((closeLater) => {
    it("does not delay the end", async () => {
      const [host = "", port] = (await openTemporal(closeLater)).address.split(":");
      const proxy = await openFaultProxy(closeLater, { target: { host, port: Number(port) } });
      const { loop } = temporalWorker({
        ...defaults(),
        address: `127.0.0.1:${proxy.port}`,
        bundle: async () => {
          throw new Error("The bundle is not asked for.");
        },
      });
      const ending = new AbortController();
      const isChecking = Promise.withResolvers<void>();
      let passes = 0;
      // The first connects, the second checks.
      const pass: Pass = (work) => {
        passes++;
        if (passes === 2) {
          proxy.silence();
          isChecking.resolve();
        }
        return work(ending.signal);
      };
      const running = loop.run(ending.signal, pass);
      await isChecking.promise;
      ending.abort();
      const first = await Promise.race([running.then(() => "the end"), sleep(3_000, "the check's own deadline")]);
      expect([first, passes]).toEqual(["the end", 2]);
    });
  }),
);
