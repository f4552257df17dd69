import type { EndedAttempt } from "../deliveries/delivery.ts";
import { rememberRecent } from "./recent.ts";

/** So many subscriptions are remembered; one that is forgotten is proven again by its next prompt answer. */
const REMEMBERED_MAX = 50_000;
/** An attempt is prompt that ends within this part of the time that it may take. */
const PROMPT_PART = 1 / 5;
/** A subscription whose attempts take so long gets one place more for each: some 500 deliveries a second. */
const MS_PER_PLACE = 2;
/** Enough for an endpoint that answers at once: what more places hold waits for the processor alone. */
const PLACES_MIN = 12;
/** The newest attempts count for so much of what a subscription's attempts take. */
const NEWEST_PART = 1 / 5;
/** Others are there while one of their attempts ended so recently. */
const OTHERS_MS = 1_000;

/** An attempt that has ended, and what the store says of its subscription. */
export interface PacedAttempt extends EndedAttempt {
  readonly wasSlow: boolean;
}

/** Subscriptions that became slow, and those that are slow no longer; none is in both. */
interface ChangedPaces {
  readonly slow: readonly string[];
  readonly prompt: readonly string[];
}

/**
 * How long the attempts of each subscription take. Slow is what the store keeps, so that a restart keeps everybody's
 * trouble; who is proven to be prompt is remembered by each process for itself.
 */
export interface Paces {
  /** True when the last attempt that this process knows of ended promptly. */
  isProven(subscription: { readonly subscriptionId: string; readonly slow: boolean }): boolean;
  /**
   * How many attempts at once a subscription can use, as long as its attempts take; any number while nothing is known of
   * it, and while no others are there whom it could delay (R-X338).
   */
  placesFor(subscriptionId: string, at: Date): number;
  /** Takes attempts in that ended at `at`; returns whose pace the store has to change. */
  learn(ended: readonly PacedAttempt[], at: Date): ChangedPaces;
}

export function createPaces({ timeoutMs }: { readonly timeoutMs: number }): Paces {
  /** Of those that are proven, how many milliseconds their attempts take. */
  const proven = rememberRecent<number>(REMEMBERED_MAX);
  const lastOf = lastEnds();
  const promptMs = timeoutMs * PROMPT_PART;
  /** The endpoint's answer counts, a refusal too: what matters is how long it keeps a place. */
  const isPrompt = ({ outcome, durationMs = 0 }: EndedAttempt) => outcome !== "timeout" && durationMs <= promptMs;
  return {
    isProven({ subscriptionId, slow }) {
      // Another process may have learned it.
      if (slow) proven.delete(subscriptionId);
      return proven.get(subscriptionId) !== undefined;
    },
    placesFor(subscriptionId, at) {
      const durationMs = proven.get(subscriptionId);
      const isAlone = at.getTime() - lastOf.others(subscriptionId) > OTHERS_MS;
      if (durationMs === undefined || isAlone) return Number.POSITIVE_INFINITY;
      return Math.max(PLACES_MIN, Math.ceil(durationMs / MS_PER_PLACE));
    },
    learn(ended, at) {
      const slow: string[] = [];
      const prompt: string[] = [];
      for (const [subscriptionId, attempts] of Map.groupBy(ended, ({ delivery }) => delivery.subscriptionId)) {
        lastOf.note(subscriptionId, at);
        const wasSlow = attempts.some((attempt) => attempt.wasSlow);
        const promptOnes = attempts.filter(isPrompt);
        // Of several that end at once, one prompt answer is enough.
        if (promptOnes.length > 0) {
          const newest = meanOf(promptOnes.map(({ durationMs = 0 }) => durationMs));
          const before = proven.get(subscriptionId) ?? newest;
          proven.set(subscriptionId, before + (newest - before) * NEWEST_PART);
          if (wasSlow) prompt.push(subscriptionId);
        } else {
          proven.delete(subscriptionId);
          if (!wasSlow) slow.push(subscriptionId);
        }
      }
      return { slow, prompt };
    },
  };
}

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** When an attempt last ended of any subscription but the one that is asked for: two times are enough to know it. */
function lastEnds() {
  let latest = { subscriptionId: "", at: Number.NEGATIVE_INFINITY };
  let otherAt = Number.NEGATIVE_INFINITY;
  return {
    note(subscriptionId: string, at: Date): void {
      if (latest.subscriptionId !== subscriptionId) otherAt = latest.at;
      latest = { subscriptionId, at: at.getTime() };
    },
    others: (subscriptionId: string): number => (latest.subscriptionId === subscriptionId ? otherAt : latest.at),
  };
}
