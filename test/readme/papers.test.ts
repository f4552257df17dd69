import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

const ROOT = join(import.meta.dirname, "..", "..");

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const filesBelow = (folder: string, extension: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => extension.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const papers = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["docs", "src", "examples"].flatMap((folder) => filesBelow(folder, /\.md$/)),
];

describe("The papers", () => {
  it.each(papers)("%s has no broken link", (path) => {
    const targets = [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
  });

  it("dependencies.md names every dependency with its version, and no other", () => {
    const { dependencies, optionalDependencies, devDependencies } = JSON.parse(read("package.json")) as Record<
      string,
      Record<string, string>
    >;
    const wanted = Object.entries({ ...dependencies, ...optionalDependencies, ...devDependencies }).map(
      ([name, version]) => `${name} ${version}`,
    );
    const tables = read("docs/dependencies.md").split("Two overrides")[0] ?? "";
    const named = [...tables.matchAll(/^\| ([^|]+) \|/gm)]
      .flatMap(([, cell = ""]) => cell.split(", "))
      .filter((entry) => /\d$/.test(entry));
    expect(named.toSorted()).toEqual(wanted.toSorted());
  });

  it("`make help` lists every target", () => {
    const targets = [...read("Makefile").matchAll(/^\.PHONY: (\S+)$/gm)].map(([, name = ""]) => name);
    const help = execFileSync("make", ["help"], { cwd: ROOT, encoding: "utf8" });
    expect(targets.filter((name) => !help.includes(`make ${name} `))).toEqual([]);
    expect(targets.length).toBeGreaterThan(10);
  });
});
