import { spawnSync } from "node:child_process";
import { chmodSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("making the SDKs on a machine that lacks something", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-sdks-");
    mkdirSync(join(folder, "bin"));
    mkdirSync(join(folder, "sdk"));
    symlinkSync(process.execPath, join(folder, "bin", "node"));
    writeFileSync(join(folder, "sdk", "openapi.json"), "as it was");
  });

  /** A Java that is there, and makes nothing. */
  const putJava = () => {
    const java = join(folder, "bin", "java");
    writeFileSync(java, "#!/bin/sh\necho 'openjdk version \"21.0.1\"' >&2\n");
    chmodSync(java, 0o755);
  };

  it.each([
    ["Java", () => undefined, "Java 11 or newer is not on PATH"],
    ["gofmt", putJava, "gofmt is not on PATH"],
  ])("says that %s is missing, and leaves everything as it was", (_, put, said) => {
    put();
    const { status, stdout } = spawnSync(process.execPath, ["tools/sdks.ts", join(folder, "sdk")], {
      cwd: ROOT,
      encoding: "utf8",
      env: { PATH: join(folder, "bin") },
    });
    expect(stdout).toContain(`The SDKs are not regenerated: ${said}`);
    expect(status).toBe(0);
    expect(readdirSync(join(folder, "sdk"))).toEqual(["openapi.json"]);
    expect(readFileSync(join(folder, "sdk", "openapi.json"), "utf8")).toBe("as it was");
  });
});
