import { existsSync, globSync, readFileSync } from "node:fs";
import { join } from "node:path";
import {
  areaFiles,
  numbersOf,
  RULING_NUMBER,
  RULINGS_FOLDER,
  type Ruling,
  readRulings,
  rulingsOf,
  working,
} from "../tools/papers/rulings.ts";
import { titlesIn } from "../tools/papers/test-titles.ts";
import { citationsOf, numbersIn, undefinedOf } from "./support/citations.ts";

const rulings = readRulings();
const defined = new Set(rulings.map(({ number }) => number));
const cited = citationsOf(RULING_NUMBER, "rulings.test.ts");
const titles = titlesIn("test/**/*.ts").filter(({ file }) => !file.endsWith("rulings.test.ts"));

/** Working rulings that no title names, neither by their own number nor by one that points to them. */
function unshown(all: readonly Ruling[], titlesOfTests: readonly string[]): readonly string[] {
  const named = new Set(titlesOfTests.flatMap((title) => numbersIn(title, RULING_NUMBER)));
  return working(all)
    .filter((ruling) => !numbersOf(ruling, all).some((number) => named.has(number)))
    .map(({ number }) => number);
}

/** Rulings of one area's page that give no reason above their list of tests; one that another says (→) needs none. */
function unexplained(page: string, area: string): readonly string[] {
  const sections = page.split(/(?=^<a id="r-)/m);
  const reasoned = sections
    .filter((section) => /^\*\*Why\*\*: \S/m.test(section.split("<!-- tests -->")[0] ?? ""))
    .flatMap((section) => rulingsOf(section, area).map(({ number }) => number));
  return rulingsOf(page, area)
    .filter(({ mark, number }) => mark !== "→" && !reasoned.includes(number))
    .map(({ number }) => number);
}

const PLANTED = `
<a id="r-x901"></a>

## R-X901 ● Shown

<a id="r-x902"></a>

## R-X902 ◐ Shown by nothing

<a id="r-x903"></a>

## R-X903 ○ Not built

<a id="r-x904"></a>

## R-X904 → R-X902 Said by another
`;

describe("rulings", () => {
  it("have a number each, and point to existing rulings", () => {
    expect(rulings).toHaveLength(defined.size);
    expect(rulings.length).toBeGreaterThan(200);
    const targets = rulings.flatMap(({ seeNumber }) => seeNumber ?? []);
    expect(targets.filter((number) => working(rulings).every((ruling) => ruling.number !== number))).toEqual([]);
  });

  it("exist when code, contracts, tests or papers cite them", () => {
    expect(cited.length).toBeGreaterThan(1000);
    expect(undefinedOf(cited, defined)).toEqual([]);
  });

  it("are each named by the title of a test, when they work", () => {
    expect(
      unshown(
        rulings,
        titles.map(({ title }) => title),
      ),
    ).toEqual([]);
  });

  it("have a reason each, unless another ruling includes them", () => {
    const pages = areaFiles().map((name) => ({ name, page: readFileSync(join(RULINGS_FOLDER, name), "utf8") }));
    expect(pages.flatMap(({ name, page }) => unexplained(page, name))).toEqual([]);
  });

  it("are linked to where they are", () => {
    const links = globSync(["*.md", "docs/**/*.md", "src/**/*.md"]).flatMap((file) =>
      [...readFileSync(file, "utf8").matchAll(/\]\(([^)#\s]*)#(r-[a-z]\d+|[sfi]\d+)\)/g)].map(
        ([, path = "", anchor = ""]) => ({
          file,
          target: path === "" ? file : join(file, "..", path),
          anchor,
        }),
      ),
    );
    expect(links.length).toBeGreaterThan(200);
    const broken = links.filter(
      ({ target, anchor }) => !existsSync(target) || !readFileSync(target, "utf8").includes(`<a id="${anchor}"></a>`),
    );
    expect(broken).toEqual([]);
  });
});

describe("the checks of rulings find what is planted", () => {
  const planted = rulingsOf(PLANTED, "planted");

  it("a citation of a ruling that does not exist", () => {
    const numbers = numbersIn("(R-X901, R-X999), R-S12-like, xR-X998", RULING_NUMBER);
    const citations = numbers.map((number) => ({ file: "planted.ts", number }));
    expect(undefinedOf(citations, new Set(planted.map(({ number }) => number)))).toEqual([
      "planted.ts: R-X999",
      "planted.ts: R-S12",
    ]);
  });

  it("a working ruling without a test, unless a test names a ruling that points to it", () => {
    expect(unshown(planted, ["does it (R-X901)", "of R-X903"])).toEqual(["R-X902"]);
    expect(unshown(planted, ["does it (R-X901)", "of R-X904"])).toEqual([]);
    expect(unshown(planted, [])).toEqual(["R-X901", "R-X902"]);
  });

  it("a ruling without a reason, with an empty one, and with one among its tests; none that another includes", () => {
    const reason = "\n\n**Why**: It is so.\n\n<!-- tests -->";
    const first = PLANTED.replace("● Shown", `● Shown${reason}`);
    expect(unexplained(PLANTED, "planted")).toEqual(["R-X901", "R-X902", "R-X903"]);
    expect(unexplained(first, "planted")).toEqual(["R-X902", "R-X903"]);
    expect(unexplained(first.replace("It is so.", ""), "planted")).toEqual(["R-X901", "R-X902", "R-X903"]);
    expect(unexplained(first.replace("● Shown", "● Shown\n\n<!-- tests -->"), "planted")).toContain("R-X901");
    expect(unexplained(first.replace("○ Not built", `○ Not built${reason}`), "planted")).toEqual(["R-X902"]);
  });

  it.each([
    ["another anchor", PLANTED.replace('"r-x902"', '"r-x905"'), "planted.md: the anchor of R-X902 is r-x905"],
    ["no mark", PLANTED.replace("R-X903 ○", "R-X903"), 'planted.md: "## R-X903 Not built" has not the form of'],
    [
      "another level",
      PLANTED.replace("## R-X903", "### R-X903"),
      'planted.md: "### R-X903 ○ Not built" has not the form of',
    ],
    ["no anchor", PLANTED.replace('<a id="r-x901"></a>', ""), 'planted.md: "## R-X901 ● Shown" has not the form of'],
    ["an arrow to nothing", PLANTED.replace("→ R-X902", "→"), "planted.md: → and the other number of R-X904"],
  ])("a heading with %s", (_, page, message) => {
    expect(() => rulingsOf(page, "planted")).toThrow(message);
  });
});
