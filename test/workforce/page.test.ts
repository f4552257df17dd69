import type { Failure } from "../../src/runtime/basis/errors.ts";
import { cutPage, readPage, toPageValues } from "../../src/workforce/page.ts";

const start = { createdAt: new Date(5), id: "user_2VfRk7TqLs9XmC4BwD6Hn" };
const entries = [1, 2, 3].map((ms) => ({ createdAt: new Date(ms), id: String(ms) }));

describe("pages (R-G9)", () => {
  it("are the whole list unless asked otherwise", () => {
    expect(readPage({}, "user")).toEqual({ limit: null, after: null });
    expect(readPage({ limit: 1_000, after: start }, "user")).toEqual({ limit: 1_000, after: start });
  });

  it.each([
    ["limit", { limit: 0 }],
    ["limit", { limit: 1_001 }],
    ["after.created_at", { after: { ...start, createdAt: null } }],
    ["after.id", { after: { ...start, id: "worker_9LmXt4KcZq7WvB2NhR5Sd" } }],
  ])("are refused with a wrong %s", (field, request) => {
    let refused: Failure | undefined;
    try {
      readPage(request, "user");
    } catch (error) {
      refused = error as Failure;
    }
    expect(refused).toMatchObject({ code: "INVALID_ARGUMENT", violations: [{ field }] });
  });

  it("look for one entry more than they have", () => {
    expect(toPageValues({ limit: 2, after: start })).toEqual({ afterCreatedAt: 5, afterId: start.id, count: 3 });
    expect(toPageValues({ limit: null, after: null }).count).toBe(2 ** 31 - 1);
  });

  it.each([
    ["more than a page", 2, 2, entries[1]],
    ["exactly one page", 3, 3, null],
    ["less than a page", 4, 3, null],
    ["no limit", null, 3, null],
  ])("are cut: %s", (_, limit, count, next) => {
    const cut = cutPage(entries, { limit, after: null }, (entry) => entry);
    expect(cut).toEqual({ entries: entries.slice(0, count), next });
  });
});
