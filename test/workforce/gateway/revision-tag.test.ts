import fc from "fast-check";
import { knownTag, toRevisionTag } from "../../../src/workforce/gateway/revision-tag.ts";

const scope = { key: "ghk_one", target: "/v1/users?limit=1", representation: "1" };

describe("entity tags of revisions (R-G10)", () => {
  it("are strong and of the form that the contract promises, for every revision", () => {
    fc.assert(
      fc.property(fc.maxSafeNat(), (revision) => {
        const tag = toRevisionTag(scope, revision);
        return /^"[A-Za-z0-9_-]{1,64}"$/.test(tag) && knownTag(scope, tag)?.revision === revision;
      }),
    );
  });

  it("are read as the highest revision among several, weak and foreign tags included", () => {
    const tags = [3, 12, 7].map((revision) => toRevisionTag(scope, revision));
    expect(knownTag(scope, `"x", W/${tags[1]}, ${tags[0]},${tags[2]}`)).toEqual({ tag: tags[1], revision: 12 });
  });

  it.each([
    ["key", { key: "ghk_two" }],
    ["path or query", { target: "/v1/users" }],
    ["representation", { representation: "2" }],
  ])("are not recognized for another %s", (_, other) => {
    expect(knownTag({ ...scope, ...other }, toRevisionTag(scope, 5))).toBeUndefined();
  });

  it("are not recognized with another revision written in; neither is other text", () => {
    const [tag, tooHigh] = [toRevisionTag(scope, 5), toRevisionTag(scope, 2 ** 54)];
    const others = [tag.replace('"5-', '"6-'), tag.replace('"5-', '"05-'), tag.slice(1), tooHigh, "*", "", undefined];
    for (const text of others) expect(knownTag(scope, text)).toBeUndefined();
  });

  it.each(["br", "gzip"] as const)("carry the revision in the coding %s too", (coding) => {
    const tag = toRevisionTag(scope, 5, coding);
    expect(tag).toMatch(new RegExp(`-${coding}"$`));
    expect(knownTag(scope, tag)).toEqual({ tag, revision: 5 });
    expect(knownTag(scope, tag.replace(coding, "zip"))).toBeUndefined();
  });

  it("are read up to a number", () => {
    const noise = Array.from({ length: 40 }, (_, index) => toRevisionTag({ ...scope, key: "x" }, index));
    expect(knownTag(scope, [...noise, toRevisionTag(scope, 5)].join(","))).toBeUndefined();
  });
});
