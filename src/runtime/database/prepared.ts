import type { Compilable, CompiledQuery, Kysely } from "kysely";

/** Stands in a query for a value that each call gives. */
class Placeholder {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** Names the place of a value while a query is built; typed as the value, so that Kysely checks the column. */
export type ValueOf<P> = <K extends keyof P & string>(name: K) => P[K];

/** A query that was built and compiled once. */
export interface PreparedQuery<P, R> {
  /** All rows. */
  all(values: P): Promise<R[]>;
  /** The first row; `undefined` when there is none. */
  first(values: P): Promise<R | undefined>;
}

type AnyKysely = Pick<Kysely<unknown>, "executeQuery">;
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
  const value = ((name: string) => new Placeholder(name)) as unknown as ValueOf<P>;
  const run = async (values: P): Promise<R[]> => {
    compiled ??= build(value).compile();
    const { sql, parameters, query, queryId } = compiled;
    const filled = parameters.map((one) => (one instanceof Placeholder ? values[one.name as keyof P] : one));
    const { rows } = await db.executeQuery<R>({ sql, parameters: filled, query, queryId } as CompiledQuery<R>);
    return rows;
  };
  return {
    all: run,
    first: async (values) => (await run(values))[0],
  };
}
