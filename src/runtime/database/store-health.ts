import { STORE_TROUBLES, type StoreTrouble } from "../basis/store-troubles.ts";
import { Counter, Gauge, Histogram, type Metrics } from "../process/metrics.ts";

/**
 * Health of the store, measured by the results of its writes and reads. Drivers report; health checks, metrics and
 * loops query.
 */
export interface StoreHealth {
  /** A durable commit of this many write transactions succeeded, which ends the trouble that it disproves. */
  committed(transactions?: number): void;
  /** A write that was made to find out succeeded, and needed space: it ends any trouble. */
  proven(): void;
  /** A write failed because of the store. */
  writeFailed(trouble: StoreTrouble): void;
  /**
   * A read failed because of the store, or one statement waited too long. It is only counted: writes may still succeed.
   */
  readFailed(trouble: StoreTrouble): void;
  /** What the store's driver measures, as its `waits` names it, took so long, whatever came of it. */
  waited(ms: number): void;
  /** Trouble of the last write; `undefined` when it succeeded or none was made yet. */
  readonly trouble: StoreTrouble | undefined;
  /** Registers the store's metrics. */
  measure(metrics: Metrics): void;
}

/** Seconds: from a disk with a cache of its own to one that nearly hangs. */
const WAIT_BUCKETS = [0.000_5, 0.001, 0.002_5, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5];

interface StoreHealthOptions {
  /** What requests wait for at this store; not measured without. */
  readonly waits?: { readonly name: string; readonly help: string };
  /** True where rows that fit into pages that are there are still written on a full disk. */
  readonly commitsWhileFull?: boolean;
}

export function createStoreHealth({ commitsWhileFull = false, waits }: StoreHealthOptions = {}): StoreHealth {
  let trouble: StoreTrouble | undefined;
  const waited = waits && new Histogram({ ...waits, buckets: WAIT_BUCKETS, registers: [] });
  const done = { commits: 0, transactions: 0 };
  const failures = new Map<StoreTrouble, number>();
  const count = (one: StoreTrouble) => void failures.set(one, (failures.get(one) ?? 0) + 1);
  return {
    committed(transactions = 1) {
      if (trouble !== "full" || !commitsWhileFull) trouble = undefined;
      done.commits++;
      done.transactions += transactions;
    },
    proven() {
      trouble = undefined;
    },
    writeFailed(one) {
      trouble = one;
      count(one);
    },
    readFailed: count,
    waited: (ms) => waited?.observe(ms / 1_000),
    get trouble() {
      return trouble;
    },
    measure(metrics) {
      new Gauge({
        name: "gatehouse_store_takes_writes",
        help: "1 while the store takes writes, 0 from one that it refused until one shows that it takes them again.",
        registers: [metrics],
        collect() {
          this.set(trouble === undefined ? 1 : 0);
        },
      });
      new Counter({
        name: "gatehouse_store_commits_total",
        help: "Durable commits; on the embedded store each is one flush.",
        registers: [metrics],
        collect() {
          this.reset();
          this.inc(done.commits);
        },
      });
      new Counter({
        name: "gatehouse_store_transactions_total",
        help: "Write transactions that those commits made durable.",
        registers: [metrics],
        collect() {
          this.reset();
          this.inc(done.transactions);
        },
      });
      new Counter({
        name: "gatehouse_store_failures_total",
        help: "Statements that failed for a reason of the store itself, by reason.",
        labelNames: ["trouble"],
        registers: [metrics],
        collect() {
          this.reset();
          for (const one of STORE_TROUBLES) this.inc({ trouble: one }, failures.get(one) ?? 0);
        },
      });
      if (waited !== undefined) metrics.registerMetric(waited);
    },
  };
}
