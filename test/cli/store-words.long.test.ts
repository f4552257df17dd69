import { spawnSync } from "node:child_process";
import { existsSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { migrations } from "../../src/roles/owners.ts";
import { systemClock } from "../../src/runtime/basis/clock.ts";
import { migrate } from "../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../src/runtime/database/sqlite/store-file.ts";
import { newFolder } from "../support/folder.ts";

describe("gatehouse store restored, restore, migrate and copy: words that a command does not take", () => {
  let directory: string;

  beforeEach(() => {
    directory = newFolder("gh-words-");
  });

  const run = (words: readonly string[]) =>
    spawnSync(process.execPath, ["src/main.ts", "store", ...words, "--data-directory", directory], {
      encoding: "utf8",
      env: { PATH: process.env.PATH },
    });

  it.each([
    ["restored", ["restored", "monday.sqlite"], "monday.sqlite"],
    ["restored", ["restored", "--plan"], "--plan"],
    ["restore", ["restore", "monday.sqlite", "--plan"], "--plan"],
    ["migrate", ["migrate", "plan"], "plan"],
    ["migrate", ["migrate", "--to", "postgresql://host/name"], "--to"],
    ["copy", ["copy", "postgresql://host/name"], "postgresql://host/name"],
    ["copy", ["copy", "--plan"], "--plan"],
  ])("%s refuses %j, where it would do another thing than was meant", (command, words, stray) => {
    const { status, stdout, stderr } = run(words);
    expect([status, stdout, stderr]).toEqual([
      78,
      "",
      `gatehouse: gatehouse store ${command} does not take ${stray}. Nothing was changed. See: gatehouse store ${command} --help\n`,
    ]);
    expect(readdirSync(directory)).toEqual([]);
  });

  it.each([
    ["--plan", ["migrate", "--plan", "later"]],
    ["--json", ["restored", "--json", "monday.sqlite"]],
  ])("refuses a word behind the switch %s", (flag, words) => {
    const { status, stderr } = run(words);
    expect([status, stderr]).toEqual([78, expect.stringContaining(`${flag} (${words.at(-1)}): must be true or false`)]);
  });

  it("migrates where --plan is switched off", async () => {
    const store = openSqlite(storePath(directory));
    await migrate(store, migrations, systemClock.now());
    await store.close();
    const { status, stdout } = run(["migrate", "--plan=false", "--json=true"]);
    expect([status, JSON.parse(stdout)]).toEqual([0, { steps: 0 }]);
    expect(existsSync(join(directory, "gatehouse.store"))).toBe(true);
  });
});
