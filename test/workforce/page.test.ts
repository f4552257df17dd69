import type { Failure } from "../../src/runtime/basis/errors.ts";
import { cutPage } from "../../src/runtime/basis/paged-list.ts";
import {
  BATCH_ENTRIES,
  type LimitedPage,
  readBatches,
  readPage,
  toPageValues,
  WHOLE_LIST,
} from "../../src/workforce/page.ts";
import { collect } from "../support/collect.ts";

const start = { createdAt: new Date(5), id: "user_2VfRk7TqLs9XmC4BwD6Hn" };
const entries = [1, 2, 3].map((ms) => ({ createdAt: new Date(ms), id: String(ms) }));

describe("pages (R-G9)", () => {
  it("are the whole list unless a limit is given", () => {
    expect(readPage({}, "user")).toEqual({ limit: null, after: null });
    expect(readPage({ limit: 1_000, after: start }, "user")).toEqual({ limit: 1_000, after: start });
  });

  it.each([
    ["limit", { limit: 0 }],
    ["limit", { limit: 1_001 }],
    ["after.created_at", { after: { ...start, createdAt: null } }],
    ["after.created_at", { after: { ...start, createdAt: new Date(9e15) } }],
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

  it("read one entry more than they return", () => {
    expect(toPageValues({ limit: 2, after: start })).toEqual({ afterCreatedAt: 5, afterId: start.id, count: 3 });
    expect(toPageValues({ limit: 1, after: null }).count).toBe(2);
  });

  it.each([
    ["more than a page", 2, 2, entries[1]],
    ["exactly one page", 3, 3, null],
    ["less than a page", 4, 3, null],
  ])("are cut: %s", (_, limit, count, next) => {
    const cut = cutPage(entries, { limit }, (entry) => entry);
    expect(cut).toEqual({ entries: entries.slice(0, count), next });
  });
});

describe("the batches of a whole list", () => {
  /** A list of so many entries, and what was read of it. */
  const listOf = (count: number) => {
    const all = Array.from({ length: count }, (_, ms) => ({ createdAt: new Date(ms), id: `${ms}` }));
    const reads: LimitedPage[] = [];
    const read = async (page: LimitedPage) => {
      reads.push(page);
      const first = page.after === null ? 0 : Number(page.after.id) + 1;
      return all.slice(first, first + page.limit + 1);
    };
    return { all, reads, batches: () => readBatches(WHOLE_LIST, read, (entry) => entry) };
  };
  const B = BATCH_ENTRIES;

  it.each([
    [0, [0]],
    [1, [1]],
    [B, [B]],
    [B + 1, [B, 1]],
    [3 * B, [B, B, B]],
  ])("hold all of %i entries once, in order, with one read for each", async (count, lengths) => {
    const { all, reads, batches } = listOf(count);
    const got = await collect(batches());
    expect(got.map(({ entries }) => entries.length)).toEqual(lengths);
    expect(got.flatMap(({ entries }) => entries)).toEqual(all);
    expect(got.map(({ next }) => next)).toEqual(lengths.map(() => null));
    expect(reads.map(({ limit }) => limit)).toEqual(lengths.map(() => B));
  });

  it("are none but the first without entries, also when the rest of a list goes meanwhile", async () => {
    const { all, batches } = listOf(2 * B + 1);
    const lengths: number[] = [];
    for await (const { entries } of batches()) {
      lengths.push(entries.length);
      if (lengths.length === 2) all.pop();
    }
    expect(lengths).toEqual([B, B]);
  });

  it("are read when they are asked for", async () => {
    const { reads, batches } = listOf(10 * B);
    for await (const _ of batches()) if (reads.length === 2) break;
    expect(reads).toHaveLength(2);
  });

  it("let other work run between two batches", async () => {
    const { batches } = listOf(10 * B);
    let turns = 0;
    let reading = true;
    const turn = () => {
      turns++;
      if (reading) setImmediate(turn);
    };
    setImmediate(turn);
    await collect(batches());
    reading = false;
    expect(turns).toBeGreaterThanOrEqual(9);
  });

  it("are one page, with the start of the next, when there is a limit (R-G9)", async () => {
    const read = async () => entries;
    const got = await collect(readBatches({ limit: 2, after: null }, read, (entry) => entry));
    expect(got).toEqual([{ entries: entries.slice(0, 2), next: entries[1] }]);
  });
});
