import { type SelectQueryBuilder, type SqlBool, sql } from "kysely";
import type { ValueOf } from "./prepared.ts";

/** Where a page begins, and how many rows it may have. */
interface PageValues {
  /** Unix milliseconds. */
  readonly afterCreatedAt: number;
  readonly afterId: string;
  readonly count: number;
}

/** The rows of a page, by the creation time and id of `table`, which a query of one table need not name. */
export function pageOf<DB, TB extends keyof DB, Row>(
  rows: SelectQueryBuilder<DB, TB, Row>,
  value: ValueOf<PageValues>,
  table?: TB & string,
): SelectQueryBuilder<DB, TB, Row> {
  const of = table === undefined ? "" : `${table}.`;
  const createdAt = sql.ref(`${of}created_at`);
  const id = sql.ref(`${of}id`);
  return rows
    .where(sql<SqlBool>`(${createdAt}, ${id}) > (${value("afterCreatedAt")}, ${value("afterId")})`)
    .orderBy(createdAt)
    .orderBy(id)
    .limit(value("count"));
}
