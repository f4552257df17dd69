import { join } from "node:path";
import { AUDIT_ACTIONS } from "../../../src/cli/commands/inspection/audit-actions.ts";
import { REPEATED_BY_HAND } from "../../../src/roles/owners.ts";
import type { AuditTables } from "../../../src/runtime/audit/audit.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { insertRows } from "../../../src/runtime/database/rows.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { storePath } from "../../../src/runtime/database/sqlite/store-file.ts";
import { actionsAfter, doneInAll, OBJECTS_MAX } from "../../../src/runtime/upkeep/replaced-store.ts";
import { newFolder } from "../../support/folder.ts";

describe("what was done in a store that a restore replaces (R-X247)", () => {
  const storeWith = async (...entries: readonly (readonly [action: string, object: string])[]) => {
    const directory = newFolder("gh-replaced-");
    const path = storePath(directory);
    const store = openSqlite(path);
    await migrate(store, [runtimeMigrations], new Date(0));
    const entry = { at: 0, actor: "operator", request_id: "", facts: "{}" };
    await insertRows(
      store.view<AuditTables>(),
      "audit_entries",
      entries.map(([action, object]) => ({ ...entry, action, object })),
    );
    await store.close();
    return path;
  };

  it("is counted by action after an entry, with the ids of what is to be repeated; a backup is not undone", async () => {
    const path = await storeWith(
      ["apiKey.revoke", "before"],
      ["store.backUp", "store"],
      ["tenant.create", "tenant"],
      ["apiKey.revoke", "second"],
      ["apiKey.revoke", "first"],
      ["apiKey.revoke", "second"],
    );
    const { counts, objects, unread } = actionsAfter(path, 1, ["apiKey.revoke", "signingKey.revoke"]);
    expect([...counts]).toEqual([
      ["apiKey.revoke", 3],
      ["tenant.create", 1],
    ]);
    expect([...objects]).toEqual([["apiKey.revoke", ["second", "first"]]]);
    expect(unread).toEqual([]);
  });

  it("is put together where several are replaced, with each id once", async () => {
    const paths = [
      await storeWith(["apiKey.revoke", "first"], ["apiKey.revoke", "second"]),
      await storeWith(["store.restore", "store"], ["apiKey.revoke", "second"], ["apiKey.revoke", "third"]),
    ];
    const { counts, objects } = doneInAll(paths.map((path) => actionsAfter(path, 0, ["apiKey.revoke"])));
    expect([...counts]).toEqual([
      ["apiKey.revoke", 4],
      ["store.restore", 1],
    ]);
    expect([...objects]).toEqual([["apiKey.revoke", ["first", "second", "third"]]]);
  });

  it("has a bounded number of ids, and one that says that there are more", async () => {
    const many = Array.from(
      { length: OBJECTS_MAX + 5 },
      (_, number) => ["person.disable", `person_${number}`] as const,
    );
    const { counts, objects } = actionsAfter(await storeWith(...many), 0, ["person.disable"]);
    expect(counts.get("person.disable")).toBe(OBJECTS_MAX + 5);
    expect(objects.get("person.disable")).toHaveLength(OBJECTS_MAX + 1);
  });

  it("says what cannot be read of a file that is no store", () => {
    expect(actionsAfter(import.meta.filename, 0, []).unread).toEqual(["audit_entries: file is not a database"]);
    expect(actionsAfter(join(import.meta.dirname, "missing"), 0, []).unread).toEqual([]);
  });

  it("is repeated where a replaced password is good again, as docs/operations/backup-and-restore.md says", () => {
    expect(REPEATED_BY_HAND).toContain("password.set");
  });

  it("is repeated by actions that there are", () => {
    expect(REPEATED_BY_HAND.filter((action) => !AUDIT_ACTIONS.includes(action))).toEqual([]);
  });
});
