import { execFileSync } from "node:child_process";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { describeLack } from "../../../src/runtime/upkeep/copy-space.ts";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";

const MIB = 1024 * 1024;

/** A disk of its own, or why this machine does not give one. */
function mounted(size: number): { readonly path: string } | { readonly missing: string } {
  const path = mkdtempSync(join(tmpdir(), "gh-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", `size=${size}`, "none", path], { stdio: "pipe" });
    return { path };
  } catch (error) {
    rmSync(path, { recursive: true });
    return { missing: `no disk of a given size can be mounted (${(error as Error).message.split("\n")[0]})` };
  }
}

const unmount = (path: string) => {
  execFileSync("umount", [path]);
  rmSync(path, { recursive: true });
};

function mountMissing(): string | undefined {
  const tried = mounted(MIB);
  if ("missing" in tried) return tried.missing;
  unmount(tried.path);
  return undefined;
}

describe("the words for space that lacks (R-X371)", () => {
  it.each([
    ["a little", 17_550_000, 0, 17_549_000, "the copy takes 17.6 MB, and the disk has 17.5 MB free"],
    ["a byte", 17_500_000, 0, 17_499_999, "the copy takes 17.5 MB, and the disk has 17.4 MB free"],
    ["all", 1, 0, 0, "the copy takes 0.1 MB, and the disk has 0.0 MB free"],
    [
      "the reserve",
      5_000_000,
      5_000_000,
      7_000_000,
      "the copy takes 5.0 MB, the running store needs 5.0 MB meanwhile, and the disk has 7.0 MB free",
    ],
  ])("need more than is free: %s", (_, copyBytes, reserveBytes, freeBytes, words) => {
    expect(describeLack({ copyBytes, reserveBytes, freeBytes })).toBe(words);
  });
});

describeWith({ name: "a small disk", missing: mountMissing() }, "a copy that would not fit (R-X371)", () => {
  withScope((closeLater) => {
    const diskOf = (size: number): string => {
      const disk = mounted(size);
      if ("missing" in disk) throw new Error(disk.missing);
      closeLater(async () => unmount(disk.path));
      return disk.path;
    };
    const storeOn = (disk: string, bytes: number): string => {
      const path = join(disk, "gatehouse.sqlite");
      const store = new BetterSqlite3(path);
      store.exec("create table filler (bytes blob); create table migration_ledger (owner text)");
      store.prepare("insert into filler values (zeroblob(?))").run(bytes);
      store.close();
      return path;
    };
    const refusal = (store: string, backup: string) =>
      backUp(store, backup, new AbortController().signal).then(
        () => "it was written",
        ({ reason, message }: { reason: string; message: string }) => `${reason}: ${message}`,
      );

    it.each([
      ["does not fit itself", 5 * MIB],
      ["leaves the running store no space", 3 * MIB],
    ])("is refused with its sizes before a byte is written: it %s", async (_, bytes) => {
      const disk = diskOf(8 * MIB);
      const store = storeOn(disk, bytes);
      expect(await refusal(store, join(disk, "monday.sqlite"))).toMatch(
        /^backup_not_written: The backup \S+ was not written: the copy takes [35]\.\d MB, the running store needs [35]\.\d MB meanwhile, and the disk has [35]\.\d MB free\. Free space on it, or name a directory on another disk\.$/,
      );
      expect(readdirSync(disk)).toEqual(["gatehouse.sqlite"]);
    });

    it("needs no space for the store on another disk", async () => {
      const store = storeOn(diskOf(8 * MIB), 5 * MIB);
      const [small, large] = [diskOf(4 * MIB), diskOf(6 * MIB)];
      expect(await refusal(store, join(small, "monday.sqlite"))).toMatch(
        /the copy takes 5\.\d MB, and the disk has 4\.\d MB free\. Free space/,
      );
      expect(await refusal(store, join(large, "monday.sqlite"))).toBe("it was written");
    });
  });
});
