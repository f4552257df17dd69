import { globSync, readFileSync } from "node:fs";
import { toShownAddress } from "../../src/cli/commands/tenants/postal-address.ts";
import { parseInstant, parseWholeNumber } from "../../src/cli/input/flags.ts";
import { toJsonInstant, toShownInstant } from "../../src/cli/output/instant.ts";
import { folded, shellWord } from "../../src/runtime/basis/terminal-lines.ts";

describe("instants", () => {
  it.each([
    ["2027-01-31", "2027-01-31T00:00:00.000Z"],
    ["2027-01-31T12:00:00Z", "2027-01-31T12:00:00.000Z"],
    ["2027-01-31T12:00+02:00", "2027-01-31T10:00:00.000Z"],
  ])("%s is read as %s", (text, instant) => {
    expect(parseInstant(text).toISOString()).toBe(instant);
  });

  it("refuses an instant that is in no year from 1 to 9999 in UTC", () => {
    expect(["0001-01-01", "9999-12-31T23:59:59Z"].map((text) => parseInstant(text).getUTCFullYear())).toEqual([
      1, 9999,
    ]);
    for (const text of ["0000-06-01", "0001-01-01T00:00+01:00", "9999-12-31T23:59-01:00"])
      expect(() => parseInstant(text)).toThrow("It must be a date like");
  });

  it.each(["tomorrow", "31.01.2027", "2027-13-01", "2027-02-30", "2026-11-31T00:00:00Z", "2027-01-31T12:00:00", ""])(
    "%j is refused",
    (text) => {
      expect(() => parseInstant(text)).toThrow("It must be a date like");
    },
  );

  it("are printed to the minute, and in JSON to the millisecond; an absent one is null", () => {
    const at = new Date("2026-11-20T10:54:03.412Z");
    expect([toShownInstant(at), toJsonInstant(at)]).toEqual(["2026-11-20 10:54 UTC", "2026-11-20T10:54:03.412Z"]);
    expect([toShownInstant(null), toJsonInstant(undefined)]).toEqual([null, null]);
  });
});

describe("whole numbers", () => {
  it.each([
    ["0", 0],
    ["500", 500],
  ])("%s is read", (text, number) => {
    expect(parseWholeNumber(text)).toBe(number);
  });

  it.each(["-1", "1.5", "1e3", "0x10", "", "99999999999"])("%j is refused", (text) => {
    expect(() => parseWholeNumber(text)).toThrow("It must be a whole number.");
  });
});

describe("a word of a shell", () => {
  it.each([
    ["Europe", "Europe"],
    ["user@mail.example", "user@mail.example"],
    ["Harbour Bakery", "'Harbour Bakery'"],
    ["Queen's Row", String.raw`'Queen'\''s Row'`],
    ["$(reboot)", "'$(reboot)'"],
    ["", "''"],
  ])("%j becomes %s", (text, word) => {
    expect(shellWord(text)).toBe(word);
  });
});

describe("an address on one line", () => {
  const none = { address1: null, address2: null, postalCode: null, city: null, zoneCode: null, isoCountryCode: null };

  it.each([
    [
      { ...none, address1: "Speicherkai 12", postalCode: "20457", city: "Hamburg", isoCountryCode: "DE" },
      "Speicherkai 12, 20457 Hamburg, DE",
    ],
    [{ ...none, city: "Portland", zoneCode: "OR" }, "Portland OR"],
    [none, null],
    [null, null],
  ])("%j is %s", (address, line) => {
    expect(toShownAddress(address)).toBe(line);
  });
});

describe("sentences at a terminal", () => {
  const terminal = { isTTY: true, columns: 24 };

  it.each([
    ["It is shown this once, so store it now.", "", "It is shown this once,\nso store it now."],
    ["  --name must have at most 200 characters", "", "  --name must have at\n    most 200 characters"],
    [
      "See what there is:",
      "gatehouse users list --tenant 'Two  spaces'",
      "See what there is:\n  gatehouse users list --tenant 'Two  spaces'",
    ],
    ["There are: A, B", "(gatehouse roles list --tenant x)", "There are: A, B\n  (gatehouse roles list --tenant x)"],
    ["", "gatehouse audit list --object x --limit 1", "gatehouse audit list --object x --limit 1"],
    ["  and more:", "gatehouse units list", "  and more:\n    gatehouse units list"],
    ["Without: gatehouse people invite. Or delete it.", "", "Without: gatehouse\npeople invite. Or\ndelete it."],
    ["There are: Payroll, Night: gatehouse crew", "", "There are: Payroll,\nNight: gatehouse crew"],
    ["short", "", "short"],
    ["See:", "gatehouse --help", "See: gatehouse --help"],
  ])("%j is folded, and its command %j is not", (text, command, shown) => {
    expect(folded(text, terminal, command)).toBe(shown);
  });

  it.each([
    ["no terminal", {}],
    ["a terminal that says 0, since it does not know its width", { isTTY: true, columns: 0 }],
  ])("is unchanged at %s", (_, elsewhere) => {
    const line = "It is shown this once, so store it now.";
    expect(folded(line, elsewhere)).toBe(line);
  });
});

describe("what there is not", () => {
  it.each(globSync("src/cli/commands/**/*.ts"))("is left to the table, which has one sign for it: %s", (path) => {
    expect(readFileSync(path, "utf8")).not.toMatch(/\? "[-–—]"|: "[-–—]"/);
  });
});
