import { partInOurWords } from "../../../src/runtime/http/path-ids.ts";

describe("a wrong part of a request", () => {
  const detail = 'must match pattern "^client_"';

  it("has the form of the id in words when it is an id of the path (R-G13)", () => {
    expect(partInOurWords({ in: "path", name: "clientId", detail }, { clientId: "tenant" })).toEqual({
      in: "path",
      name: "clientId",
      detail: "must be client_ followed by 21 letters or digits",
    });
  });

  it.each([
    ["another parameter of the path", { in: "path", name: "number", detail }],
    ["a parameter of the query with the name of an id", { in: "query", name: "clientId", detail }],
  ] as const)("keeps the validator's words when it is %s", (_, part) => {
    expect(partInOurWords(part, { clientId: "tenant" })).toEqual(part);
  });
});
