import type { Compilable, CompiledQuery, Kysely, QueryResult } from "kysely";
import { isSqlite } from "./database.ts";

/** Placeholder in a query for a value that each call gives. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Names a placeholder while a query is built; typed as the value, so that Kysely checks the column. */
export type ValueOf<P> = <K extends keyof P & string>(name: K) => P[K];

/** A query that was built and compiled once. Runs on the database it was built for, or within the transaction given. */
interface PreparedQuery<P, R> {
  /** All rows. */
  all(values: P, within?: AnyKysely): Promise<R[]>;
  /** The first row; `undefined` when there is none. */
  first(values: P, within?: AnyKysely): Promise<R | undefined>;
}

/** A write that was built and compiled once; returns the number of rows it changed. */
type PreparedWrite<P> = (tx: AnyKysely, values: P) => Promise<number>;

/** A database or transaction of any owner, as statements need it. */
export type AnyKysely = Pick<Kysely<unknown>, "executeQuery" | "getExecutor" | "isTransaction">;

type Query = Pick<CompiledQuery, "sql" | "parameters">;

/** An adapter of Kysely's whose database is reached without Kysely's connections and promises in between. */
export interface DirectAccess {
  /** All rows; `undefined` for a statement that writes, which is not run. */
  readNow<R>(query: Query): R[] | undefined;
  /** Runs a statement that writes as a transaction of its own. */
  write(query: Query): Promise<QueryResult<unknown>>;
  /**
   * Number of what reads see: while it is the same, a read gives the same rows. `undefined` where they see changes that are
   * not committed.
   */
  readonly view: number | undefined;
}

/** None in a transaction, whose statements belong to its connection. */
export function directAccessOf(db: AnyKysely): DirectAccess | undefined {
  if (db.isTransaction) return undefined;
  const { adapter } = db.getExecutor();
  return "readNow" in adapter ? (adapter as typeof adapter & DirectAccess) : undefined;
}

interface BuiltQuery<R> extends Compilable<R> {
  execute(): Promise<R[]>;
}

/**
 * Builds and compiles a query at its first use; each call only fills in its values. For the queries of every request: building one with
 * Kysely costs three times as much as running it.
 */
export function prepared<P extends object, R>(
  db: AnyKysely,
  build: (value: ValueOf<P>) => BuiltQuery<R>,
): PreparedQuery<P, R> {
  let compiled: CompiledQuery<R> | undefined;
  const direct = directAccessOf(db);
  const run = async (values: P, within?: AnyKysely): Promise<R[]> => {
    compiled ??= build(placeholderOf).compile();
    const query = filled(compiled, values);
    const rows = within === undefined ? direct?.readNow<R>(query) : undefined;
    return rows ?? (await (within ?? db).executeQuery<R>(query)).rows;
  };
  return {
    all: run,
    first: async (values, within) => (await run(values, within))[0],
  };
}

/**
 * Builds and compiles an insert, update or delete at its first use, once for each kind of database that it meets, with the given
 * one; each call only fills in its values.
 */
export function preparedWrite<P extends object, T = never>(
  build: (value: ValueOf<P>, db: Kysely<T>) => Compilable,
): PreparedWrite<P> {
  const ofKind = new Map<boolean, CompiledQuery>();
  return async (tx, values) => {
    const kind = isSqlite(tx);
    const compiled = ofKind.get(kind) ?? build(placeholderOf, tx as unknown as Kysely<T>).compile();
    ofKind.set(kind, compiled);
    const query = filled(compiled, values);
    const { numAffectedRows = 0n } = await (directAccessOf(tx)?.write(query) ?? tx.executeQuery(query));
    return Number(numAffectedRows);
  };
}

const placeholderOf = ((name: string) => new Placeholder(name)) as never;

/** The compiled query with these values in place of the placeholders. */
function filled<R>({ sql, parameters, query, queryId }: CompiledQuery<R>, values: object): CompiledQuery<R> {
  const given = values as Readonly<Record<string, unknown>>;
  return {
    sql,
    parameters: parameters.map((one) => (one instanceof Placeholder ? given[one.name] : one)),
    query,
    queryId,
  };
}
