import { chmodSync, mkdirSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeDirectory } from "../../../src/runtime/basis/directories.ts";
import { newFolder } from "../../support/folder.ts";

describe("making a directory", () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder("gh-directories-");
  });

  const modeOf = (path: string) => statSync(path).mode & 0o777;

  it("makes what is missing above it too, with the mode", () => {
    makeDirectory(join(folder, "a", "b", "c"), 0o700);
    for (const made of ["a", "a/b", "a/b/c"]) expect(modeOf(join(folder, made))).toBe(0o700);
  });

  it("leaves one that is there as it is, through a link too", () => {
    mkdirSync(join(folder, "there"));
    chmodSync(join(folder, "there"), 0o750);
    symlinkSync(join(folder, "there"), join(folder, "link"));
    makeDirectory(join(folder, "there"), 0o700);
    makeDirectory(join(folder, "link", "."), 0o700);
    expect(modeOf(join(folder, "there"))).toBe(0o750);
  });

  it("fails where a file has its name, or one above it", () => {
    writeFileSync(join(folder, "file"), "");
    symlinkSync(join(folder, "nothing"), join(folder, "broken"));
    expect(() => makeDirectory(join(folder, "file"))).toThrow("EEXIST");
    expect(() => makeDirectory(join(folder, "file", "below", "it"))).toThrow("ENOTDIR");
    expect(() => makeDirectory(join(folder, "broken"))).toThrow("EEXIST");
  });

  it("fails at once where the system makes none though the parent is there", () => {
    expect(() => makeDirectory("/proc/gatehouse/below", 0o700)).toThrow(/ENOENT|EACCES|EROFS|EPERM/);
  });
});
