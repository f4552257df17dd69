import { leadingTo, run } from "../../../src/cli/output/advice.ts";
import { card } from "../../../src/cli/output/card.ts";
import { type Column, table } from "../../../src/cli/output/table.ts";
import { displayWidth, plain } from "../../../src/cli/output/terminal-text.ts";
import { plainPaint } from "../../support/plain-paint.ts";

interface Town {
  readonly name: string;
  readonly people: number;
  readonly mayor?: string | null;
}

const TOWNS: readonly Town[] = [
  { name: "Lyon", people: 520_774, mayor: "Ada" },
  { name: "東京", people: 1_234, mayor: null },
];

const COLUMNS: readonly Column<Town>[] = [
  { heading: "name", cell: ({ name }) => name },
  { heading: "people", cell: ({ people }) => people, align: "right" },
  { heading: "mayor", cell: ({ mayor }) => mayor },
];

describe("a table", () => {
  it("aligns columns by their width on the screen, and ends no line with spaces", () => {
    expect(table(TOWNS, COLUMNS, { paint: plainPaint })).toBe(
      ["NAME  PEOPLE  MAYOR", "Lyon  520774  Ada", "東京    1234  –", ""].join("\n"),
    );
  });

  it("becomes blocks where the terminal is too narrow", () => {
    expect(table(TOWNS, COLUMNS, { paint: plainPaint, columns: 18 })).toBe(
      [
        ["name    Lyon", "people  520774", "mayor   Ada", ""].join("\n"),
        ["name    東京", "people  1234", "mayor   –", ""].join("\n"),
      ].join("\n"),
    );
  });

  it("cuts a long text on a line alone; in a block it is whole, and folded", () => {
    const columns = [{ heading: "facts", cell: ({ mayor }: Town) => mayor, cutAt: 9 }];
    const rows = [{ name: "Lyon", people: 1, mayor: "from=Ada, to=Bea, reason=elections" }];
    expect(table(rows, columns, { paint: plainPaint })).toBe("FACTS\nfrom=Ada…\n");
    const two = [...columns, { heading: "name", cell: ({ name }: Town) => name.repeat(8) }];
    expect(table(rows, two, { paint: plainPaint, columns: 30 })).toBe(
      ["facts  from=Ada, to=Bea,", "       reason=elections", "name   LyonLyonLyonLyonLyonLyonLyonLyon", ""].join("\n"),
    );
  });

  it.each([
    [19, ["NAME  PEOPLE  MAYOR", "Lyon  520774  Ada", "東京    1234  –", ""]],
    [
      18,
      [
        "NAME  PEOPLE",
        "Lyon  520774",
        "東京    1234",
        "",
        "Not shown for want",
        "of room: mayor.",
        "--json shows all.",
        "",
      ],
    ],
    [
      11,
      [
        "NAME",
        "Lyon",
        "東京",
        "",
        "Not shown",
        "for want of",
        "room:",
        "people,",
        "mayor.",
        "--json",
        "shows all.",
        "",
      ],
    ],
  ])("leaves out what can be missed, the last first, and says so: %i columns", (width, lines) => {
    const columns = COLUMNS.map((one) => ({ ...one, canBeMissed: one.heading !== "name" }));
    expect(table(TOWNS, columns, { paint: plainPaint, columns: width }).split("\n")).toEqual(lines);
  });

  it("becomes whole blocks where leaving out does not help", () => {
    const columns = COLUMNS.map((one) => ({ ...one, canBeMissed: one.heading === "mayor" }));
    const blocks = table(TOWNS, columns, { paint: plainPaint, columns: 11 });
    expect(blocks).toBe(table(TOWNS, COLUMNS, { paint: plainPaint, columns: 11 }));
    expect(blocks).toContain("mayor   Ada\n");
  });

  it("has room for more rows than a call takes arguments", () => {
    const rows = Array.from({ length: 200_000 }, () => TOWNS[0] as Town);
    expect(table(rows, COLUMNS.slice(1, 2), { paint: plainPaint })).toHaveLength(200_001 * "520774\n".length);
  });

  it("is a table where it just fits", () => {
    expect(table(TOWNS, COLUMNS, { paint: plainPaint, columns: 19 })).toContain("NAME  PEOPLE  MAYOR\n");
  });

  it("removes everything that a terminal would obey (S48)", () => {
    const shown = table([{ name: "a\u001b[2Jb\nc\u0007", people: 1 }], COLUMNS, { paint: plainPaint });
    expect(shown.split("\n")).toHaveLength(3);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: that there are none is the point.
    expect(shown).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f]/);
  });

  it("ignores colour codes when it aligns headings", () => {
    const paint = { ...plainPaint, heading: (text: string) => `<${text}>` };
    expect(table(TOWNS, COLUMNS, { paint }).split("\n")[0]).toBe("<NAME  PEOPLE  MAYOR>");
  });
});

describe("a card", () => {
  it("has a fact per line, a line per entry of a list, a dash for an unknown value, and no line for an absent one", () => {
    const facts = [
      ["id", "worker_1"],
      ["job titles", ["Baker", "Driver"]],
      ["phone", null],
      ["units", []],
      ["ended", undefined],
    ] as const;
    expect(card(facts, plainPaint)).toBe(
      ["id          worker_1", "job titles  Baker", "            Driver", "phone       –", "units       –", ""].join(
        "\n",
      ),
    );
  });
});

describe("text for a terminal", () => {
  it.each([
    ["plain", 5],
    ["Åse", 3],
    ["Nguye\u0302\u0303n", 6],
    ["日本", 4],
    ["𠮷野家", 6],
    ["한국", 4],
    ["", 0],
  ])("%s takes %i columns", (text, width) => {
    expect(displayWidth(text)).toBe(width);
  });

  it.each([
    ["line\nbreak", "line break"],
    ["\u001b[31mred\u001b[0m", "red"],
    ["tab\tand bell\u0007", "tab and bell "],
    ["C1\u009b2J", "C1"],
    ["fdp.\u202egnp.exe", "fdp. gnp.exe"],
    ["\u2066a\u2069 b", " a  b"],
    ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645", "\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
  ])("%j is shown as %j", (text, shown) => {
    expect(plain(text)).toBe(shown);
  });
});

describe("a card at a terminal", () => {
  const SENTENCE = "This is not one of our tokens: neither a JWT nor of another form.";

  it("folds a sentence below itself, and leaves what is to be copied on one line", () => {
    const long = "x".repeat(40);
    const command = `gatehouse api-keys issue --integration ${long} --label y`;
    expect(
      card(
        [
          ["because", SENTENCE],
          ["then", leadingTo("another one:", run`gatehouse api-keys issue --integration ${long} --label y`)],
        ],
        plainPaint,
        40,
      ),
    ).toBe(
      [
        "because  This is not one of our tokens:",
        "         neither a JWT nor of another",
        "         form.",
        `then     another one: ${command}`,
        "",
      ].join("\n"),
    );
  });

  it("folds a text that only mentions a command", () => {
    const text = "For what the gatehouse at the north yard reports to payroll.";
    expect(card([["description", text]], plainPaint, 40)).toBe(
      [
        "description  For what the gatehouse at",
        "             the north yard reports to",
        "             payroll.",
        "",
      ].join("\n"),
    );
  });

  it("folds nothing where no terminal is", () => {
    expect(card([["because", SENTENCE]], plainPaint)).toBe(`because  ${SENTENCE}\n`);
  });
});
