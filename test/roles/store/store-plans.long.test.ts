import { spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, utimesSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { readConfig } from "../../../src/config.ts";
import { migrations } from "../../../src/roles/owners.ts";
import type { Answer } from "../../../src/roles/store/store-alone.ts";
import { migrateStore } from "../../../src/roles/store/store-moves.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { slowToCheck } from "../../support/slow-check.ts";
import { onPostgres } from "../../support/stores.ts";

/** The command that comes next, as an answer names it. */
const nextOf = ({ next }: Answer): string => next({ serve: "gatehouse serve", places: "" });

describe("gatehouse store migrate --plan", () => {
  let directory: string;

  beforeEach(async () => {
    directory = newFolder("gh-plans-");
    const store = openSqlite(storePath(directory));
    await migrate(store, migrations.slice(0, 1), new Date(0));
    await store.close();
  });

  const config = () => readConfig({ flags: { "data-directory": directory }, environment: {}, roles: [] });
  const plan = () => migrateStore(config(), undefined, { json: true, plan: true, to: undefined });
  const copies = () => readdirSync(directory).filter((name) => name.includes("planning"));

  it("removes the copies that killed plans left, so that they do not fill the disk (R-X252)", async () => {
    const [left, underWay] = ["gatehouse.sqlite.a1b2c3.planning", "gatehouse.sqlite.d4e5f6.planning"] as const;
    for (const file of [left, underWay]) writeFileSync(join(directory, file), "names and addresses");
    const twoHoursAgo = new Date(Date.now() - 2 * 60 * 60 * 1000);
    utimesSync(join(directory, left), twoHoursAgo, twoHoursAgo);
    await plan();
    expect(copies()).toEqual([underWay]);
  });

  it.each<NodeJS.Signals>(["SIGINT", "SIGTERM"])("removes its copy when %s ends it (R-X252)", async (signal) => {
    // The copy is there for longer than a busy machine takes to see it and to send the signal.
    slowToCheck(storePath(directory));
    const words = ["store", "migrate", "--plan", `--data-directory=${directory}`];
    const running = spawn(process.execPath, ["src/main.ts", ...words], { stdio: "ignore" });
    const ended = once(running, "exit");
    const begun = await eventually(
      async () => copies(),
      ({ length }) => length === 1,
    );
    running.kill(signal);
    expect([begun.length, await ended]).toEqual([1, [null, signal]]);
    expect(copies()).toEqual([]);
  });

  it("has a copy of its own, so that several plans at once do not disturb each other (R-X252)", async () => {
    const plans = await Promise.all([plan(), plan(), plan()]);
    const steps = plans.map(({ json }) => (json as { readonly steps: readonly unknown[] }).steps.length);
    expect(steps[0]).toBeGreaterThan(0);
    expect(new Set(steps).size).toBe(1);
    expect(copies()).toEqual([]);
  });

  it("names the backup before an upgrade (R-X252)", async () => {
    expect(nextOf(await plan())).toBe("gatehouse store backup <file>, then start this program");
  });
});

onPostgres((open) => {
  it("of a plan names no backup that Gatehouse refuses to make (R-X252)", async () => {
    const { location } = await open();
    const config = readConfig({ flags: { "store-url": location }, environment: {}, roles: [] });
    expect(nextOf(await migrateStore(config, undefined, { json: false, plan: true, to: undefined }))).toBe(
      "a backup with PostgreSQL's own tools (docs/operations/backup-and-restore.md), then start this program",
    );
  });
});
