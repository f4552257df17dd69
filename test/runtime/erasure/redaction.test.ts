import { type Redaction, Redactions } from "../../../src/runtime/erasure/redaction.ts";

const idOf = (kind: string, letter = "a") => `${kind}_${letter.repeat(21)}`;
const USER = idOf("user");
const MANAGER = idOf("user", "m");
const TENANT = idOf("client");

const redaction = (id: string, more: Partial<Redaction> = {}): Redaction => ({
  id,
  namedBy: ["userId", "id"],
  members: { fullName: "Erased person", email: "nobody", roles: [] },
  deep: false,
  ...more,
});
const redacted = (value: unknown, ...redactions: readonly Redaction[]): unknown => {
  const after = new Redactions(redactions).redacted(JSON.stringify(value));
  return after === undefined ? "as it was" : JSON.parse(after);
};

describe("redacted messages (R-X264)", () => {
  it.each<[string, unknown, unknown]>([
    ["the object of the thing", { userId: USER, email: "e", age: 1 }, { userId: USER, email: "nobody", age: 1 }],
    [
      "an object inside another thing's",
      { userId: MANAGER, email: "m", manager: { id: USER, email: "e" } },
      { userId: MANAGER, email: "m", manager: { id: USER, email: "nobody" } },
    ],
    [
      "objects in lists",
      [
        { id: USER, fullName: "F" },
        { id: MANAGER, fullName: "M" },
      ],
      [
        { id: USER, fullName: "Erased person" },
        { id: MANAGER, fullName: "M" },
      ],
    ],
    ["a member of another form", { id: USER, roles: ["a"] }, { id: USER, roles: [] }],
    [
      "no member whose name every object has",
      { id: USER, email: "e", constructor: 1, toString: 2 },
      { id: USER, email: "nobody", constructor: 1, toString: 2 },
    ],
    ["nothing below it", { id: USER, of: { email: "e" } }, "as it was"],
    ["nothing where the id is a mere reference", { managerId: USER, email: "e" }, "as it was"],
    ["nothing of things that are not erased", { userId: MANAGER, email: "e" }, "as it was"],
    ["no member that is not there", { entity: { type: "user", id: USER } }, "as it was"],
  ])("loses %s", (_, before, after) => {
    expect(redacted(before, redaction(USER))).toEqual(after);
  });

  it("loses everything below the object of a thing whose redaction is deep, and nothing beside it", () => {
    const body = {
      id: "event",
      data: { clientId: TENANT, email: "e", of: [{ email: "f" }, { email: "g" }] },
      email: "h",
    };
    expect(
      redacted(body, redaction(TENANT, { namedBy: ["clientId"], members: { email: "nobody" }, deep: true })),
    ).toEqual({
      id: "event",
      data: { clientId: TENANT, email: "nobody", of: [{ email: "nobody" }, { email: "nobody" }] },
      email: "h",
    });
  });

  it.each([
    ["before", 0],
    ["after", 1],
  ])("loses what each of two things says that one object names, the deep one %s the other", (_, place) => {
    const tenant = redaction(TENANT, { namedBy: ["clientId"], members: { email: "gone", name: "-" }, deep: true });
    const both = [redaction(USER)].toSpliced(place, 0, tenant);
    const ids = Object.entries({ userId: USER, clientId: TENANT });
    for (const named of [ids, ids.toReversed()]) {
      const body = { ...Object.fromEntries(named), fullName: "F", email: "e", manager: { id: MANAGER, email: "m" } };
      expect(redacted(body, ...both)).toEqual({
        ...body,
        fullName: "Erased person",
        email: "nobody",
        manager: { id: MANAGER, email: "gone" },
      });
    }
  });

  it("keeps the order of members, and is as it was when it is redacted again", () => {
    const redactions = new Redactions([redaction(USER)]);
    const once = redactions.redacted(JSON.stringify({ b: 1, email: "e", id: USER, a: 2 }));
    expect(once).toBe(`{"b":1,"email":"nobody","id":"${USER}","a":2}`);
    expect(redactions.redacted(once ?? "")).toBeUndefined();
  });

  it("finds the id in bytes that are no text, and no id that is the beginning of a longer word", () => {
    const redactions = new Redactions([redaction(USER)]);
    const encoded = Buffer.from([0x0a, 0x1a, ...Buffer.from(USER), 0x12, 0xff]).toString("latin1");
    expect(redactions.concern(encoded)).toBe(true);
    expect(redactions.concern(`"${MANAGER}"`)).toBe(false);
  });
});
