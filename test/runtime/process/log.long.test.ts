import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { existsSync, readFileSync, renameSync, rmSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { setImmediate as turn } from "node:timers/promises";
import { CannotStart } from "../../../src/runtime/basis/errors.ts";
import { createLog, type Log, type LogLevel } from "../../../src/runtime/process/log.ts";
import { eventually } from "../../support/eventually.ts";
import { newStoreFolder } from "../../support/memory.ts";
import { describeWith } from "../../support/optional-part.ts";

const CANARY = "c4n4ry-secret";
const LOST = "Lines of this log were lost: it took none, and too many waited.";

async function someTurns(): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await turn();
}

/** Waits for what the system's threads do; the timers are not the machine's here. */
async function eventuallyByTurns(isSo: () => boolean): Promise<void> {
  for (let turns = 0; turns < 100_000 && !isSo(); turns++) await turn();
}

describe("the log", () => {
  let folder: string;
  let destination: string;

  beforeEach(async () => {
    folder = await newStoreFolder("gh-log-");
    destination = join(folder, "logs", "gatehouse.log");
  });

  afterEach(() => rmSync(folder, { recursive: true }));

  /** A log with its lines as the file has them. */
  const open = (level: LogLevel = "debug") => {
    const log = createLog({ level, destination });
    const text = () => {
      log.flush();
      return readFileSync(destination, "utf8");
    };
    const lines = () =>
      text()
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
    return { log, text, lines };
  };

  it("writes JSON lines with level, time, sentence and the allowed fields, to a private file", async () => {
    const { log, lines } = open();
    log.info("Answered.", {
      requestId: "req_1",
      method: "GET",
      operationId: "listWorkers",
      status: 200,
      durationMs: 1.5,
    });
    expect(lines()).toEqual([
      {
        level: 30,
        time: expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/),
        msg: "Answered.",
        requestId: "req_1",
        method: "GET",
        operationId: "listWorkers",
        status: 200,
        durationMs: 1.5,
      },
    ]);
    expect(statSync(destination).mode & 0o777).toBe(0o600);
  });

  describe("whose file is moved away, as tools that rotate logs do it (R-X385),", () => {
    beforeEach(
      () => void jest.useFakeTimers({ doNotFake: ["setImmediate", "performance", "nextTick", "queueMicrotask"] }),
    );
    afterEach(() => void jest.useRealTimers());

    const moved = () => join(folder, "logs", "gatehouse.log.1");
    const msgs = (path: string) =>
      readFileSync(path, "utf8")
        .split("\n")
        .filter((line) => line !== "")
        .map((line) => JSON.parse(line).msg);

    it("goes on in a new private file at its path, within seconds", async () => {
      const { log } = open();
      log.info("One.");
      log.flush();
      renameSync(destination, moved());
      jest.advanceTimersByTime(5_000);
      await eventuallyByTurns(() => {
        log.info("Two.");
        log.flush();
        return existsSync(destination) && msgs(destination).length > 0;
      });
      const atTheEnd = msgs(moved()).length;
      log.info("Three.");
      log.flush();
      expect([msgs(moved())[0], msgs(destination).at(-1), msgs(moved()).length]).toEqual(["One.", "Three.", atTheEnd]);
      expect(statSync(destination).mode & 0o777).toBe(0o600);
    });

    it("stays with the moved file while none can be made at its path", async () => {
      const { log } = open();
      log.info("One.");
      log.flush();
      renameSync(join(folder, "logs"), join(folder, "away"));
      jest.advanceTimersByTime(5_000);
      await someTurns();
      log.info("Two.");
      log.flush();
      expect(msgs(join(folder, "away", "gatehouse.log"))).toEqual(["One.", "Two."]);
    });
  });

  it("drops every field that is not on its list, wherever it came from (S50)", async () => {
    const { log, text, lines } = open();
    const smuggled = { password: CANARY, headers: { authorization: CANARY }, requestId: "req_1" };
    log.info("Answered.", smuggled);
    expect(lines()[0]).toMatchObject({ requestId: "req_1" });
    expect(text()).not.toContain(CANARY);
  });

  it("writes of an error its name, message and stack, and its cause's message, and omits what libraries attach (S50)", async () => {
    const { log, text, lines } = open();
    const error = Object.assign(new TypeError("It broke.", { cause: new Error("The disk is full.") }), {
      config: { headers: { cookie: CANARY } },
      request: CANARY,
    });
    log.error("A call failed.", { error });
    expect(lines()[0]).toMatchObject({
      error: { name: "TypeError", message: "It broke.", stack: expect.stringContaining("log.long.test.ts") },
      cause: "The disk is full.",
    });
    expect(text()).not.toContain(CANARY);
  });

  it("writes only the kind of a thrown value that is not an error", async () => {
    const { log, text, lines } = open();
    log.error("A call failed.", { error: CANARY });
    log.error("A call failed.", { error: { token: CANARY } });
    expect(lines().map(({ error }) => error)).toEqual([{ name: "string" }, { name: "object" }]);
    expect(text()).not.toContain(CANARY);
  });

  it("keeps each entry on one line, whatever a field contains", async () => {
    const { log, lines } = open();
    log.warn("Odd.", { detail: 'two\nlines\r\n{"level":60}' });
    expect(lines()).toMatchObject([{ detail: 'two\nlines\r\n{"level":60}' }]);
  });

  it.each<[LogLevel, string[]]>([
    ["debug", ["d", "i", "w", "e"]],
    ["warn", ["w", "e"]],
    ["silent", []],
  ])("writes at level %s entries of that level and above", async (level, written) => {
    const { log, lines } = open(level);
    log.debug("d");
    log.info("i");
    log.warn("w");
    log.error("e");
    expect(lines().map(({ msg }) => msg)).toEqual(written);
  });

  it("refuses a file that cannot be opened, in one line that names the setting", () => {
    writeFileSync(join(folder, "logs"), "a file where the directory should be");
    const opening = () => createLog({ level: "info", destination });
    expect(opening).toThrow(CannotStart);
    expect(opening).toThrow(
      `The log file ${destination} cannot be written (EEXIST). Make its directory writable or set log-destination.`,
    );
  });

  (existsSync("/dev/full") ? it : it.skip)("loses lines when the disk is full, and the process lives", async () => {
    const log = createLog({ level: "info", destination: "/dev/full" });
    for (let count = 0; count < 100; count++) log.info("Answered.", { detail: "x".repeat(100) });
    // The stream writes and fails by itself in this time; nothing shows when, since lines are lost in silence.
    await new Promise((resolve) => setTimeout(resolve, 100));
    expect(() => log.flush()).not.toThrow();
  });

  describe("that lost lines (R-X402)", () => {
    const counted = (lines: readonly Record<string, unknown>[]) => lines.filter(({ msg }) => msg === LOST);
    const eventuallyCounted = () =>
      eventually(
        async () => readFileSync(destination, "utf8"),
        (text) => text.includes(LOST),
      );

    it.each([
      // Its end waits for a second, and a busy disk may take longer for four megabytes.
      ["as soon as it takes lines again", (log: Log) => eventuallyCounted().then(() => log.end())],
      ["before a process ends in a hurry", async (log: Log) => log.flush()],
    ])("says how many, %s, and each was reported", async (_, ending) => {
      const onLost = jest.fn<void, []>();
      const log = createLog({ level: "error", destination, onLost });
      for (let count = 0; count < 10_000; count++) log.error("Failed.", { detail: "x".repeat(1_000) });
      await ending(log);
      const lines = readFileSync(destination, "utf8")
        .trimEnd()
        .split("\n")
        .map((line) => JSON.parse(line) as Record<string, unknown>);
      const written = lines.filter(({ msg }) => msg === "Failed.").length;
      expect(written).toBeLessThan(10_000);
      expect(onLost).toHaveBeenCalledTimes(10_000 - written);
      expect(counted(lines)).toMatchObject([{ level: 50, count: 10_000 - written }]);
      expect(counted(lines)).toEqual([lines.at(-1)]);
    });

    it("says it when its reader is back, once", async () => {
      const program = `
        import { createLog } from "./src/runtime/process/log.ts";
        process.stdin.resume().on("end", () => process.exit(0));
        const log = createLog({ level: "info", destination: "stdout" });
        for (let count = 0; count < 10_000; count++) log.info("Answered.", { detail: "x".repeat(1_000) });
        process.stderr.write("written");`;
      const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
        stdio: ["pipe", "pipe", "pipe"],
        timeout: 60_000,
        killSignal: "SIGKILL",
      });
      await once(child.stderr, "data");
      const lines: Record<string, unknown>[] = [];
      for await (const line of createInterface({ input: child.stdout })) {
        lines.push(JSON.parse(line) as Record<string, unknown>);
        if (line.includes('"count":')) child.stdin.end();
      }
      expect(counted(lines)).toMatchObject([{ count: 10_000 - lines.length + 1 }]);
    });
  });

  it("loses no line of a process that ends while earlier lines are being written", () => {
    const program = `
      import { createLog } from "./src/runtime/process/log.ts";
      const log = createLog({ level: "info", destination: "stdout" });
      log.info("Answered.", { detail: "x".repeat(5_000) });
      log.info("Stopped.");
      await log.end();
      process.exit(0);`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
      encoding: "utf8",
    });
    expect(stdout).toContain('"msg":"Stopped."');
  });

  describe("of a process whose standard output is a pipe that is not read (R-X396)", () =>
    it.each([
      ["in order", "await log.end(); process.exit(0);"],
      ["in a hurry", "log.flush(); process.exit(0);"],
      ["at once, after lines that waited long", "await sleep(500); process.exit(0);"],
    ])("lets it end, %s", async (_, ending) => {
      const program = `
        import { setTimeout as sleep } from "node:timers/promises";
        import { createLog } from "./src/runtime/process/log.ts";
        process.stdout.on("error", () => undefined);
        const log = createLog({ level: "info", destination: "stdout" });
        for (let count = 0; count < 3_000; count++) log.info("Answered.", { detail: "x".repeat(1_000) });
        ${ending}`;
      const child = spawn(process.execPath, ["--input-type=module-typescript", "--eval", program], {
        stdio: ["ignore", "pipe", "ignore"],
        timeout: 60_000,
        killSignal: "SIGKILL",
      });
      expect(await once(child, "exit")).toEqual([0, null]);
    }));

  describeWith(
    { name: "a full disk", missing: existsSync("/dev/full") ? undefined : "There is no /dev/full." },
    "of a process whose disk is full (R-X396)",
    () =>
      it.each([
        ["when it was told so before, in order", "await sleep(1_500); await log.end(); process.exit(0);"],
        ["when it was told so before, in a hurry", "await sleep(1_500); log.flush(); process.exit(0);"],
        ["when its last lines find it out", "await log.end(); process.exit(0);"],
        ["when its last lines find it out in a hurry", "log.flush(); process.exit(0);"],
        ["when it ends by itself", "await sleep(1_500);"],
      ])("lets it end, %s", (_, ending) => {
        const program = `
          import { setTimeout as sleep } from "node:timers/promises";
          import { createLog } from "./src/runtime/process/log.ts";
          const log = createLog({ level: "info", destination: "/dev/full" });
          for (let count = 0; count < 3; count++) log.info("Answered.", { detail: "x".repeat(100) });
          ${ending}`;
        const { status } = spawnSync(process.execPath, ["--input-type=module-typescript", "--eval", program], {
          timeout: 60_000,
        });
        expect(status).toBe(0);
      }),
  );
});
