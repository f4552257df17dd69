import { execFileSync, spawnSync } from "node:child_process";
import { cpSync, mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { manifestOf, SDK_FOLDER } from "../../tools/sdks/manifest.ts";
import { newFolder } from "../support/folder.ts";

/** What `npm install`, `pip install .`, `go mod vendor` and `mvn install` leave where they run, none of it in our format. */
const PLANTED = {
  typescript: ["node_modules/some/index.ts", "package-lock.json", "gatehouse-sdk-0.1.0.tgz"],
  python: ["build/lib/gatehouse_sdk/a.json", "gatehouse_sdk.egg-info/PKG-INFO", "gatehouse_sdk/__pycache__/a.pyc"],
  go: ["vendor/some/module.json"],
  java: ["target/classes/a.js", "target/gatehouse-sdk-0.1.0.jar"],
} as const;

const planted = (Object.keys(PLANTED) as (keyof typeof PLANTED)[]).flatMap((language) =>
  [join(SDK_FOLDER, language), join("sdks", language, "overlay")].flatMap((folder) =>
    PLANTED[language].map((file) => join(folder, file)),
  ),
);

describe("an SDK that was installed as its README says", () => {
  let root: string;
  beforeAll(() => {
    root = newFolder("gh-installed-");
    for (const path of ["biome.json", ".gitignore", "sdks", SDK_FOLDER])
      cpSync(path, join(root, path), { recursive: true });
    for (const file of planted) put(file, "var  a = 1");
  });

  const put = (file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };
  const biome = () =>
    spawnSync(resolve("node_modules/.bin/biome"), ["check", "--error-on-warnings", "."], {
      cwd: root,
      encoding: "utf8",
    });

  it("passes `make verify`: the manifest ignores build products, in the SDKs and in their sources", () => {
    const written = readFileSync(join(SDK_FOLDER, "manifest.json"), "utf8");
    expect(manifestOf(join(root, SDK_FOLDER), join(root, "sdks"))).toEqual(JSON.parse(written));
  });

  it("passes the lint of `make check`, which still checks our own files", () => {
    expect(biome()).toMatchObject({ status: 0 });
    const ours = join("sdks", "typescript", "overlay", "src", "planted.ts");
    put(ours, "var  a = 1");
    const found = biome();
    rmSync(join(root, ours));
    expect([found.status, found.stderr]).toEqual([1, expect.stringContaining("planted.ts")]);
  });

  it("leaves nothing for git to commit", () => {
    execFileSync("git", ["init", "--quiet"], { cwd: root });
    const untracked = execFileSync("git", ["ls-files", "--others", "--exclude-standard"], {
      cwd: root,
      encoding: "utf8",
    });
    expect(untracked.split("\n").filter((file) => planted.includes(file))).toEqual([]);
    expect(untracked).toContain("sdks/typescript/overlay/package.json");
  });
});
