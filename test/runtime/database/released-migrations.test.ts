import { readFileSync } from "node:fs";
import { sql } from "kysely";
import { migrations } from "../../../src/roles/owners.ts";
import { eachStore } from "../../support/stores.ts";

/**
 * By owner, in the order of the numbers: the digests of the statements of every migration that a store somewhere may
 * have; null for a number that is reserved.
 */
const RELEASED: Readonly<Record<string, readonly (string | null)[]>> = JSON.parse(
  readFileSync("test/runtime/database/released-migrations.json", "utf8"),
);

/** What is wrong with a migration, and what to do; nothing when it is as it was released. */
function complaint(owner: string, number: number, digest: string | undefined): readonly string[] {
  const released = RELEASED[owner]?.[number - 1] ?? undefined;
  if (released === digest) return [];
  if (released === undefined)
    return [`${owner} ${number} is new. Add ${digest} to released-migrations.json once its statements are final.`];
  if (digest === undefined)
    return [`${owner} ${number} is gone. Bring it back: stores that have it refuse this program.`];
  return [
    `${owner} ${number} is not as it was released: stores that have it refuse this program. Restore its statements, and write what shall change as a new migration.`,
  ];
}

eachStore((_, open) => {
  it("released migrations are frozen (src/runtime/README.md)", async () => {
    const { store } = await open(migrations.filter(({ owner }) => owner !== "runtime"));
    const { rows } = await sql<{ owner: string; number: number; digest: string }>`
      select owner, number, digest from migration_ledger`.execute(store.view());
    const digests = new Map(rows.map(({ owner, number, digest }) => [`${owner} ${number}`, digest]));
    const released = Object.entries(RELEASED).flatMap(([owner, all]) =>
      all.map((__, index) => `${owner} ${index + 1}`),
    );
    const complaints = [...new Set([...digests.keys(), ...released])].flatMap((one) => {
      const [owner = "", number] = one.split(" ");
      return complaint(owner, Number(number), digests.get(one));
    });
    expect(complaints).toEqual([]);
  });
});
