import { execFileSync, spawnSync } from "node:child_process";
import { existsSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../../../support/folder.ts";
import { describeWith } from "../../../support/optional-part.ts";

const SUPPORT = join(import.meta.dirname, "..", "..", "..", "support");
const compiler = spawnSync("cc", ["--version"]).error && "cc is not installed";
const onLinux = process.platform === "linux" ? undefined : "its files are found by /proc";

describeWith(
  { name: "a C compiler on Linux", missing: compiler || onLinux },
  "a flush that fails once (decision 0039)",
  () => {
    let folder: string;
    beforeEach(() => {
      folder = newFolder("gh-flush-");
      execFileSync("cc", ["-shared", "-fPIC", "-o", join(folder, "shim.so"), join(SUPPORT, "flush-shim.c")]);
    });

    const afterFailureIn = (what: string, of: string): unknown => {
      const trigger = join(folder, "fails");
      const told = execFileSync(
        process.execPath,
        [join(import.meta.dirname, "failed-flush-writer.ts"), folder, trigger, what],
        {
          encoding: "utf8",
          env: { ...process.env, LD_PRELOAD: join(folder, "shim.so"), FAILING_ONCE: trigger, FLUSH_OF: of },
        },
      );
      expect(existsSync(trigger)).toBe(false);
      return JSON.parse(told);
    };

    it("while what was overwritten is taken out ends the program, be it the first of several", () => {
      expect(afterFailureIn("clearing", ".sqlite")).toEqual({ outcome: "store: disk", flushFailures: 1 });
    });

    it("while the store is marked as closed leaves it open", () => {
      expect(afterFailureIn("closing", ".sqlite")).toEqual({ isClosed: false });
    });
  },
);
