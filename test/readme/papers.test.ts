import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { basename, dirname, join } from "node:path";
import { allSettings } from "../../src/config.ts";

const ROOT = join(import.meta.dirname, "..", "..");

const read = (path: string): string => readFileSync(join(ROOT, path), "utf8");

const filesBelow = (folder: string, extension: RegExp): readonly string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" })
    .filter((name) => extension.test(name) && !name.includes("node_modules"))
    .map((name) => join(folder, name));

const papers = [
  ...["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"],
  ...["docs", "src", "examples", "desk", "workflows", "sdks"].flatMap((folder) => filesBelow(folder, /\.md$/)),
];

const ON_PATH = '`export PATH="$PWD/bin:$PATH"`';

/** A block of commands that has `gatehouse` without the folder in front. */
const hasCommand = (text: string): boolean =>
  text.split(/^ *```/m).some((block, index) => index % 2 === 1 && /^(.*\$\()?\s*gatehouse /m.test(block));

/** As the pages of a repository name a heading: its words in lower case, joined by hyphens. Rulings have names of their own. */
const anchorsOf = (path: string): ReadonlySet<string> => {
  const text = read(path).replaceAll(/^ *```[\s\S]*?^ *```/gm, "");
  const headings = [...text.matchAll(/^#+ (.+)$/gm)].map(([, heading = ""]) =>
    heading
      .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, "$1")
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}_\- ]/gu, "")
      .replaceAll(" ", "-"),
  );
  return new Set([...headings, ...[...text.matchAll(/<a id="([^"]+)">/g)].map(([, id = ""]) => id)]);
};

/** What integrators read shows some commands of their operator. The tools for their own desk have the same name. */
const isForIntegrators = (path: string): boolean =>
  (read("docs/guides/README.md").split("## For operators")[0] ?? "").includes(`(${basename(path)})`) &&
  basename(path) !== "local-development.md";

describe("The papers", () => {
  it.each(papers)("%s has no broken link", (path) => {
    const targets = [...read(path).matchAll(/\]\((?!https?:|#)([^)#\s]+)/g)].map(([, target = ""]) => target);
    expect(targets.filter((target) => !existsSync(join(ROOT, dirname(path), target)))).toEqual([]);
  });

  it.each(papers)("%s leads to no heading that is gone", (path) => {
    const targets = [...read(path).matchAll(/\]\((?!https?:)([^)#\s]*)#([^)\s]+)\)/g)].map(
      ([, file = "", anchor = ""]) => ({ file: file === "" ? path : join(dirname(path), file), anchor }),
    );
    const gone = targets.filter(({ file, anchor }) => file.endsWith(".md") && !anchorsOf(file).has(anchor));
    // A guide is drawn with one part for each language; the names of those parts are tested with the guides.
    const wrong = gone.filter(({ anchor }) => !/-(?:typescript|python|go|java)$/.test(anchor));
    expect(wrong.map(({ file, anchor }) => `${file}#${anchor}`)).toEqual([]);
  });

  it("have headings by the names that links use", () => {
    expect([...anchorsOf("docs/operations/metrics.md")]).toEqual(["metrics"]);
    expect(anchorsOf("docs/operations/backup-and-restore.md")).toContain("what-to-keep");
    // A comment in a block of commands.
    expect(read("docs/operations/postgresql.md")).toContain("\n# on machine 1\n");
    expect(anchorsOf("docs/operations/postgresql.md")).not.toContain("on-machine-1");
    expect(anchorsOf("docs/rulings/data.md")).toContain("r-d3");
  });

  /** Records of decisions and the change log may name what is gone by now. */
  const current = papers.filter((path) => path !== "CHANGELOG.md" && !path.startsWith("docs/decisions/"));
  const sources = new Set(
    [
      ...["bench", "bin", "desk", "docs", "examples", "harness", "openapi", "proto", "sdks", "src"],
      ...["test", "tools", "workflows"],
    ]
      .flatMap((folder) => filesBelow(folder, /\.(ts|mjs|yaml|proto|md|go|py|java)$/))
      .flatMap((path) => path.split("/").map((_, index, parts) => parts.slice(index).join("/"))),
  );
  const absentFrom = (text: string): readonly string[] =>
    [...text.matchAll(/(?<!`)`(?:\.{1,2}\/)*([\w./-]+\.(?:ts|mjs|yaml|proto|go|py|java))`/g)]
      .map(([, name = ""]) => name)
      .filter((name) => !sources.has(name));

  it("name no file of the repository that is gone, and one that is gone is found", () => {
    expect(current.flatMap((path) => absentFrom(read(path)).map((name) => `${path}: ${name}`))).toEqual([]);
    expect(absentFrom("see `queue/claim-service.ts` and `queue/settle-service.ts`")).toEqual([
      "queue/settle-service.ts",
    ]);
  });

  const commanding = papers.filter(
    (path) => /^docs\/(guides|operations)\//.test(path) && hasCommand(read(path)) && !isForIntegrators(path),
  );

  it.each(commanding)("%s, which has commands, says where the command is", (path) => {
    expect(read(path)).toContain(ON_PATH);
  });

  it("says where the command is in the README too, and of every page that an operator may open first", () => {
    expect(read("README.md")).toContain(ON_PATH);
    expect(commanding).toEqual(
      expect.arrayContaining(["docs/guides/onboard-an-integrator.md", "docs/operations/backup-and-restore.md"]),
    );
  });

  it.each(papers.filter((path) => path !== "CHANGELOG.md"))(
    "%s has no command with a secret setting, which the list of processes would show: its file is named",
    (path) => {
      const secrets = Object.entries(allSettings).filter(([, one]) => "secret" in one && one.secret);
      const given = secrets.map(([name]) => new RegExp(`--${name}[ =\\\`]`));
      expect(given.map((flag) => flag.exec(read(path))?.[0]).filter((found) => found !== undefined)).toEqual([]);
      expect(secrets.length).toBeGreaterThan(3);
    },
  );

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
