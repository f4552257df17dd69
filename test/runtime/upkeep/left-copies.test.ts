import { mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { removeLeftCopies } from "../../../src/runtime/upkeep/left-copies.ts";

const NOW = new Date("2026-11-23T12:00:00Z");
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000);

describe("copies of a store that a killed command left", () => {
  let directory: string;

  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), "gh-copies-"));
  });

  afterEach(() => rmSync(directory, { recursive: true }));

  const left = (files: Readonly<Record<string, number>>) => {
    for (const [file, minutes] of Object.entries(files)) {
      writeFileSync(join(directory, file), "names and addresses");
      utimesSync(join(directory, file), minutesAgo(minutes), minutesAgo(minutes));
    }
    removeLeftCopies(directory, NOW);
    return readdirSync(directory).sort();
  };

  it.each<[string, Readonly<Record<string, number>>, readonly string[]]>([
    ["nothing", {}, []],
    ["a restore's, however new", { "gatehouse.sqlite.restoring": 0, "gatehouse.sqlite.restoring-wal": 0 }, []],
    ["an old plan's", { "gatehouse.sqlite.planning": 90, "gatehouse.sqlite.planning-wal": 61 }, []],
    [
      "one of a plan that is under way",
      { "gatehouse.sqlite.planning": 90, "gatehouse.sqlite.planning-wal": 1 },
      ["gatehouse.sqlite.planning", "gatehouse.sqlite.planning-wal"],
    ],
    [
      "one of two plans, that alone which is under way",
      {
        "gatehouse.sqlite.a1b2c3.planning": 90,
        "gatehouse.sqlite.a1b2c3.planning-wal": 61,
        "gatehouse.sqlite.d4e5f6.planning": 90,
        "gatehouse.sqlite.d4e5f6.planning-wal": 1,
      },
      ["gatehouse.sqlite.d4e5f6.planning", "gatehouse.sqlite.d4e5f6.planning-wal"],
    ],
    [
      "none, but the store itself and a backup",
      { "gatehouse.sqlite": 900, "gatehouse.sqlite-wal": 900, "monday.sqlite": 900 },
      ["gatehouse.sqlite", "gatehouse.sqlite-wal", "monday.sqlite"],
    ],
  ])("%s", (_, files, kept) => {
    expect(left(files)).toEqual(kept);
  });
});
