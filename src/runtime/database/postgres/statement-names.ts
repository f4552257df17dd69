import { hash } from "node:crypto";

const NAMES_MAX = 1_000;
/**
 * A statement with more values has the length of a list in its text. Each length would be a statement of its own, which the
 * server keeps for each connection: half a megabyte for 250 rows of ten columns.
 */
const NAMED_VALUES_MAX = 100;

/** Names for statements, so that the server parses and plans each once per connection. */
export interface StatementNames {
  /** @returns `undefined` for a statement that the server is to forget. */
  of(sql: string, values: readonly unknown[]): string | undefined;
  /** Gives a statement another name when the server refuses its plan. */
  another(sql: string): string;
}

export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  let renamed = 0;
  const firstName = (sql: string): string => `gh_${hash("sha256", sql, "hex").slice(0, 32)}`;
  const remember = (sql: string, name: string): string => {
    if (names.size >= NAMES_MAX) names.clear();
    names.set(sql, name);
    return name;
  };
  return {
    of: (sql, { length }) =>
      length > NAMED_VALUES_MAX ? undefined : (names.get(sql) ?? remember(sql, firstName(sql))),
    another: (sql) => remember(sql, `${firstName(sql)}_${++renamed}`),
  };
}
