import { type Kysely, type RawBuilder, sql } from "kysely";
import { inBatches, inWindows, SWEEP_BATCH, sweep, type Window } from "../../../src/runtime/database/sweeping.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";

/** Batches as the embedded store removes them: done before the call returns. */
const full = (batches: number) => {
  const removed: number[] = [];
  const remove = async () => {
    const count = removed.length < batches ? SWEEP_BATCH : SWEEP_BATCH - 1;
    removed.push(count);
    return count;
  };
  return { removed, remove };
};

describe("removing in batches", () => {
  it("continues until a batch is not full", async () => {
    const { removed, remove } = full(3);
    await inBatches(new AbortController().signal, remove);
    expect(removed).toHaveLength(4);
  });

  it("continues after a batch in which one key stood for several rows", async () => {
    const counts = [SWEEP_BATCH + 1, 3 * SWEEP_BATCH, SWEEP_BATCH - 1, 0];
    await inBatches(new AbortController().signal, async () => counts.shift() ?? 0);
    expect(counts).toEqual([0]);
  });

  it("ends after the running batch when it is aborted", async () => {
    const ending = new AbortController();
    const { removed, remove } = full(100);
    await inBatches(ending.signal, async () => {
      if (removed.length === 2) ending.abort();
      return remove();
    });
    expect(removed).toHaveLength(3);
  });

  it("lets the process answer others between two batches, however many there are", async () => {
    const { removed, remove } = full(1_000);
    const seen: number[] = [];
    const asked = setInterval(() => void seen.push(removed.length), 0);
    await inBatches(new AbortController().signal, async () => {
      // As long as a batch takes, and nothing else can run meanwhile.
      const until = performance.now() + 0.2;
      while (performance.now() < until);
      return remove();
    });
    clearInterval(asked);
    expect(seen.length).toBeGreaterThan(10);
    expect(new Set(seen).size).toBeGreaterThan(10);
  });
});

eachStore((_, open) => {
  describe("a sweep along the key", () => {
    const NOW = 1_000_000;
    const OLD = 10;
    const YOUNG = NOW - 10;
    const AHEAD = 9 * NOW;
    const BEHIND = -9 * NOW;
    const rows = (count: number, at: number): readonly number[] => Array.from({ length: count }, () => at);

    async function leftOf(instants: readonly number[], unless?: RawBuilder<unknown>) {
      const db = (await open()).store.view<unknown>();
      await sql`create table log (number bigint primary key, at bigint not null)`.execute(db);
      for (let from = 0; from < instants.length; from += 1_000) {
        const values = instants.slice(from, from + 1_000).map((at, index) => sql`(${from + index}, ${at})`);
        await sql`insert into log (number, at) values ${sql.join(values)}`.execute(db);
      }
      const swept = {
        table: "log",
        key: "number",
        age: "at",
        inOrder: true,
        now: NOW,
        ...(unless && { unless }),
      } as const;
      const asked = await watchStatements(() => sweep(db, swept, NOW / 2, new AbortController().signal));
      const { rows: left } = await sql<{ readonly at: number }>`select at from log order by number`.execute(db);
      return { left: left.map(({ at }) => Number(at)), asked: asked.length };
    }

    it.each<[string, readonly number[], readonly number[]]>([
      ["removes what is old", [...rows(700, OLD), ...rows(3, YOUNG)], rows(3, YOUNG)],
      ["removes all when all is old", rows(1_100, OLD), []],
      ["leaves what is young", rows(1_100, YOUNG), rows(1_100, YOUNG)],
      [
        "removes what was written while the clock was ahead, once what follows is old",
        [...rows(2, OLD), ...rows(1_300, AHEAD), ...rows(4, OLD), ...rows(5, YOUNG)],
        rows(5, YOUNG),
      ],
      [
        "leaves it while nothing that follows is old",
        [...rows(1_300, AHEAD), ...rows(5, YOUNG)],
        [...rows(1_300, AHEAD), ...rows(5, YOUNG)],
      ],
      [
        "leaves what is before rows that were written while the clock was behind (R-X392)",
        [...rows(2, OLD), ...rows(3, YOUNG), ...rows(2, BEHIND), ...rows(3, YOUNG)],
        [...rows(3, YOUNG), ...rows(2, BEHIND), ...rows(3, YOUNG)],
      ],
      [
        "takes what is exactly as old as is kept for young",
        [...rows(2, OLD), NOW / 2, ...rows(2, BEHIND)],
        [NOW / 2, ...rows(2, BEHIND)],
      ],
      ["takes what is written now for young", [...rows(2, OLD), NOW, ...rows(2, BEHIND)], [NOW, ...rows(2, BEHIND)]],
      [
        "leaves it where these are the last ones",
        [...rows(3, YOUNG), ...rows(600, BEHIND)],
        [...rows(3, YOUNG), ...rows(600, BEHIND)],
      ],
    ])("%s", async (_, instants, left) => {
      expect((await leftOf(instants)).left).toEqual(left);
    });

    it("asks no more for a young beginning than it", async () => {
      expect((await leftOf(rows(1_100, YOUNG))).asked).toBe(1);
    });

    it("passes over rows that stay, and comes to its end", async () => {
      const { left } = await leftOf([...rows(1_100, OLD), ...rows(3, YOUNG)], sql`number < 600`);
      expect(left).toEqual([...rows(600, OLD), ...rows(3, YOUNG)]);
    });
  });

  describe("windows along numbers (R-X335)", () => {
    const NEVER = new AbortController().signal;
    let db: Kysely<unknown>;

    beforeEach(async () => {
      db = (await open()).store.view<unknown>();
      for (const table of ["waiting", "done"])
        await sql`create table ${sql.table(table)} (sequence bigint primary key)`.execute(db);
    });

    const insert = (table: string, sequences: readonly number[]) =>
      sql`insert into ${sql.table(table)} (sequence)
          values ${sql.join(sequences.map((sequence) => sql`(${sequence})`))}`.execute(db);
    const range = (from: number, count: number) => Array.from({ length: count }, (_, index) => from + index);
    const windowsOf = async (signal = NEVER) => {
      const windows: Window[] = [];
      await inWindows(db, ["waiting", "done"], signal, async (window) => void windows.push(window));
      return windows;
    };

    it.each<[string, readonly number[], readonly number[], readonly Window[]]>([
      ["of no row", [], [], []],
      ["of one row", [7], [], [{ after: 0, until: 7 }]],
      [
        "of rows on both sides of a restore",
        [7, 1_000_000_000_000],
        [9, 1_000_000_000_001],
        [{ after: 0, until: 1_000_000_000_001 }],
      ],
      [
        "of full windows",
        range(1, 1_500),
        range(5_001, 500),
        [
          { after: 0, until: 1_000 },
          { after: 1_000, until: 5_500 },
        ],
      ],
      [
        "of both tables mixed",
        range(1, 10),
        range(11, 1_000),
        [
          { after: 0, until: 1_000 },
          { after: 1_000, until: 1_010 },
        ],
      ],
    ])("%s", async (_, waiting, done, windows) => {
      if (waiting.length > 0) await insert("waiting", waiting);
      if (done.length > 0) await insert("done", done);
      expect((await windowsOf()).slice(0, windows.length)).toEqual(windows);
      const asked = await watchStatements(async () => void (await windowsOf()));
      expect(asked.length).toBeLessThanOrEqual(windows.length + 1);
    });

    it("end when it is aborted", async () => {
      await insert("waiting", range(1, 1_500));
      expect(await windowsOf(AbortSignal.abort())).toEqual([]);
    });
  });
});
