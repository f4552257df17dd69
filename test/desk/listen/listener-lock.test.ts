import { type ChildProcess, spawn } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type ListenerLock, lockListener } from "../../../desk/src/listen/listener-lock.ts";

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

describe("the lock of a listener (R-X345)", () => {
  let folder: string;
  let state: string;
  let locks: ListenerLock[];
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), "gh-lock-"));
    state = join(folder, "below", "gateway-subscription.json");
    locks = [];
  });
  afterEach(() => {
    for (const lock of locks) lock.release();
    rmSync(folder, { recursive: true, force: true });
  });
  const lock = (path = state) => locks.push(lockListener(path, "marigold"));
  const files = () => readdirSync(join(folder, "below"));

  it("has the id of the process, and leaves nothing behind", () => {
    lock();
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
    expect(readFileSync(`${state}.lock`, "utf8")).toBe(`${process.pid}\n`);
    locks[0]?.release();
    expect(files()).toEqual([]);
  });

  it("is held once; another place is free", () => {
    lock();
    expect(() => lock()).toThrow(
      `Another listener (process ${process.pid}) listens to marigold with this state folder.`,
    );
    expect(() => lock(`${state}-of-another`)).not.toThrow();
    locks[0]?.release();
    expect(() => lock()).not.toThrow();
  });

  it("is kept by another process that runs, and taken over once it has ended", async () => {
    const child = idle();
    const gone = new Promise((done) => child.once("exit", done));
    lock();
    locks[0]?.release();
    writeFileSync(`${state}.lock`, `${child.pid}\n`);
    const refusal = expect.objectContaining({
      exitCode: 1,
      message: expect.stringContaining(`(process ${child.pid})`),
    });
    try {
      expect(() => lock()).toThrow(refusal);
    } finally {
      child.kill("SIGKILL");
      await gone;
    }
    expect(() => lock()).not.toThrow();
    expect(readFileSync(`${state}.lock`, "utf8")).toBe(`${process.pid}\n`);
  });

  it.each<[string, () => Promise<string>]>([
    ["of an ended process", async () => `${await endedId()}\n`],
    ["of an earlier process that had the same id as this one", async () => `${process.pid}\n`],
    ["without a number", async () => "x"],
    ["that is empty", async () => ""],
  ])("takes over a file %s", async (_, content) => {
    lock();
    locks[0]?.release();
    writeFileSync(`${state}.lock`, await content());
    expect(() => lock()).not.toThrow();
    expect(readFileSync(`${state}.lock`, "utf8")).toBe(`${process.pid}\n`);
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
  });

  it("puts back the file of another that took over at the same time", async () => {
    lock();
    locks[0]?.release();
    writeFileSync(`${state}.lock`, `${await endedId()}\n`);
    // The other takes over while this one learns that the first has ended; later questions are answered truly.
    const asked = jest.spyOn(process, "kill").mockImplementationOnce(() => {
      writeFileSync(`${state}.lock`, `${process.ppid}\n`);
      throw Object.assign(new Error("no such process"), { code: "ESRCH" });
    });
    try {
      expect(() => lock()).toThrow(`Another listener (process ${process.ppid})`);
    } finally {
      asked.mockRestore();
    }
    expect(readFileSync(`${state}.lock`, "utf8")).toBe(`${process.ppid}\n`);
    expect(files()).toEqual(["gateway-subscription.json.lock"]);
  });

  it("that cannot be read or written is refused by a sentence, and leaves nothing behind", () => {
    const refusal = (code: string) =>
      expect.objectContaining({
        name: "CommandError",
        exitCode: 2,
        message: `${state}.lock cannot be written (${code}), so nothing would keep a second listener away.`,
        fix: "Make room there, or name another folder: --state <folder>",
      });
    mkdirSync(`${state}.lock`, { recursive: true });
    expect(() => lock()).toThrow(refusal("EISDIR"));
    expect(files()).toEqual(["gateway-subscription.json.lock"]);

    rmSync(join(folder, "below"), { recursive: true });
    writeFileSync(join(folder, "below"), "");
    expect(() => lock()).toThrow(refusal("EEXIST"));
  });

  it("leaves a file that is another's by now", () => {
    lock();
    writeFileSync(`${state}.lock`, "1\n");
    locks[0]?.release();
    expect(existsSync(`${state}.lock`)).toBe(true);
  });
});
