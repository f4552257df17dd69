import { type AnyKysely, directAccessOf } from "./prepared.ts";

/** Values of one view: enough for all who ask again and again, and of keys some two megabytes at most (decision 0088). */
const VALUES_MAX = 1_000;

/** What was read since the last commit, by a name that says what was asked. */
export interface ReadsOfNow<V> {
  get(name: string): V | undefined;
  /** Where there are many values already, this one is not kept. */
  keep(name: string, value: V): void;
}

class ReadsOfOneView<V> implements ReadsOfNow<V> {
  readonly view: number;
  readonly #values = new Map<string, V>();

  constructor(view: number) {
    this.view = view;
  }

  get(name: string): V | undefined {
    return this.#values.get(name);
  }

  keep(name: string, value: V): void {
    if (this.#values.size < VALUES_MAX) this.#values.set(name, value);
  }
}

/**
 * Makes a memory of reads that ends with each commit: what it has is what a read would give (decision 0088). To be asked before
 * each read; a value that was read before a commit and is kept after it is lost with the memory of before. `undefined` where other
 * programs may write as well, on PostgreSQL.
 */
export function untilCommit<V>(db: AnyKysely): () => ReadsOfNow<V> | undefined {
  const direct = directAccessOf(db);
  let reads: ReadsOfOneView<V> | undefined;
  return () => {
    const view = direct?.view;
    if (reads?.view !== view) reads = view === undefined ? undefined : new ReadsOfOneView(view);
    return reads;
  };
}
