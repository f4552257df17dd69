import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import BetterSqlite3 from "better-sqlite3";
import { newFolder } from "../../support/folder.ts";

const SOURCE = join(import.meta.dirname, "../../../src/runtime/upkeep/copy-check.ts");

describe("the process that checks a copy (R-X395)", () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder("gh-check-");
  });

  it("does not stop at its first line where a debugger stopped Gatehouse at its own", async () => {
    const copy = join(folder, "copy.sqlite");
    const handle = new BetterSqlite3(copy);
    handle.exec("create table a (b)");
    handle.close();
    const program = `
      process.execArgv.push("--inspect-brk=127.0.0.1:0");
      const { checkCopy } = await import(${JSON.stringify(SOURCE)});
      const sha256 = await checkCopy(${JSON.stringify(copy)}, new Map([["a", 0]]), new AbortController().signal);
      process.stdout.write(sha256);`;
    const checked = await promisify(execFile)(process.execPath, ["--input-type=module", "--eval", program], {
      timeout: 60_000,
      killSignal: "SIGKILL",
    });
    expect(checked.stdout).toMatch(/^[0-9a-f]{64}$/);
  });
});
