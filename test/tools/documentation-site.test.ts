import { spawnSync } from "node:child_process";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("the folder of the documentation", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-site-");
  });

  const make = (target = folder) => {
    const args = ["tools/documentation-site.ts", target];
    const { status, stderr } = spawnSync(process.execPath, args, { cwd: ROOT, encoding: "utf8" });
    return { status, stderr };
  };
  const refused = (name: string) => ({
    status: 1,
    stderr: `${folder} has ${name}, which is none of the documentation's, and would be removed. Name a folder that is empty, or new.\n`,
  });

  it("keeps what is somebody else's", () => {
    const notes = join(folder, "notes.txt");
    writeFileSync(notes, "mine");
    expect(make()).toEqual(refused("notes.txt"));
    expect(readFileSync(notes, "utf8")).toBe("mine");
    expect(make(notes)).toEqual({ status: 1, stderr: `${notes} is no folder.\n` });
    expect(readFileSync(notes, "utf8")).toBe("mine");
  });

  it("keeps a site whose pages are called like the documentation's", () => {
    const page = join(folder, "index.html");
    writeFileSync(page, "mine");
    expect(make()).toEqual(refused("index.html"));
    expect(readFileSync(page, "utf8")).toBe("mine");
  });

  it("is made anew over an earlier one, unless something else has come into it", () => {
    expect(make()).toEqual({ status: 0, stderr: "" });
    const old = join(folder, "guide-of-yesterday.html");
    writeFileSync(old, "");
    expect(make()).toEqual({ status: 0, stderr: "" });
    expect(existsSync(old)).toBe(false);
    writeFileSync(join(folder, "CNAME"), "docs.example");
    expect(make()).toEqual(refused("CNAME"));
    expect(existsSync(join(folder, "index.html"))).toBe(true);
  });
});
