import type { PostgresLease } from "./postgres-lease.ts";

/**
 * What Kysely takes for a client of the pool. Kysely keeps each in two weak maps, which the collector has to walk, so one serves a
 * lease after another. After a transaction it is not used again: a statement of that transaction that comes too late must find no
 * connection, and not the one of somebody else.
 */
export class LeasedClient {
  /** The use of a connection that it serves; `undefined` between two. */
  lease: PostgresLease | undefined;
  readonly #giveBack: (client: LeasedClient) => void;

  /** @param giveBack called with a client that may serve another lease. */
  constructor(giveBack: (client: LeasedClient) => void) {
    this.#giveBack = giveBack;
  }

  /** @throws Error when the connection has been returned. */
  async query(sql: string, values: readonly unknown[]): Promise<unknown> {
    if (this.lease === undefined) throw new Error("A connection was used after it had been returned.");
    return this.lease.query(sql, values);
  }

  /** Kysely returns the connection, or marks it as not reusable. */
  release(isDiscarded = false): void {
    const { lease } = this;
    if (lease === undefined) return;
    this.lease = undefined;
    lease.release(isDiscarded);
    if (!isDiscarded && !lease.hasBegun) this.#giveBack(this);
  }
}
