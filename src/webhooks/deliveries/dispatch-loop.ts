import type {
  ClaimDueResponse,
  ClaimedAttempt,
  DispatchService,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { type Loop, withoutDeadline } from "#runtime/basis/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { LAST_REPORTS_MS } from "../settings.ts";
import type { AttemptSender } from "./attempt-sender.ts";
import type { DispatchMetrics } from "./dispatch-metrics.ts";
import { toOutcomeClass } from "./outcome.ts";
import type { OutcomeReporter } from "./outcome-reporter.ts";

const CLAIM_MAX = 50;
const WAIT_MS = 20_000;
/** What a claim may take besides waiting. */
const CLAIM_MARGIN_MS = 5_000;

export interface DispatchLoopDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "claimDue">;
  readonly sender: AttemptSender;
  readonly reporter: OutcomeReporter;
  readonly metrics: DispatchMetrics;
  /** Attempts at once. */
  readonly concurrency: number;
  readonly leaseMs: number;
  readonly now: () => number;
}

/**
 * Waits for due deliveries and sends them. It claims no more than it has places free, so that every claimed attempt leaves at once and
 * its timestamp is true. When stopped it lets what is under way finish; when it fails, that goes on while the loop is started again.
 */
export function dispatchLoop(deps: DispatchLoopDeps): Loop {
  const { dispatch, sender, reporter, metrics, concurrency, leaseMs, now } = deps;
  const underWay = new Set<Promise<void>>();
  // Replaced whenever an attempt ends; racing all of them instead would leave a reaction on each, every time.
  let ended = Promise.withResolvers<void>();

  async function attempt(claimed: ClaimedAttempt, leaseEndsAt: number): Promise<void> {
    const result = await sender.send(claimed);
    metrics.ended(result);
    const { outcome, ...rest } = result;
    const { deliveryId, fence, round, attemptNumber } = claimed;
    reporter.report({ deliveryId, fence, round, attemptNumber, class: toOutcomeClass(outcome), ...rest }, leaseEndsAt);
  }

  function start(claimed: ClaimedAttempt, leaseEndsAt: number): void {
    const sending = attempt(claimed, leaseEndsAt).finally(() => {
      underWay.delete(sending);
      metrics.underWay(underWay.size);
      ended.resolve();
      ended = Promise.withResolvers();
    });
    underWay.add(sending);
  }

  return {
    name: "webhook-dispatch",
    async run(signal, round = withoutDeadline(signal)) {
      while (!signal.aborted) {
        const limit = Math.min(CLAIM_MAX, concurrency - underWay.size);
        if (limit === 0) {
          await ended.promise;
          continue;
        }
        const { attempts } = await round((late) => claim(limit, late));
        const leaseEndsAt = now() + leaseMs;
        for (const claimed of attempts) start(claimed, leaseEndsAt);
        metrics.underWay(underWay.size);
      }
      await Promise.all(underWay);
      await reporter.idle(AbortSignal.timeout(LAST_REPORTS_MS));
      await sender.close();
    },
  };

  async function claim(limit: number, signal: AbortSignal): Promise<ClaimDueResponse> {
    try {
      return await dispatch.claimDue({ limit, waitMs: WAIT_MS }, { signal, deadlineMs: WAIT_MS + CLAIM_MARGIN_MS });
    } catch (error) {
      if (signal.aborted) return { attempts: [] };
      throw error;
    }
  }
}
