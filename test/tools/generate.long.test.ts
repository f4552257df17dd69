import { spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { newFolder } from "../support/folder.ts";

const ROOT = join(import.meta.dirname, "..", "..");

describe("a mistake in what is generated from", () => {
  let folder: string;
  beforeEach(() => {
    folder = newFolder("gh-generate-");
    for (const copied of ["openapi", "docs", "proto"])
      cpSync(join(ROOT, copied), join(folder, copied), { recursive: true });
    for (const linked of [
      "node_modules",
      "src",
      "tools",
      "examples",
      "generated",
      "package.json",
      "redocly.yaml",
      "buf.yaml",
    ])
      symlinkSync(join(ROOT, linked), join(folder, linked));
    cpSync(join(ROOT, "buf.gen.yaml"), join(folder, "buf.gen.yaml"));
    mkdirSync(join(folder, "made"));
    writeFileSync(join(folder, "made", "problems.ts"), "as it was");
  });

  it.each([
    [
      "a contract that is no YAML",
      "openapi/gateway.yaml",
      "paths: [\n",
      /openapi\/gateway\.yaml[\s\S]*deficient indentation/,
    ],
    ["a member that no contract has", "openapi/gateway.yaml", "pathz: {}\n", /Property `pathz` is not expected here/],
    [
      "a message of gRPC that nothing declares",
      "proto/gatehouse/x.proto",
      'syntax = "proto3";\nmessage A { B b = 1; }\n',
      /x\.proto:2:13/,
    ],
    ["a link of a guide that leads nowhere", "docs/guides/README.md", "\n[x](nowhere.md)\n", /nowhere\.md/],
  ])("is named, and leaves what was generated before: %s", (_, file, text, named) => {
    writeFileSync(join(folder, file), text, { flag: "a" });
    const { status, stderr } = spawnSync(process.execPath, ["tools/generate.ts", "made"], {
      cwd: folder,
      encoding: "utf8",
    });
    expect([status, stderr]).toEqual([1, expect.stringMatching(named)]);
    expect(readdirSync(join(folder, "made"))).toEqual(["problems.ts"]);
    expect(readFileSync(join(folder, "made", "problems.ts"), "utf8")).toBe("as it was");
    expect(readdirSync(join(folder, ".cache"))).toEqual([]);
  });
});
