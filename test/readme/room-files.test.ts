import { existsSync, globSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";

/** The READMEs of the code's folders. */
const READMES = [
  ...globSync("src/**/README.md"),
  ...["desk", "workflows", "examples/integrator", "examples/platform"].map((folder) => `${folder}/README.md`),
].toSorted();

/** Areas whose README has a row for each of their folders. */
const AREAS = ["src/cli", "src/runtime", "src/webhooks", "src/workforce"];

interface Row {
  /** Folders and files of the first cell. */
  readonly subjects: readonly string[];
  /** Files that the other cells name alone, without a folder. */
  readonly files: readonly string[];
}

const rowsOf = (readme: string): readonly Row[] =>
  [...readme.matchAll(/^\| ((?:`[\w./-]+(?:\/|\.\w+)`(?:, | )?)+) \|(.*)\|$/gm)].map(
    ([, subjects = "", rest = ""]) => ({
      subjects: [...subjects.matchAll(/`([^`]+)`/g)].map(([, subject = ""]) => subject),
      files: [...rest.matchAll(/`([\w-]+(?:\.[\w-]+)*\.ts)`/g)].map(([, file = ""]) => file),
    }),
  );

/** What a README in this folder says of its rows that is not so. */
function faultsOf(folder: string, readme: string): readonly string[] {
  return rowsOf(readme).flatMap(({ subjects, files }) => {
    // Paths from the repository's root, too.
    const missing = subjects.filter((subject) => !existsSync(join(folder, subject)) && !existsSync(subject));
    const rooms = subjects.filter((subject) => subject.endsWith("/"));
    const elsewhere = files.filter(
      (file) => rooms.length > 0 && !rooms.some((room) => existsSync(join(folder, room, file))),
    );
    return [
      ...missing.map((subject) => `there is no ${subject}`),
      ...elsewhere.map((file) => `${file} is not in ${rooms.join(" or ")}`),
    ];
  });
}

describe("the tables of rooms and files in READMEs", () => {
  it.each(READMES)("%s names what is there, files in their room", (path) => {
    expect(faultsOf(dirname(path), readFileSync(path, "utf8"))).toEqual([]);
  });

  it.each(AREAS)("the README of %s has a row for each folder but the migrations", (area) => {
    const folders = readdirSync(area, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const rooms = folders.map(({ name }) => `${name}/`).filter((name) => name !== "migrations/");
    const subjects = rowsOf(readFileSync(join(area, "README.md"), "utf8")).flatMap((row) => row.subjects);
    expect(subjects.filter((subject) => subject.endsWith("/")).toSorted()).toEqual(rooms.toSorted());
  });

  it.each([
    ["| `tenants/` | `reachable.ts` decides |", "reachable.ts is not in tenants/"],
    ["| `nowhere/` | what was moved |", "there is no nowhere/"],
    ["| `nothing.ts` | what was renamed |", "there is no nothing.ts"],
  ])("finds %s", (row, fault) => {
    expect(faultsOf("src/workforce", row)).toEqual([fault]);
  });
});
