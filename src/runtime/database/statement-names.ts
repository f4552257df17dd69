import { createHash } from "node:crypto";

const NAMES_MAX = 1_000;

/** Names for statements, so that the server parses and plans each once per connection. */
export interface StatementNames {
  of(sql: string): string;
  /** Gives a statement another name when the server refuses its plan. */
  another(sql: string): string;
}

export function statementNames(): StatementNames {
  const names = new Map<string, string>();
  let renamed = 0;
  const firstName = (sql: string): string => `gh_${createHash("sha256").update(sql).digest("hex").slice(0, 32)}`;
  const remember = (sql: string, name: string): string => {
    if (names.size >= NAMES_MAX) names.clear();
    names.set(sql, name);
    return name;
  };
  return {
    of: (sql) => names.get(sql) ?? remember(sql, firstName(sql)),
    another: (sql) => remember(sql, `${firstName(sql)}_${++renamed}`),
  };
}
