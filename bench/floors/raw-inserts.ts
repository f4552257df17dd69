import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { runtimeMigrations } from "../../src/runtime/changes/migrations.ts";
import { migrate } from "../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../src/runtime/database/sqlite/sqlite.ts";
import { workforceMigrations } from "../../src/workforce/migrations/index.ts";

/**
 * Floor of an import: people and workers inserted into the product's own tables, as many to a durable commit as an import takes, nothing
 * read or checked. Arguments: rows, rows per commit. Prints a line to begin with and, at the end, its CPU per row in microseconds.
 */
const [count = "20000", perCommit = "250"] = process.argv.slice(2);
const directory = mkdtempSync(join(tmpdir(), "gh-floor-"));
const path = join(directory, "floor.sqlite");
const store = openSqlite(path);
await migrate(store, [runtimeMigrations, workforceMigrations], new Date());
await store.close();

const db = new BetterSqlite3(path);
db.pragma("journal_mode = wal");
db.pragma("synchronous = full");
db.pragma("foreign_keys = on");
db.exec(`insert into workforce_instances (id, name, revision, created_at) values ('i', 'i', 1, 0);
  insert into workforce_tenants (id, instance_id, name, revision, created_at) values ('t', 'i', 't', 1, 0);
  insert into workforce_unit_types (id, tenant_id, name, created_at) values ('y', 't', 'y', 0);
  insert into workforce_units (id, tenant_id, unit_type_id, name, created_at) values ('u', 't', 'y', 'u', 0)`);
const person = db.prepare(`insert into workforce_people
  (id, worker_profile_id, email, email_key, email_verified, first_name, last_name, named, disabled, created_at)
  values (?, ?, ?, ?, 1, 'Ines', 'Okafor', 1, 0, 0)`);
const worker = db.prepare(`insert into workforce_workers
  (id, tenant_id, person_id, person_named, job_titles, phone, address1, city, iso_country_code, postal_code, created_at)
  values (?, 't', ?, 1, '["Baker"]', '+31 10 000', '1 Mill Lane', 'Rotterdam', 'NL', '3011 AB', 0)`);
const unit = db.prepare(
  "insert into workforce_worker_units (tenant_id, worker_id, unit_id, position, is_primary) values ('t', ?, 'u', 0, 1)",
);
// Spread over the index as random ids are.
const key = (index: number) => `${(index * 7_919) % 1_000_003} ${index}`;
const commit = db.transaction((from: number, to: number) => {
  for (let index = from; index < to; index++) {
    person.run(`person ${key(index)}`, `profile ${key(index)}`, `p${index}@example.com`, `p${index}@example.com`);
    worker.run(`worker ${key(index)}`, `person ${key(index)}`);
    unit.run(`worker ${key(index)}`);
  }
});

console.log("ready");
const before = process.cpuUsage();
// A person and a worker are two lines of an import.
const pairs = Math.floor(Number(count) / 2);
const step = Math.floor(Number(perCommit) / 2);
for (let from = 0; from < pairs; from += step) commit(from, Math.min(pairs, from + step));
const { user, system } = process.cpuUsage(before);
console.log(JSON.stringify({ cpuMicroseconds: (user + system) / (pairs * 2) }));
db.close();
rmSync(directory, { recursive: true, force: true });
