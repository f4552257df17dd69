import { execFileSync } from "node:child_process";
import { cpSync, mkdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { STORE_FILE_STATES } from "../../../src/runtime/database/sqlite/store-file.ts";
import { backUp } from "../../../src/runtime/upkeep/backup.ts";
import { MAIN } from "../../support/processes.ts";
import { unpackStore } from "../../upgrade/store-of-before.ts";

/** Entries of the fixture `aged` before this instant are to be swept: 1,500 of them. */
export const AGED_BEFORE = 1_000_000;
const AGED = 1_500;

/**
 * Makes in `folder`: an `empty` directory, a store of an `earlier` program, the same at `present` in epoch 2, a backup of
 * it, an `aged` one with many old audit entries, one that has `replaced` a store that was killed, and a copy that every
 * run of the laboratory may spoil first (`warm`).
 */
export async function makeFixtures(folder: string): Promise<void> {
  const at = (name: string) => join(folder, name);
  mkdirSync(at("empty"), { mode: 0o700 });
  await unpackStore("store-1", at("earlier"));
  cpSync(at("earlier"), at("present"), { recursive: true });
  execFileSync(process.execPath, [MAIN, "store", "restored", "--json", `--data-directory=${at("present")}`]);
  await backUp(join(at("present"), "gatehouse.sqlite"), at("backup.sqlite"), new AbortController().signal);
  cpSync(at("present"), at("aged"), { recursive: true });
  const handle = new BetterSqlite3(join(at("aged"), "gatehouse.sqlite"));
  handle.exec(`with recursive numbers (number) as (select 1 union all select number + 1 from numbers where number < ${AGED})
    insert into audit_entries (sequence, at, actor, action, object, request_id, facts)
    select -number, ${AGED_BEFORE} - number, actor, action, object, request_id, facts
    from numbers, (select * from audit_entries limit 1)`);
  handle.close();
  cpSync(at("present"), at("replaced"), { recursive: true });
  const killed = join(at("replaced"), REPLACED);
  mkdirSync(killed, { mode: 0o700 });
  leaveAsKilled(join(at("present"), "gatehouse.sqlite"), join(killed, "gatehouse.sqlite"));
}

/** In `replaced`: the folder of the store that a restore has replaced. Its log alone has an entry of the action `log.only`. */
export const REPLACED = "replaced-20261129T120000Z";

/** Makes a copy of a store that has a log, as a program leaves it that was killed. */
function leaveAsKilled(from: string, to: string): void {
  const opened = `${to}.opened`;
  cpSync(from, opened);
  const handle = new BetterSqlite3(opened);
  handle.pragma("journal_mode = wal");
  handle.pragma(`user_version = ${STORE_FILE_STATES.inUse}`);
  handle.pragma("wal_checkpoint(truncate)");
  handle.exec(`insert into audit_entries (at, actor, action, object, request_id, facts)
    select at, actor, 'log.only', object, request_id, facts from audit_entries limit 1`);
  for (const suffix of ["", "-wal"]) cpSync(`${opened}${suffix}`, `${to}${suffix}`);
  handle.close();
  rmSync(opened);
}
