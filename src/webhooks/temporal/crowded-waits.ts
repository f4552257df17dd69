import { performance } from "node:perf_hooks";
import type { SubscriptionId } from "#runtime/basis/ids.ts";

/** Turns of rounds that find no place. */
interface Pace {
  /** How soon a round may ask again. */
  readonly shortestMs: number;
  /** Between two rounds, of all subscriptions together: each time one asks, engine and services spend some 13 ms of a processor. */
  readonly apartMs: number;
}

/** Places of endpoints that answer come free all the time. */
const PROMPT: Pace = { shortestMs: 2_000, apartMs: 25 };
/** A slow endpoint keeps each of its few places for seconds. */
const SLOW: Pace = { shortestMs: 10_000, apartMs: 250 };
/** So that no round sleeps on when the crowd before it has gone. */
const LONGEST_MS = 600_000;
/** By how much sums of a clock's parts of a millisecond may be wrong, and far more. */
const INEXACT_MS = 0.000_5;

/** When rounds that found no free place ask again. */
export interface CrowdedWaits {
  /** The milliseconds that one more round of the subscription waits. */
  next(subscription: { readonly id: SubscriptionId; readonly slow: boolean }): number;
}

/**
 * Gives turns to rounds that found no free place (R-X75): those of one subscription one after the other, those of several
 * alternately. If each asked every few seconds, a thousand of one silent endpoint would keep the engine from all others. In
 * memory, a number for each subscription that waits.
 */
export function createCrowdedWaits(now: () => number = () => performance.now()): CrowdedWaits {
  const [prompt, slow] = [turnsOf(PROMPT, now), turnsOf(SLOW, now)];
  return { next: (subscription) => (subscription.slow ? slow : prompt)(subscription.id) };
}

function turnsOf({ shortestMs, apartMs }: Pace, now: () => number) {
  /** The last turn that each was given, while it has not come. */
  const turns = new Map<SubscriptionId, number>();
  return (id: SubscriptionId): number => {
    const at = now();
    for (const [one, turn] of turns) if (turn <= at) turns.delete(one);
    const before = turns.get(id);
    const subscriptions = before === undefined ? turns.size + 1 : turns.size;
    const next = (before ?? at) + apartMs * subscriptions;
    // Whole milliseconds, up: nothing asks before its turn, not even by a part of one.
    const wait = Math.min(Math.max(shortestMs, Math.ceil(next - at - INEXACT_MS)), LONGEST_MS);
    turns.set(id, at + wait);
    return wait;
  };
}
