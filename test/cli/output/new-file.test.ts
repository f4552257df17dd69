import { type ChildProcess, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Writable } from "node:stream";
import { writeNewFile } from "../../../src/cli/output/new-file.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";

describe("a new file", () => {
  let folder: string;
  let path: string;
  let running: ChildProcess | undefined;
  beforeEach(() => {
    folder = newFolder("gh-new-file-");
    path = join(folder, "out.jsonl");
  });
  afterEach(() => {
    running?.kill("SIGKILL");
  });
  const filling = (text: string) => async (file: Writable) => void file.write(text);

  it("is whole, and only its owner's", async () => {
    await writeNewFile(path, filling("whole"));
    expect([readFileSync(path, "utf8"), statSync(path).mode & 0o777]).toEqual(["whole", 0o600]);
    expect(readdirSync(folder)).toEqual(["out.jsonl"]);
  });

  it("goes through no name that somebody else can have taken", async () => {
    writeFileSync(join(folder, "precious"), "precious");
    symlinkSync(join(folder, "precious"), `${path}.partial`);
    await writeNewFile(path, filling("ours"));
    expect([readFileSync(join(folder, "precious"), "utf8"), readFileSync(path, "utf8")]).toEqual(["precious", "ours"]);
  });

  it("is one writer's, when two begin at once", async () => {
    const ended = await Promise.allSettled([
      writeNewFile(path, filling("first")),
      writeNewFile(path, filling("second")),
    ]);
    expect(ended.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
    expect(ended.find(({ status }) => status === "rejected")).toMatchObject({
      reason: { exitCode: 2, message: expect.stringContaining(`${path} cannot be written: it was made meanwhile.`) },
    });
    expect(readdirSync(folder)).toEqual(["out.jsonl"]);
  });

  it("is nothing, when what fills it fails", async () => {
    const failing = async (file: Writable) => {
      file.write("half");
      throw new Error("The service went away.");
    };
    await expect(writeNewFile(path, failing)).rejects.toThrow("The service went away.");
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is refused in a directory that is not there", async () => {
    const [missing, never] = [join(folder, "none", "out"), new Promise<void>(() => undefined)];
    await expect(writeNewFile(missing, () => never)).rejects.toMatchObject({
      exitCode: 2,
      message: expect.stringContaining(`${missing} cannot be written: ENOENT.`),
    });
  });

  const SEED = ["src/main.ts", "seed", "--tenants", "100", "--workers", "3000000", "--out"];

  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM", "SIGHUP"])("is nothing, when %s ends the command", async (signal) => {
    running = spawn(process.execPath, [...SEED, path], { stdio: "ignore" });
    const ended = once(running, "exit");
    const begun = await eventually(
      async () => readdirSync(folder),
      ({ length }) => length > 0,
    );
    running.kill(signal);
    expect([begun.length, await ended]).toEqual([1, [null, signal]]);
    expect(readdirSync(folder)).toEqual([]);
  });

  it("is nothing, when a signal comes in the moment in which it is made", () => {
    const endsWhenMade = `
      import fs from "node:fs";
      import { syncBuiltinESMExports } from "node:module";
      const open = fs.openSync;
      fs.openSync = (...given) => {
        const number = open(...given);
        if (String(given[0]).endsWith(".partial")) process.kill(process.pid, "SIGTERM");
        return number;
      };
      syncBuiltinESMExports();`;
    const preload = `data:text/javascript,${encodeURIComponent(endsWhenMade)}`;
    // What ends a command that has had no signal is another one.
    const late = { timeout: 60_000, killSignal: "SIGKILL" } as const;
    const { signal } = spawnSync(process.execPath, ["--import", preload, ...SEED, path], late);
    expect([signal, readdirSync(folder)]).toEqual(["SIGTERM", []]);
  });
});
