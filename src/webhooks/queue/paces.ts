import type { EndedAttempt } from "../deliveries/delivery.ts";
import { rememberRecent } from "./recent.ts";

/** So many subscriptions are remembered; one that is forgotten is proven again by its next prompt answer. */
const REMEMBERED_MAX = 50_000;
/** An attempt is prompt that ends within this part of the time that it may take. */
const PROMPT_PART = 1 / 5;

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
  /** Takes attempts in that ended; returns whose pace the store has to change. */
  learn(ended: readonly PacedAttempt[]): ChangedPaces;
}

export function createPaces({ timeoutMs }: { readonly timeoutMs: number }): Paces {
  const proven = rememberRecent<true>(REMEMBERED_MAX);
  const promptMs = timeoutMs * PROMPT_PART;
  /** The endpoint's answer counts, a refusal too: what matters is how long it keeps a place. */
  const isPrompt = ({ outcome, durationMs = 0 }: EndedAttempt) => outcome !== "timeout" && durationMs <= promptMs;
  return {
    isProven({ subscriptionId, slow }) {
      // Another process may have learned it.
      if (slow) proven.delete(subscriptionId);
      return proven.get(subscriptionId) === true;
    },
    learn(ended) {
      const slow: string[] = [];
      const prompt: string[] = [];
      for (const [subscriptionId, attempts] of Map.groupBy(ended, ({ delivery }) => delivery.subscriptionId)) {
        const wasSlow = attempts.some((attempt) => attempt.wasSlow);
        // Of several that end at once, one prompt answer is enough.
        if (attempts.some(isPrompt)) {
          proven.set(subscriptionId, true);
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
