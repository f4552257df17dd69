import fc from "fast-check";
import { parseCursor, toCursor } from "../../../src/workforce/gateway/cursor.ts";

const scope = { operationId: "listUsers", path: "/v1/users", key: "ghk_one" };
const start = { createdAt: new Date("2026-06-30T08:15:27.412Z"), id: "user_2VfRk7TqLs9XmC4BwD6Hn" };
const cursor = toCursor(scope, start);

describe("cursors (R-G9)", () => {
  it("lead back to the place that they were made for", () => {
    expect(parseCursor(scope, "user", cursor)).toEqual(start);
  });

  it("fit the contract: base64url, at most 512 characters", () => {
    expect(cursor).toMatch(/^[A-Za-z0-9_-]{1,512}$/);
  });

  it.each([
    ["another operation", { operationId: "listWorkersV2" }],
    ["another path", { path: "/v1/users2" }],
    ["another key", { key: "ghk_two" }],
  ])("are rejected with %s", (_, other) => {
    expect(parseCursor({ ...scope, ...other }, "user", cursor)).toBeUndefined();
  });

  it("are rejected for entries of another kind, though sealed for them", () => {
    expect(parseCursor(scope, "worker", cursor)).toBeUndefined();
  });

  it.each([
    ["an id of no kind", { ...start, id: "'; drop table" }],
    ["an instant that is none", { ...start, createdAt: new Date(Number.NaN) }],
    ["an instant before all", { ...start, createdAt: new Date(-1) }],
  ])("are rejected with %s, though sealed with the right key", (_, wrong) => {
    expect(parseCursor(scope, "user", toCursor(scope, wrong))).toBeUndefined();
  });

  it("are rejected with any one character changed, added or left out", () => {
    const broken = [...cursor].flatMap((character, index) => [
      cursor.slice(0, index) + (character === "A" ? "B" : "A") + cursor.slice(index + 1),
      cursor.slice(0, index) + cursor.slice(index + 1),
      `${cursor.slice(0, index)}=${cursor.slice(index)}`,
      // Buffer reads over a space.
      `${cursor.slice(0, index)} ${cursor.slice(index)}`,
    ]);
    expect(broken.filter((one) => parseCursor(scope, "user", one) !== undefined)).toEqual([]);
  });

  it("any other text is rejected", () => {
    fc.assert(fc.property(fc.string({ unit: "binary" }), (text) => parseCursor(scope, "user", text) === undefined));
  });
});
