import { statfsSync, statSync } from "node:fs";
import { dirname } from "node:path";

/** The space that a copy of a store lacks on its disk, in bytes. */
export interface LackingSpace {
  readonly copyBytes: number;
  /** Kept free for the store that is copied; 0 where the copy goes to another disk. */
  readonly reserveBytes: number;
  readonly freeBytes: number;
}

/** By so much the log of a store in use grows before it is copied into the main file (`log-copies.ts`). */
const RESERVE_BYTES_MAX = 16 * 1024 * 1024;

/**
 * `undefined` when a copy of so many bytes fits, or the file system does not say how much is free. On the store's own disk as much again
 * stays free, up to 16 MiB: a copy that fills the disk takes the store's space for writes (R-X371).
 * @param to where the copy is to be; its directory exists.
 */
export function lackingSpace(store: string, to: string, copyBytes: number): LackingSpace | undefined {
  const directory = dirname(to);
  const isSameDisk = statSync(directory).dev === statSync(store).dev;
  const reserveBytes = isSameDisk ? Math.min(copyBytes, RESERVE_BYTES_MAX) : 0;
  const { blocks, bavail, bsize } = statfsSync(directory);
  const freeBytes = bavail * bsize;
  if (blocks === 0 || copyBytes + reserveBytes <= freeBytes) return undefined;
  return { copyBytes, reserveBytes, freeBytes };
}

/**
 * For an operator, without a full stop. What is needed is rounded up and what is free down, so that the first is always
 * the larger one.
 */
export function describeLack({ copyBytes, reserveBytes, freeBytes }: LackingSpace): string {
  const reserve =
    reserveBytes === 0 ? "" : `, the running store needs ${megabytes(reserveBytes, Math.ceil)} MB meanwhile`;
  const free = megabytes(freeBytes, Math.floor);
  return `the copy takes ${megabytes(copyBytes, Math.ceil)} MB${reserve}, and the disk has ${free} MB free`;
}

/** With one digit. */
const megabytes = (bytes: number, whole: (tenths: number) => number): string =>
  (whole(bytes / 100_000) / 10).toFixed(1);
