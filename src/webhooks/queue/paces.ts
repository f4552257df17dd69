import { recentlyUsed } from "#runtime/basis/recently-used.ts";
import type { EndedAttempt } from "../deliveries/delivery.ts";
import { originOf } from "../subscriptions/subscription.ts";

/** So many subscriptions are remembered; one that is forgotten is proven again by its next prompt answer. */
const REMEMBERED_MAX = 50_000;
/** An attempt is prompt that ends within this part of the time that it may take. */
const PROMPT_PART = 1 / 5;
/** A subscription can use a place for every two milliseconds that its attempts take: some 500 deliveries a second. */
const MS_PER_PLACE = 2;
/** For an endpoint that answers at once: more send some more, at the cost of every other (decision 0065). */
const PLACES_MIN = 8;
/** Each attempt counts for so much of what a subscription's attempts take, so that a few hundred make it up. */
const ATTEMPT_PART = 1 / 50;
/** Others could be delayed while an endpoint of theirs answered promptly so recently: who takes seconds does not notice. */
const OTHERS_MS = 10_000;

/** Subscriptions that became slow, and those that are slow no longer; none is in both. */
export interface ChangedPaces {
  readonly slow: readonly string[];
  readonly prompt: readonly string[];
}

/**
 * How long the attempts of each subscription take. Slow is what the store keeps, so that a restart keeps everybody's
 * trouble; who is proven to be prompt is remembered by each process for itself.
 */
export interface Paces {
  /** True when the last attempt that this process knows of ended promptly, and went to that origin. */
  isProven(subscription: { readonly subscriptionId: string; readonly origin: string; readonly slow: boolean }): boolean;
  /**
   * How many attempts at once a subscription can use, by how long its attempts take; any number while nothing is known of
   * it, and while there are no others whom it could delay (R-X338).
   */
  placesFor(subscriptionId: string, at: Date): number;
  /** Whose pace the store has to change after these attempts; of those alone that say what it was. Remembers nothing. */
  changedBy(ended: readonly EndedAttempt[]): ChangedPaces;
  /** Takes attempts in that ended at `at`, once they are recorded: a transaction may be repeated, this may not. */
  learn(ended: readonly EndedAttempt[], at: Date): void;
}

export function createPaces({ timeoutMs }: { readonly timeoutMs: number }): Paces {
  /** The origin that each subscription's last attempt went to: an endpoint that has moved to another proves itself there. */
  const proven = recentlyUsed<string, string>(REMEMBERED_MAX);
  /** Milliseconds that an attempt takes. One that hangs keeps its place too. */
  const taking = recentlyUsed<string, number>(REMEMBERED_MAX);
  const answers = lastAnswers();
  const promptMs = timeoutMs * PROMPT_PART;
  /** The endpoint's answer counts, a refusal too: what matters is how long it keeps a place. */
  const isPrompt = ({ outcome, durationMs = 0 }: EndedAttempt) => outcome !== "timeout" && durationMs <= promptMs;
  const learnTaking = (subscriptionId: string, attempts: readonly EndedAttempt[]): void => {
    const known = attempts.flatMap(({ outcome, durationMs }) =>
      outcome === "timeout" ? [timeoutMs] : durationMs === undefined ? [] : [durationMs],
    );
    if (known.length === 0) return;
    const newest = meanOf(known);
    const before = taking.get(subscriptionId) ?? newest;
    taking.set(subscriptionId, newest + (before - newest) * (1 - ATTEMPT_PART) ** known.length);
  };
  return {
    isProven({ subscriptionId, origin, slow }) {
      // Another process may have learned it.
      if (slow) proven.delete(subscriptionId);
      return proven.get(subscriptionId) === origin;
    },
    placesFor(subscriptionId, at) {
      const takesMs = taking.get(subscriptionId);
      // Either way: a clock that was ahead is set back.
      const areOthers = Math.abs(at.getTime() - answers.ofOthers(subscriptionId)) <= OTHERS_MS;
      if (takesMs === undefined || !areOthers) return Number.POSITIVE_INFINITY;
      return Math.max(PLACES_MIN, Math.ceil(takesMs / MS_PER_PLACE));
    },
    changedBy(ended) {
      const slow: string[] = [];
      const prompt: string[] = [];
      const paced = ended.filter(({ wasSlow }) => wasSlow !== undefined);
      for (const [subscriptionId, attempts] of bySubscription(paced)) {
        const wasSlow = attempts.some((attempt) => attempt.wasSlow);
        // Of several that end at once, one prompt answer is enough.
        const isNowPrompt = attempts.some(isPrompt);
        if (isNowPrompt && wasSlow) prompt.push(subscriptionId);
        if (!isNowPrompt && !wasSlow) slow.push(subscriptionId);
      }
      return { slow, prompt };
    },
    learn(ended, at) {
      for (const [subscriptionId, attempts] of bySubscription(ended)) {
        learnTaking(subscriptionId, attempts);
        if (attempts.some((attempt) => isPrompt(attempt) && attempt.httpStatus !== undefined))
          answers.note(subscriptionId, at);
        const prompt = attempts.findLast(isPrompt);
        if (prompt === undefined) proven.delete(subscriptionId);
        else proven.set(subscriptionId, originOf({ endpointUrl: prompt.delivery.underWay?.endpointUrl ?? "" }));
      }
    },
  };
}

const bySubscription = (ended: readonly EndedAttempt[]) =>
  Map.groupBy(ended, ({ delivery }) => delivery.subscriptionId);

const meanOf = (numbers: readonly number[]): number => numbers.reduce((sum, one) => sum + one, 0) / numbers.length;

/** When the endpoint of any subscription but the one that is asked for last answered promptly: two times tell it. */
function lastAnswers() {
  let latest = { subscriptionId: "", at: Number.NEGATIVE_INFINITY };
  let otherAt = Number.NEGATIVE_INFINITY;
  return {
    note(subscriptionId: string, at: Date): void {
      if (latest.subscriptionId !== subscriptionId) otherAt = latest.at;
      latest = { subscriptionId, at: at.getTime() };
    },
    ofOthers: (subscriptionId: string): number => (latest.subscriptionId === subscriptionId ? otherAt : latest.at),
  };
}
