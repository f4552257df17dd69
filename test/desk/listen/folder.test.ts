import { existsSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { makeStateFolder } from "../../../desk/src/listen/cursor-file.ts";
import { newFolder } from "../../support/folder.ts";

describe("the folder in which a listener remembers", () => {
  let folder: string;

  beforeEach(() => {
    folder = newFolder("gh-state-");
  });

  it("is made with what is missing above it", () => {
    makeStateFolder(join(folder, "a", "b"));
    makeStateFolder(join(folder, "a", "b"));
    expect(existsSync(join(folder, "a", "b"))).toBe(true);
  });

  it.each([
    ["a file", () => join(folder, "file"), "EEXIST"],
    ["below a file", () => join(folder, "file", "below"), "ENOTDIR"],
    ["where the system makes none", () => "/proc/gatehouse/state", "ENOENT"],
  ])("is refused at once as %s", (_, path, code) => {
    writeFileSync(join(folder, "file"), "");
    expect(() => makeStateFolder(path())).toThrow(`${path()} cannot be written (${code}).`);
  });
});
