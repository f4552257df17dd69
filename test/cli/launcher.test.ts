import { spawnSync } from "node:child_process";
import { mkdirSync, symlinkSync } from "node:fs";
import { join, resolve } from "node:path";
import { newFolder } from "../support/folder.ts";
import { describeWith } from "../support/optional-part.ts";

const LAUNCHER = resolve("bin/gatehouse");

/** Runs the launcher as a shell does, with words before it for the shell itself. */
const launch = (
  words: readonly string[],
  { env = {}, cwd = "." }: { env?: Record<string, string>; cwd?: string } = {},
) => spawnSync("sh", words, { encoding: "utf8", cwd, env: { PATH: process.env.PATH, HOME: process.env.HOME, ...env } });

describe("bin/gatehouse", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-launcher-");
  });

  it("starts where CDPATH is exported, with which cd prints and may look elsewhere", () => {
    mkdirSync(join(folder, "bin"));
    const { status, stdout } = launch(["bin/gatehouse", "--version"], { env: { CDPATH: `${folder}:.` } });
    expect([status, stdout]).toEqual([0, expect.stringMatching(/^\d+\.\d+\.\d+\n$/)]);
  });

  it("starts through a link in a folder whose name begins with a dash", () => {
    mkdirSync(join(folder, "-tools"));
    symlinkSync(LAUNCHER, join(folder, "-tools", "gatehouse"));
    const { status, stderr } = launch(["--", "-tools/gatehouse", "--version"], { cwd: folder });
    expect([status, stderr]).toEqual([0, ""]);
  });

  // Said by what Node runs before the program.
  const SAYS_FLAGS = "--import=data:text/javascript,console.error(process.execArgv.join())";
  it.each([
    ["its own young generation", "", "--min-semi-space-size=16,--max-semi-space-size=16,--heap-growing-percent=100"],
    ["none, when NODE_OPTIONS has one", "--max-semi-space-size=8", "--heap-growing-percent=100"],
    ["none, when it is spelled as V8 does", "--max_semi_space_size=8", "--heap-growing-percent=100"],
  ])("gives Node %s", (_, options, flags) => {
    const { status, stderr } = launch([LAUNCHER, "--version"], { env: { NODE_OPTIONS: `${SAYS_FLAGS} ${options}` } });
    expect([status, stderr]).toEqual([0, `${flags}\n`]);
  });
});

const { header } = process.report.getReport() as { readonly header: { readonly glibcVersionRuntime?: string } };
const gnu = header.glibcVersionRuntime === undefined ? "the launcher's memory settings are for it" : undefined;

describeWith({ name: "the GNU C library", missing: gnu }, "the memory settings of bin/gatehouse", () => {
  it("let a hash of a password use the memory of the one before", () => {
    const pages = "process.resourceUsage().minorPageFault";
    const options = "{message:'correct',nonce:Buffer.alloc(16),parallelism:1,tagLength:32,memory:19456,passes:1}";
    const script = [
      "import{argon2Sync}from'node:crypto'",
      `const/**/hashes=()=>{for(let/**/done=0;done<10;done++)argon2Sync('argon2id',${options})}`,
      `hashes();const/**/before=${pages};hashes();console.error(${pages}-before)`,
    ].join(";");
    const env = { NODE_OPTIONS: `--import=data:text/javascript,${script}` };
    const { status, stderr } = launch([LAUNCHER, "--version"], { env });
    expect([status, Number(stderr)]).toEqual([0, expect.any(Number)]);
    // Ten hashes take 48,640 pages when each gets them anew.
    expect(Number(stderr)).toBeLessThan(5_000);
  });
});
