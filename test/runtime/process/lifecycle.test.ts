import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { join } from "node:path";
import { Parts } from "../../../src/runtime/process/lifecycle.ts";
import { recordedLog } from "../../support/recorded-log.ts";

describe("the parts of a process", () => {
  it("stop once, last started first, though one of them fails", async () => {
    const stopped: string[] = [];
    const log = recordedLog();
    const parts = new Parts(log);
    for (const name of ["store", "socket", "edge"]) {
      parts.add({
        name,
        async stop() {
          stopped.push(name);
          if (name === "socket") throw new Error("it would not");
        },
      });
    }
    await Promise.all([parts.stop(), parts.stop()]);
    expect(stopped).toEqual(["edge", "socket", "store"]);
    expect(log.lines.map(({ sentence }) => sentence)).toEqual(["socket did not stop cleanly."]);
  });

  it.each([
    ["ahead", 60 * 60 * 1_000],
    ["back", -60 * 60 * 1_000],
  ])("share one grace time, though the clock is set %s meanwhile", async (_where, setMs) => {
    const given: number[] = [];
    const parts = new Parts(recordedLog());
    for (const name of ["store", "edge"]) {
      parts.add({
        name,
        async stop(graceMs) {
          given.push(graceMs);
          jest.advanceTimersByTime(30);
          jest.setSystemTime(Date.now() + setMs);
        },
      });
    }
    jest.useFakeTimers();
    try {
      await parts.stop(1_000);
    } finally {
      jest.useRealTimers();
    }
    expect(given).toEqual([1_000, 970]);
  });
});

describe("signals", () => {
  let running: ChildProcess | undefined;

  afterEach(() => {
    running?.kill("SIGKILL");
  });

  /** A process whose one part stops after so many milliseconds; resolves to exit code and what it printed. */
  const stopped = async (stopMs: number, signals: readonly NodeJS.Signals[]) => {
    const child = spawn(process.execPath, [join(import.meta.dirname, "signalled-process.ts"), String(stopMs)], {
      stdio: ["ignore", "pipe", "inherit"],
    });
    running = child;
    let printed = "";
    child.stdout.on("data", (chunk) => {
      printed += chunk;
      // Each line is answered by the next signal: first "ready", then "stopping".
      const next = signals[printed.split("\n").length - 2];
      if (next !== undefined) child.kill(next);
    });
    const [code] = await once(child, "close");
    return { code, printed: printed.trim().split("\n") };
  };

  it.each<NodeJS.Signals>(["SIGTERM", "SIGINT", "SIGHUP"])("stop the parts and end with 0 on %s", async (signal) => {
    expect(await stopped(20, [signal])).toEqual({ code: 0, printed: ["ready", "stopping", "stopped"] });
  });

  it("end at once with 1 on the second one", async () => {
    expect(await stopped(60_000, ["SIGINT", "SIGINT"])).toEqual({ code: 1, printed: ["ready", "stopping"] });
  });
});
