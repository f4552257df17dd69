import { Failure } from "../../src/runtime/basis/errors.ts";
import { type FieldReader, readFields, readWrite } from "../../src/workforce/request-fields.ts";

const reasons = (read: (fields: FieldReader) => unknown): readonly string[] => {
  try {
    readFields(read);
    return [];
  } catch (error) {
    return error instanceof Failure ? error.violations.map(({ field, reason }) => `${field} ${reason}`) : ["?"];
  }
};

describe("the fields of a write", () => {
  it("are read trimmed; blank optional ones count as absent", () => {
    const values = readFields((fields) => ({
      text: fields.text("text", "  Harbour Bakery\t", 20),
      blank: fields.optionalText("blank", "  ", 20),
      absent: fields.optionalText("absent", undefined, 20),
      id: fields.optionalId("id", "tenant", ""),
    }));
    expect(values).toEqual({ text: "Harbour Bakery", blank: null, absent: null, id: null });
  });

  it("may be as long as their limit, counted without the spaces around", () => {
    expect(reasons((fields) => fields.text("text", ` ${"x".repeat(5)} `, 5))).toEqual([]);
    expect(reasons((fields) => fields.text("text", "x".repeat(6), 5))).toEqual(["text must have at most 5 characters"]);
  });

  it("a request id is stored as it is, and so measured with the spaces around it (R-G18)", () => {
    const reasonsOf = (requestId: string) => reasons(() => readWrite({ requestId }, () => undefined));
    expect(reasonsOf(` ${"x".repeat(98)}\t`)).toEqual([]);
    expect(reasonsOf(`x${" ".repeat(100)}`)).toEqual(["request_id must have at most 100 characters"]);
    expect(reasonsOf("\vx")).toEqual(["request_id must not hold control characters"]);
  });

  it("are measured in characters, of which one may be two UTF-16 units", () => {
    expect(reasons((fields) => fields.text("text", "🥐".repeat(5), 5))).toEqual([]);
    expect(reasons((fields) => fields.text("text", "🥐".repeat(6), 5))).toEqual([
      "text must have at most 5 characters",
    ]);
    expect(reasons((fields) => fields.text("text", "🥐".repeat(11), 5))).toEqual([
      "text must have at most 5 characters",
    ]);
  });

  it.each([
    ["NUL", "a\0b"],
    ["escape", "a\u001bb"],
    ["delete", "a\u007fb"],
    ["a C1 control", "a\u0085b"],
    ["half a surrogate pair", "a\ud800b"],
  ])("must not hold %s", (_, text) => {
    expect(reasons((fields) => fields.text("text", text, 10))).toEqual(["text must not hold control characters"]);
  });

  it.each([
    ["a tab", "a\tb"],
    ["line breaks", "a\r\nb"],
    ["letters beyond ASCII", "Ünïcodé 例 🥐"],
  ])("may hold %s", (_, text) => {
    expect(readFields((fields) => fields.text("text", text, 20))).toBe(text);
  });

  it.each([
    ["NL", "NL"],
    ["nl", "NL"],
    [" no ", "NO"],
    ["", null],
    [undefined, null],
  ])("a country %p is read as %p", (isoCountryCode, code) => {
    expect(readFields((fields) => fields.address("address", { isoCountryCode })).isoCountryCode).toBe(code);
  });

  it.each(["N", "NLD", "N1", "ÅÅ", "N\0"])("a country %p is refused", (isoCountryCode) => {
    expect(reasons((fields) => fields.address("address", { isoCountryCode }))).toEqual([
      "address.iso_country_code must be two letters (ISO 3166-1 alpha-2)",
    ]);
  });

  it("an absent address has no known parts", () => {
    expect(new Set(Object.values(readFields((fields) => fields.address("address", null))))).toEqual(new Set([null]));
  });

  it("lists are bounded, and have each entry once", () => {
    const texts = (given: readonly string[]) => reasons((fields) => fields.texts("titles", given, 9, 2));
    expect(texts(["a", "b"])).toEqual([]);
    expect(texts(["a", "b", "c"])).toEqual(["titles must have at most 2 entries"]);
    expect(texts(["a", " a"])).toEqual(["titles must not repeat an entry"]);
    expect(texts(["a", ""])).toEqual(["titles[1] is missing"]);
  });

  it("lists repeat no entry when each of several is wrong in its own way", () => {
    const ids = (given: readonly string[]) => reasons((fields) => fields.ids("unit_ids", "organizationUnit", given, 9));
    const form = "must be unit_ followed by 21 letters or digits";
    expect(ids(["kitchen", "bakery"])).toEqual([`unit_ids[0] ${form}`, `unit_ids[1] ${form}`]);
    const unit = `unit_${"a".repeat(21)}`;
    expect(ids([unit, unit])).toEqual(["unit_ids must not repeat an entry"]);
  });

  it("are refused in one sentence that names them all", () => {
    const read = () =>
      readFields((fields) => [
        fields.id("tenant_id", "tenant", "x"),
        fields.email("email", "x"),
        fields.text("name", "", 5),
      ]);
    expect(read).toThrow(
      "tenant_id must be client_ followed by 21 letters or digits; email must be an e-mail address; name is missing.",
    );
  });
});
