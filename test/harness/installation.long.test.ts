import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { createServer } from "node:net";
import { startInstallation } from "../../harness/installation.ts";
import { eventually } from "../support/eventually.ts";
import { newFolder } from "../support/folder.ts";

describe("an installation of the harness", () => {
  let directory: string;
  beforeEach(() => {
    directory = newFolder("gh-harness-");
  });
  afterEach(() => {
    for (const id of running()) process.kill(id, "SIGKILL");
  });

  /** Processes of the installation: its directory is in their arguments. */
  const running = (): readonly number[] =>
    execFileSync("ps", ["-eo", "pid=,args="], { encoding: "utf8" })
      .split("\n")
      .filter((line) => line.includes(`--data-directory=${directory}`))
      .map((line) => Number.parseInt(line, 10));

  it("is reported when a signal ends it before it is ready", async () => {
    const started = expect(startInstallation(directory)).rejects.toThrow("ended before it was ready");
    const [id = 0] = await eventually(
      async () => running(),
      (ids) => ids.length > 0,
    );
    process.kill(id, "SIGKILL");
    await started;
    expect(existsSync(directory)).toBe(false);
  });

  it("is stopped, also when a signal has ended it", async () => {
    const installation = await startInstallation(directory);
    for (const id of running()) process.kill(id, "SIGKILL");
    await eventually(
      async () => running(),
      (ids) => ids.length === 0,
    );
    await installation.stop();
    expect(existsSync(directory)).toBe(false);
  });

  it("leaves no process and no folder when its second role cannot start", async () => {
    const taken = createServer();
    const port = await new Promise<number>((done) =>
      taken.listen(0, () => done((taken.address() as { port: number }).port)),
    );
    const settings = { "public-port": String(port) };
    try {
      await expect(startInstallation(directory, false, { apart: true, settings })).rejects.toThrow("ended before");
    } finally {
      taken.close();
    }
    expect([running(), existsSync(directory)]).toEqual([[], false]);
  });
});
