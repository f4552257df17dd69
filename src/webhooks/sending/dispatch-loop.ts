import type {
  ClaimDueResponse,
  ClaimedAttempt,
  DispatchService,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { type Loop, withoutDeadline } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { LAST_REPORTS_MS } from "../settings.ts";
import type { AttemptSender } from "./attempt-sender.ts";
import type { ClaimReturner } from "./claim-returner.ts";
import type { DispatchMetrics } from "./dispatch-metrics.ts";
import { type OutcomeReporter, reportOf } from "./outcome-reporter.ts";
import type { TroubleWatch } from "./trouble-watch.ts";
import { unprovenPlaces } from "./unproven-places.ts";

const CLAIM_MAX = 50;
/** How many are tried at once while a trouble of our own keeps requests from leaving. */
const TROUBLED_CLAIM_MAX = 5;
const WAIT_MS = 20_000;
/**
 * While there is no place for an unproven attempt, or few, of which an integration with many gets none: those that end make more,
 * and a claim that waits knows only of the places that were free when it began.
 */
const FULL_WAIT_MS = 1_000;
/** So few are a sixteenth. */
const FEW_PLACES_PART = 1 / 16;
/** What a claim may take besides waiting. */
const CLAIM_MARGIN_MS = 5_000;

interface DispatchLoopDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "claimDue">;
  readonly attemptSender: AttemptSender;
  readonly reporter: OutcomeReporter;
  readonly claims: ClaimReturner;
  readonly troubles: Pick<TroubleWatch, "happened" | "isTroubled" | "calm">;
  readonly metrics: DispatchMetrics;
  /** Attempts at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly now: () => number;
}

/**
 * Waits for due deliveries and sends them. It claims no more than it has places free, so that every claimed attempt
 * leaves at once and its timestamp is true. Unproven attempts, which may take their whole time, have half of the places
 * (R-X306). While a trouble of our own keeps requests from leaving, it claims a few at a time and pauses between. What
 * is under way finishes when the loop is stopped, and goes on when the loop fails and is started again.
 */
export function dispatchLoop(deps: DispatchLoopDeps): Loop {
  const { dispatch, attemptSender, reporter, claims, troubles, metrics, concurrency, leaseMs, now } = deps;
  const underWay = new Set<Promise<void>>();
  const unproven = unprovenPlaces(concurrency);
  // Replaced whenever an attempt ends; racing all of them instead would leave a reaction on each, every time.
  let ended = Promise.withResolvers<void>();

  async function attempt(claimed: ClaimedAttempt, leaseEndsAt: number): Promise<void> {
    const result = await attemptSender.send(claimed);
    metrics.ended(result);
    reporter.report(reportOf(claimed, result, troubles), leaseEndsAt);
  }

  function start(claimed: ClaimedAttempt, leaseEndsAt: number): void {
    if (claimed.unproven === true) unproven.take();
    const sending = attempt(claimed, leaseEndsAt).finally(() => {
      underWay.delete(sending);
      if (claimed.unproven === true) unproven.leave();
      metrics.underWay(underWay.size);
      ended.resolve();
      ended = Promise.withResolvers();
    });
    underWay.add(sending);
  }

  return {
    name: "webhook-dispatch",
    async run(signal, pass = withoutDeadline(signal)) {
      while (!signal.aborted) {
        await troubles.calm(signal);
        if (signal.aborted) break;
        const most = troubles.isTroubled() ? TROUBLED_CLAIM_MAX : CLAIM_MAX;
        const free = concurrency - underWay.size;
        if (free === 0) {
          await ended.promise;
          continue;
        }
        const { attempts } = await pass((late) => claim({ limit: Math.min(most, free), free }, late));
        const leaseEndsAt = now() + leaseMs;
        for (const claimed of attempts) start(claimed, leaseEndsAt);
        metrics.underWay(underWay.size);
      }
      await Promise.all(underWay);
      const giveUp = AbortSignal.timeout(LAST_REPORTS_MS);
      await Promise.all([reporter.idle(giveUp), claims.idle(giveUp)]);
      await attemptSender.close();
    },
  };

  async function claim(
    { limit, free }: { readonly limit: number; readonly free: number },
    signal: AbortSignal,
  ): Promise<ClaimDueResponse> {
    const unprovenFree = Math.min(free, unproven.free);
    const unprovenLimit = Math.min(limit, unprovenFree);
    const waitMs = unprovenFree <= concurrency * FEW_PLACES_PART ? FULL_WAIT_MS : WAIT_MS;
    try {
      return await claims.claim((name) =>
        dispatch.claimDue(
          { limit, unprovenLimit, freePlaces: free, unprovenFreePlaces: unprovenFree, waitMs, claim: name },
          { signal, deadlineMs: waitMs + CLAIM_MARGIN_MS },
        ),
      );
    } catch (error) {
      if (signal.aborted) return { attempts: [] };
      throw error;
    }
  }
}
