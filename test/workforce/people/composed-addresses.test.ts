import { sql } from "kysely";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import type { Store } from "../../../src/runtime/database/database.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { eachStore } from "../../support/stores.ts";

const NOW = new Date("2026-06-30T08:15:27.412Z");
/** The step by which stored addresses are compared in NFC. */
const STEP = 16;

const composed = "zo\u00eb@example.com";
const decomposed = "zoe\u0308@example.com";
const { owner, migrations } = workforceMigrations;
const before = { owner, migrations: migrations.filter(({ number }) => number < STEP) };

eachStore((_, open) => {
  const person = (store: Store, id: string, email: string) =>
    sql`insert into workforce_people
        (id, worker_profile_id, email, email_key, email_verified, first_name, last_name, named, disabled, created_at)
      values (${id}, ${`profile of ${id}`}, ${email}, ${email}, 0, null, null, 0, 0, 1)`.execute(store.view());

  const keysAfterUpgrade = async (...emails: readonly string[]) => {
    const { store } = await open();
    await migrate(store, [runtimeMigrations, erasureMigrations, before], NOW);
    for (const [index, email] of emails.entries()) await person(store, `person ${index}`, email);
    await migrate(store, [runtimeMigrations, erasureMigrations, workforceMigrations], NOW);
    const { rows } = await sql<{ email: string; key: string }>`
      select email, email_key as key from workforce_people order by id`.execute(store.view());
    expect(rows.map(({ email }) => email)).toEqual(emails);
    return rows.map(({ key }) => key);
  };

  it("people whom an earlier program stored are found however their address is composed (R-D2)", async () => {
    expect(await keysAfterUpgrade("ines@example.com", decomposed, "用户@例子.广告")).toEqual([
      "ines@example.com",
      composed,
      "用户@例子.广告",
    ]);
  });

  it("of people whom an earlier program stored with one address, one has it: who was stored in NFC", async () => {
    expect(await keysAfterUpgrade(decomposed, composed)).toEqual([decomposed, composed]);
  });

  it("of people whom an earlier program stored with one address in two other forms, the first has it", async () => {
    const mixed = ["e\u0301e\u0301@example.com", "\u00e9e\u0301@example.com"];
    expect(await keysAfterUpgrade(...mixed)).toEqual(["\u00e9\u00e9@example.com", mixed[1]]);
  });
});
