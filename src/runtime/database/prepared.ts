import type { Compilable, CompiledQuery, Kysely } from "kysely";

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

type AnyKysely = Pick<Kysely<unknown>, "executeQuery" | "getExecutor" | "isTransaction">;

/** An adapter of Kysely's whose database reads at once, without Kysely's connections and promises in between. */
export interface DirectReads {
  /** All rows; `undefined` for a statement that writes, which is not run. */
  readNow<R>(query: Pick<CompiledQuery, "sql" | "parameters">): R[] | undefined;
}

/** None in a transaction, whose reads belong to its connection. */
function directReadsOf(db: AnyKysely): DirectReads | undefined {
  const { adapter } = db.getExecutor();
  return !db.isTransaction && "readNow" in adapter ? (adapter as typeof adapter & DirectReads) : undefined;
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
  const filled = compiledOnce(build);
  const direct = directReadsOf(db);
  const run = async (values: P, within?: AnyKysely): Promise<R[]> => {
    const query = filled(values);
    const rows = within === undefined ? direct?.readNow<R>(query) : undefined;
    return rows ?? (await (within ?? db).executeQuery<R>(query)).rows;
  };
  return {
    all: run,
    first: async (values, within) => (await run(values, within))[0],
  };
}

/** The same for an insert, update or delete. */
export function preparedWrite<P extends object>(build: (value: ValueOf<P>) => Compilable): PreparedWrite<P> {
  const filled = compiledOnce(build);
  return async (tx, values) => Number((await tx.executeQuery(filled(values))).numAffectedRows ?? 0n);
}

/** Builds at the first call, and fills in the values of each. */
function compiledOnce<P extends object, R>(
  build: (value: ValueOf<P>) => Compilable<R>,
): (values: P) => CompiledQuery<R> {
  let compiled: CompiledQuery<R> | undefined;
  const value = ((name: string) => new Placeholder(name)) as unknown as ValueOf<P>;
  return (values) => {
    compiled ??= build(value).compile();
    const { sql, parameters, query, queryId } = compiled;
    const filled = parameters.map((one) => (one instanceof Placeholder ? values[one.name as keyof P] : one));
    return { sql, parameters: filled, query, queryId } as CompiledQuery<R>;
  };
}
