import { CannotStart } from "../basis/errors.ts";

/** What the databases say of a table that is there already, with its name. */
const IS_THERE = [/^table "?(\w+)"? already exists/, /^relation "(\w+)" already exists/];
/** What they say of a ledger that lacks a column of ours. */
const IS_UNLIKE = [
  /^no such column: "?(?:owner|number|digest)\b/,
  /^column .*\b(?:owner|number|digest)\b.* does not exist/,
];

/** Waits for what reads the ledger or takes steps. @throws CannotStart when the store has tables of another program (R-X348). */
export async function amongOurTables<T>(work: Promise<T>): Promise<T> {
  try {
    return await work;
  } catch (cause) {
    const table = foreignTable(cause);
    if (table === undefined) throw cause;
    throw new CannotStart(
      `The store has a table ${table} that Gatehouse did not make: another program uses it. Give Gatehouse a data directory or a database of its own. Nothing was changed.`,
      { cause },
    );
  }
}

function foreignTable(error: unknown): string | undefined {
  const said = error instanceof Error ? error.message : "";
  if (IS_UNLIKE.some((pattern) => pattern.test(said))) return "migration_ledger";
  return IS_THERE.map((pattern) => pattern.exec(said)?.[1]).find((name) => name !== undefined);
}
