import { performance } from "node:perf_hooks";

/** Operations before the first figure: until then V8 compiles, ours for about 12,000, a smaller program's for fewer. */
export const WARM_UP = 15_000;

/** Cost of one series of operations. */
export interface Measured {
  readonly operations: number;
  readonly perSecond: number;
  /** CPU of the measured processes per operation. */
  readonly cpuMicroseconds: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  /** Durable commits of the measured store per operation. */
  readonly flushes?: number;
}

export interface LoadOptions {
  readonly operations: number;
  /** Operations under way at once. */
  readonly concurrency: number;
  /** Operations before the first figure, so that the compiler has seen the code. */
  readonly warmUp: number;
  /** CPU time so far of the measured processes, in microseconds. */
  cpu(): number;
  /** Durable commits so far of the measured store; absent when they are not counted. */
  flushes?: (() => Promise<number>) | undefined;
  run(index: number): Promise<void>;
}

/** Runs operations in a closed loop and measures all but the warm-up. */
export async function measure({ operations, concurrency, warmUp, cpu, flushes, run }: LoadOptions): Promise<Measured> {
  await runAll(warmUp, concurrency, 0, run);
  const latencies: number[] = [];
  const flushesBefore = await flushes?.();
  const cpuBefore = cpu();
  const startedAt = performance.now();
  await runAll(operations, concurrency, warmUp, async (index) => {
    const sentAt = performance.now();
    await run(index);
    latencies.push(performance.now() - sentAt);
  });
  const seconds = (performance.now() - startedAt) / 1000;
  const spent = cpu() - cpuBefore;
  const flushed = flushesBefore === undefined ? undefined : ((await flushes?.()) ?? 0) - flushesBefore;
  return {
    operations,
    perSecond: operations / seconds,
    cpuMicroseconds: spent / operations,
    p50Ms: percentile(latencies, 0.5),
    p99Ms: percentile(latencies, 0.99),
    ...(flushed === undefined ? {} : { flushes: flushed / operations }),
  };
}

/**
 * Runs operations numbered from `offset` on, so many of them under way at once. @throws what one threw; no other begins then,
 * and those that were under way have ended.
 */
export async function runAll(
  count: number,
  concurrency: number,
  offset: number,
  run: (index: number) => Promise<unknown>,
): Promise<void> {
  let next = 0;
  const worker = async () => {
    while (next < count) await run(offset + next++);
  };
  const workers = Array.from({ length: concurrency }, worker);
  try {
    await Promise.all(workers);
  } finally {
    next = count;
    await Promise.allSettled(workers);
  }
}

/** The value below which that part of the values lies. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
