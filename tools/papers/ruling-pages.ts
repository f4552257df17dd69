import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { areaFiles, numbersOf, RULING_NUMBER, RULINGS_FOLDER, type Ruling, readRulings } from "./rulings.ts";
import { type TestTitle, titlesIn } from "./test-titles.ts";

/**
 * Writes into each page of docs/rulings/ which tests show its rulings, and into its README the index. Everything between the markers is
 * replaced, everything else stays. Usage: node tools/papers/ruling-pages.ts [folder], by default in place.
 */

const LONGEST_TITLE = 140;

const escaped = (text: string): string => text.replaceAll(/[\\`*_[\]<>|]/g, "\\$&");
const shortened = (text: string): string =>
  text.length <= LONGEST_TITLE ? text : `${text.slice(0, LONGEST_TITLE).trimEnd()} …`;

const between = (page: string, name: string, inside: () => string): string =>
  page.replaceAll(new RegExp(`<!-- ${name} -->[^]*?<!-- /${name} -->`, "g"), () => {
    const text = inside();
    return `<!-- ${name} -->\n${text === "" ? "" : `${text}\n`}<!-- /${name} -->`;
  });

/** One line for each file, with its first title that names the ruling. */
function shownBy(ruling: Ruling, rulings: readonly Ruling[], titles: readonly TestTitle[]): string {
  const numbers = numbersOf(ruling, rulings);
  const naming = titles.filter(({ title }) => (title.match(RULING_NUMBER) ?? []).some((one) => numbers.includes(one)));
  const files = Map.groupBy(naming, ({ file }) => file);
  const lines = [...files].map(([file, [first, ...more]]) => {
    const others = more.length === 0 ? "" : ` (and ${more.length} more)`;
    const name = file.replace(/^test\//, "");
    return `- [${name}](../../${file}): ${escaped(shortened(first?.title.trim() ?? ""))}${others}`;
  });
  return lines.length === 0 ? "" : `**Shown by**\n\n${lines.join("\n")}`;
}

function index(rulings: readonly Ruling[]): string {
  const rows = rulings
    .toSorted((a, b) => orderOf(a.number) - orderOf(b.number))
    .map(({ number, mark, seeNumber, title, area }) => {
      const also = seeNumber === undefined ? "" : ` ${seeNumber}`;
      return `| [${number}](${area}.md#${number.toLowerCase()}) | ${mark}${also} | ${title} | [${area}](${area}.md) |`;
    });
  return ["| | mark | ruling | area |", "|---|---|---|---|", ...rows].join("\n");
}

const orderOf = (number: string): number => "DSGEX".indexOf(number[2] ?? "") * 10_000 + Number(number.slice(3));

const {
  positionals: [target = RULINGS_FOLDER],
} = parseArgs({ allowPositionals: true });
const rulings = readRulings();
const titles = titlesIn("test/**/*.ts").toSorted((a, b) => (a.file < b.file ? -1 : Number(a.file > b.file)));
mkdirSync(target, { recursive: true });
for (const name of areaFiles()) {
  const ofPage = rulings.filter(({ area, mark }) => `${area}.md` === name && mark !== "→");
  let next = 0;
  const page = between(readFileSync(join(RULINGS_FOLDER, name), "utf8"), "tests", () => {
    const ruling = ofPage[next++];
    if (ruling === undefined) throw new Error(`${name}: more pairs of <!-- tests --> than rulings`);
    return shownBy(ruling, rulings, titles);
  });
  if (next !== ofPage.length) throw new Error(`${name}: ${ofPage.length} rulings, ${next} pairs of <!-- tests -->`);
  writeFileSync(join(target, name), page);
}
writeFileSync(
  join(target, "README.md"),
  between(readFileSync(join(RULINGS_FOLDER, "README.md"), "utf8"), "index", () => index(rulings)),
);
