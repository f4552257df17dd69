import { type ChildProcess, spawn } from "node:child_process";
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { lockListener } from "../../../desk/src/listen/listener-lock.ts";
import type { ProcessLock } from "../../../desk/src/process-lock.ts";
import { newFolder } from "../../support/folder.ts";

/** A process that does nothing until it is killed. */
const idle = (): ChildProcess => spawn(process.execPath, ["-e", "setInterval(() => {}, 1000)"], { stdio: "ignore" });

/** The id of a process that has ended. */
async function endedId(): Promise<number> {
  const child = idle();
  const gone = new Promise((done) => child.once("exit", done));
  child.kill("SIGKILL");
  await gone;
  return child.pid as number;
}

const PROGRAM = join(import.meta.dirname, "taking-process.ts");
const STEP_BY_STEP = join(import.meta.dirname, "..", "..", "support", "step-by-step.mjs");

/** Processes that take the lock of a state file and keep it. One that goes step by step waits before each use of a file. */
function takers(state: string) {
  const children: ChildProcess[] = [];
  return {
    begin(flags: readonly string[] = []) {
      const child = spawn(process.execPath, [...flags, PROGRAM, state], {
        env: { ...process.env, STEPS_IN: state },
        stdio: ["pipe", "pipe", "inherit"],
      });
      children.push(child);
      const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
      return { said: async () => String((await lines.next()).value), goOn: () => child.stdin.write("\n") };
    },
    async end() {
      const gone = children.map((child) => new Promise((done) => child.once("exit", done)));
      for (const child of children) child.kill("SIGKILL");
      await Promise.all(gone);
    },
  };
}

/**
 * One process goes step by step; before its step `second` another has begun and answered, before the step after it a third one.
 * @returns what all of them said, and how many steps the first one took.
 */
async function takenByThree(state: string, second: number) {
  const all = takers(state);
  try {
    const answers: string[] = [];
    const first = all.begin(["--import", STEP_BY_STEP]);
    let steps = 0;
    let said = await first.said();
    while (said === "step") {
      steps += 1;
      if (steps === second || steps === second + 1) answers.push(await all.begin().said());
      first.goOn();
      said = await first.said();
    }
    return { answers: [said, ...answers], steps };
  } finally {
    await all.end();
  }
}

describe("the lock of a listener (R-X345)", () => {
  let folder: string;
  let state: string;
  let locks: ProcessLock[];
  beforeEach(() => {
    folder = newFolder("gh-lock-");
    state = join(folder, "below", "gateway-subscription.json");
    locks = [];
  });
  afterEach(() => {
    for (const lock of locks) lock.release();
  });
  const lock = (path = state) => locks.push(lockListener(path, "marigold"));
  const files = () => readdirSync(join(folder, "below"));
  /** What is in the lock, which is a folder. */
  const owners = () => readdirSync(`${state}.lock`).map((name) => Number(name.split("-")[0]));
  /** What listeners of earlier versions made. */
  const leaveFile = (text: string) => {
    mkdirSync(dirname(state), { recursive: true });
    writeFileSync(`${state}.lock`, text);
  };
  const leave = (name: string) => {
    mkdirSync(`${state}.lock`, { recursive: true });
    writeFileSync(join(`${state}.lock`, name), "");
  };

  it("has the id of the process, and leaves nothing behind", () => {
    lock();
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
    expect(owners()).toEqual([process.pid]);
    locks[0]?.release();
    expect(files()).toEqual([]);
  });

  it("is one listener's; another place is free", () => {
    lock();
    expect(() => lock()).toThrow(
      `Another listener (process ${process.pid}) listens to marigold with this state folder.`,
    );
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
    expect(() => lock(`${state}-of-another`)).not.toThrow();
    locks[0]?.release();
    expect(() => lock()).not.toThrow();
  });

  it("is kept by another process that runs, and taken over once it has ended", async () => {
    const other = takers(state);
    expect(await other.begin().said()).toBe("owner");
    const [owner] = owners();
    const refusal = expect.objectContaining({ exitCode: 1, message: expect.stringContaining(`(process ${owner})`) });
    try {
      expect(() => lock()).toThrow(refusal);
    } finally {
      await other.end();
    }
    expect(() => lock()).not.toThrow();
    expect(owners()).toEqual([process.pid]);
  });

  it.each<[string, () => Promise<void>]>([
    ["of an ended process", async () => leave(`${await endedId()}-0123456789ab`)],
    ["of an earlier process that had the same id as this one", async () => leave(`${process.pid}-0123456789ab`)],
    ["that an earlier version left, a file", async () => leaveFile(`${await endedId()}\n`)],
    ["of an earlier version's process that had the same id as this one", async () => leaveFile(`${process.pid}\n`)],
    ["that has no owner any more", async () => void mkdirSync(`${state}.lock`, { recursive: true })],
  ])("takes over a lock %s", async (_, leaveOne) => {
    await leaveOne();
    expect(() => lock()).not.toThrow();
    expect(owners()).toEqual([process.pid]);
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
  });

  it("leaves the lock of an earlier version whose process runs", async () => {
    const child = idle();
    leaveFile(`${child.pid}\n`);
    try {
      expect(() => lock()).toThrow(
        expect.objectContaining({ message: expect.stringContaining(`(process ${child.pid})`) }),
      );
    } finally {
      child.kill("SIGKILL");
    }
    expect(readFileSync(`${state}.lock`, "utf8")).toBe(`${child.pid}\n`);
  });

  it.each<[string, (ended: number, second: number) => void]>([
    ["", (ended, second) => leave(`${ended}-${String(second).padStart(12, "0")}`)],
    [
      "the file of an earlier version ",
      (ended) => {
        rmSync(`${state}.lock`, { recursive: true, force: true });
        leaveFile(`${ended}\n`);
      },
    ],
  ])(
    "has one owner when three take over %sat once, whatever one has done when the others begin",
    async (_, leaveOne) => {
      const counted: number[] = [];
      const ended = await endedId();
      for (let second = 1, steps = 1; second <= steps; second += 1) {
        leaveOne(ended, second);
        const taken = await takenByThree(state, second);
        counted.push(taken.answers.filter((answer) => answer === "owner").length);
        steps = taken.steps;
      }
      expect(counted.length).toBeGreaterThan(4);
      expect(counted).toEqual(counted.map(() => 1));
    },
  );

  it("that cannot be made is refused by a sentence, and leaves nothing behind", () => {
    const refusal = (code: string) =>
      expect.objectContaining({
        name: "CommandError",
        exitCode: 2,
        message: `${state}.lock cannot be made (${code}), so nothing would keep a second listener away.`,
        fix: "Make room there, or name another folder: --state <folder>",
      });
    leave("of-somebody-else");
    expect(() => lock()).toThrow(refusal("ENOTEMPTY"));
    expect(files()).toEqual(["gateway-subscription.json.lock"]);

    rmSync(`${state}.lock`, { recursive: true });
    leaveFile("of somebody else");
    expect(() => lock()).toThrow(refusal("ENOTDIR"));
    expect(files()).toEqual(["gateway-subscription.json.lock"]);

    rmSync(join(folder, "below"), { recursive: true });
    writeFileSync(join(folder, "below"), "");
    expect(() => lock()).toThrow(refusal("EEXIST"));
  });

  it("leaves one that is another's by now", () => {
    lock();
    rmSync(`${state}.lock`, { recursive: true });
    leave("1-0123456789ab");
    locks[0]?.release();
    expect(owners()).toEqual([1]);
  });
});
