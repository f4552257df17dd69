import { execFileSync, spawnSync } from "node:child_process";
import { chmodSync, cpSync, existsSync, mkdirSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

/** What the script calls; a machine's own `temporal` must not be among it. */
const COMMANDS = ["dirname", "find", "head", "id", "sed", "sort"];

describe("tools/temporal-cli.sh", () => {
  let root: string;
  beforeEach(() => {
    root = newFolder("gh-temporal-cli-");
    for (const folder of ["tools", "bin", "tmp"]) mkdirSync(join(root, folder));
    cpSync("tools/temporal-cli.sh", join(root, "tools", "temporal-cli.sh"));
    for (const name of COMMANDS) {
      const path = execFileSync("sh", ["-c", `command -v ${name}`], { encoding: "utf8" }).trim();
      symlinkSync(path, join(root, "bin", name));
    }
  });

  /** A `temporal` that leaves a trace when it is run. */
  const put = (path: string, mode = 0o755) => {
    writeFileSync(
      path,
      `#!/bin/sh\n: >${join(root, "ran")}\necho "temporal version 0.0.0 (Server 1.31.0, UI 2.0.0)"\n`,
    );
    chmodSync(path, mode);
  };
  const look = () => {
    const shell = execFileSync("sh", ["-c", "command -v sh"], { encoding: "utf8" }).trim();
    const env = { PATH: join(root, "bin"), TMPDIR: join(root, "tmp") };
    const { status, stdout, stderr } = spawnSync(shell, [join(root, "tools", "temporal-cli.sh"), "--found-only"], {
      encoding: "utf8",
      env,
    });
    return { status, stdout: stdout.trim(), stderr, hasRun: existsSync(join(root, "ran")) };
  };
  const downloaded = () => join(root, "tmp", "temporal-sdk-typescript-1.24.0");

  it("finds what the Temporal SDK downloaded for us", () => {
    put(downloaded());
    expect(look()).toEqual({ status: 0, stdout: downloaded(), stderr: "", hasRun: true });
  });

  it.each([
    ["that its group may write", 0o775],
    ["that everybody may write", 0o757],
  ])("does not run a file of the temporary directory %s", (_, mode) => {
    put(downloaded(), mode);
    expect(look()).toMatchObject({ status: 3, stdout: "", hasRun: false });
  });

  it("does not follow a link of the temporary directory", () => {
    put(join(root, "elsewhere"));
    symlinkSync(join(root, "elsewhere"), downloaded());
    expect(look()).toMatchObject({ status: 3, stdout: "", hasRun: false });
  });

  it("says what to do when there is none", () => {
    const { status, stderr } = look();
    expect(status).toBe(3);
    expect(stderr).toContain("There is no temporal binary. Install the Temporal CLI");
  });
});
