import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";

const FOLDER = join(import.meta.dirname, "..", "..", "docs", "decisions");

const records = readdirSync(FOLDER)
  .filter((name) => /^\d{4}-.*\.md$/.test(name))
  .toSorted();
/** What is above its context: the title, and by which record it is replaced. */
const headOf = (record: string): string => readFileSync(join(FOLDER, record), "utf8").split("**Context.**")[0] ?? "";

const list = readFileSync(join(FOLDER, "README.md"), "utf8");
const rows = [...list.matchAll(/^\| \[(\d{4})\]\(([^)]+)\) \| (.+) \|$/gm)];

/** Four digits, as in the name of a record. */
const numbered = (number: number): string => String(number).padStart(4, "0");

describe("The list of decisions", () => {
  it("has each record once, in the order of their numbers", () => {
    expect(rows.map(([, , file]) => file)).toEqual(records);
    expect(rows.map(([, number, file = ""]) => file.startsWith(`${number}-`))).not.toContain(false);
  });

  it("names each number that no record has", () => {
    const given = records.map((name) => Number(name.slice(0, 4)));
    const all = Array.from({ length: given.at(-1) ?? 0 }, (_, index) => index + 1);
    const missing = all.filter((number) => !given.includes(number)).map(numbered);
    expect(list.match(/missing \(([\d,\s]+)\)/)?.[1]?.split(/,\s*/)).toEqual(missing);
  });

  it.each(records)("leads to %s, which has its number, its title and what each record says", (record) => {
    const text = readFileSync(join(FOLDER, record), "utf8");
    expect(text).toMatch(new RegExp(`^# ${record.slice(0, 4)} · \\S`));
    const headings = ["Context", "Decision", "What would change our mind"].map((words) =>
      text.indexOf(`\n**${words}.**`),
    );
    expect(headings).not.toContain(-1);
    expect(headings).toEqual(headings.toSorted((a, b) => a - b));
  });

  const replaced = rows.flatMap(([, , file = "", title = ""]) => {
    const successor = title.match(/replaced by (\d{4})$/)?.[1];
    return successor === undefined ? [] : [{ file, successor }];
  });

  it.each(replaced)("$file, which the list calls replaced, says by which record at its head", ({ file, successor }) => {
    expect(headOf(file)).toMatch(new RegExp(`^Replaced by\\s\\[${successor}\\]\\(${successor}-`, "m"));
  });

  it("calls each record replaced whose head says so", () => {
    const saying = records.filter((record) => /^Replaced by/m.test(headOf(record)));
    expect(replaced.map(({ file }) => file)).toEqual(saying);
    expect(saying.length).toBeGreaterThan(1);
  });
});
