import { hash } from "node:crypto";
import { ID_PREFIXES, type IdKind, randomCharacters } from "#runtime/basis/ids.ts";

/**
 * Numbers derived from a text: the same text gives the same numbers on every machine. For made-up data, never for
 * secrets.
 */
export interface SeededNumbers {
  /** From 0 to `below`, exclusive. */
  whole(below: number): number;
  /** True with that probability. */
  chance(part: number): boolean;
  pick<T>(from: readonly T[]): T;
  id(kind: IdKind): string;
}

/** Four 32-bit words of SHA-256 over the text, then xoshiro128**. */
export function seededNumbers(text: string): SeededNumbers {
  const digest = hash("sha256", text, "buffer");
  let [a, b, c, d] = [0, 4, 8, 12].map((at) => digest.readUInt32LE(at)) as [number, number, number, number];
  const next = (): number => {
    const five = Math.imul(b, 5);
    const result = Math.imul((five << 7) | (five >>> 25), 9) >>> 0;
    const shifted = b << 9;
    c ^= a;
    d ^= b;
    b ^= c;
    a ^= d;
    c ^= shifted;
    d = (d << 11) | (d >>> 21);
    return result;
  };
  const whole = (below: number): number => Math.floor((next() / 2 ** 32) * below);
  const random = { bytes: (length: number) => Buffer.from(Array.from({ length }, () => whole(256))) };
  return {
    whole,
    chance: (part) => next() / 2 ** 32 < part,
    pick: <T>(from: readonly T[]): T => from[whole(from.length)] as T,
    id: (kind) => `${ID_PREFIXES[kind]}_${randomCharacters(random, 21)}`,
  };
}
