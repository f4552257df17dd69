import { execFileSync } from "node:child_process";
import { existsSync, mkdtempSync, realpathSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { describeWith } from "../../../support/optional-part.ts";

const PROC = { name: "Linux's /proc", missing: existsSync("/proc/self/fd") ? undefined : "there is no /proc/self/fd" };

describeWith(PROC, "SQLite's temporary files", () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), "gh-temporary-")));
  afterAll(() => rmSync(root, { recursive: true }));

  const placesWith = (environment: NodeJS.ProcessEnv): readonly string[] => {
    const directory = mkdtempSync(join(root, "store-"));
    const program = join(import.meta.dirname, "temporary-files-writer.ts");
    const { SQLITE_TMPDIR: _, ...inherited } = process.env;
    const text = execFileSync(process.execPath, [program, join(directory, "gatehouse.sqlite")], {
      encoding: "utf8",
      env: { ...inherited, ...environment },
    });
    return text.split("\n").map((target) => dirname(target).replace(directory, "the store's"));
  };

  it("are where the store is, whatever else can be written to", () => {
    expect(placesWith({ TMPDIR: root })).toEqual(["the store's"]);
  });

  it("are where the operator says", () => {
    expect(placesWith({ SQLITE_TMPDIR: root })).toEqual([root]);
  });
});
