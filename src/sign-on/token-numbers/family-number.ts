import { DAY_MS } from "#runtime/basis/durations.ts";
import type { Random } from "#runtime/basis/random.ts";

/** Numbers of one millisecond; the largest number then fits 53 bits until the year 2109. */
const PER_MS = 2_048;

/**
 * The lowest number of a token family that begins at the instant or later. The time in a number is never earlier than
 * the family's own, so a range of numbers finds all that began in a time.
 */
export const firstNumberAt = (at: Date): number => Math.max(1, at.getTime() * PER_MS);

/** When the family of a number began; a few milliseconds later where many began at once, up to a day where the clock was set back. */
export const beginningOf = (number: number): Date => new Date(Math.floor(number / PER_MS));

export interface FamilyNumbers {
  /**
   * A number for a family that begins now: higher than all before it of this process, unless the clock was set back by more than
   * a day. A family may have it: of another process, or of this one from before.
   */
  next(at: Date): number;
}

/** By how much numbers may be ahead of the time. More comes of a clock that was wrong for a moment. */
const AHEAD_MAX = DAY_MS * PER_MS;

/** Numbers in the order of time. Within a millisecond they begin anywhere, so that processes seldom choose the same. */
export function familyNumbers(random: Random): FamilyNumbers {
  let last = 0;
  return {
    next(at) {
      const first = firstNumberAt(at);
      const rising = last < first + AHEAD_MAX ? last + 1 : first;
      last = Math.max(rising, first + (random.bytes(2).readUInt16BE() % PER_MS));
      return last;
    },
  };
}
