import { setTimeout as sleep } from "node:timers/promises";
import { Context } from "@temporalio/activity";
import { type ApplicationFailure, ApplicationFailureCategory } from "@temporalio/common";
import {
  type AttemptOutcome,
  type DispatchService,
  type Standing,
  StandingKind,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { RoundProgress, WebhookRetryActivities } from "#workflows/webhook-retry-activities.ts";
import type { AttemptSender } from "../sending/attempt-sender.ts";
import type { ClaimReturner } from "../sending/claim-returner.ts";
import type { DispatchMetrics } from "../sending/dispatch-metrics.ts";
import { reportOf } from "../sending/outcome-reporter.ts";
import type { TroubleWatch } from "../sending/trouble-watch.ts";
import { unprovenPlaces } from "../sending/unproven-places.ts";
import type { ActivityPlaces } from "./activity-places.ts";
import { failureOf, ours, ownFault } from "./own-fault.ts";

const BEAT_MS = 1_000;
const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
/** So that a retry does not come just before the delivery is due. */
const RETRY_MARGIN_MS = 100;

export interface DeliveryActivitiesDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "claimOne" | "recordOne" | "cancelDelivery">;
  readonly attemptSender: AttemptSender;
  readonly metrics: Pick<DispatchMetrics, "ended">;
  readonly claims: Pick<ClaimReturner, "claim">;
  readonly troubles: Pick<TroubleWatch, "happened">;
  readonly leaseMs: number;
  /** Activities that the Temporal worker runs at once. */
  readonly activitySlots: number;
  readonly places: ActivityPlaces;
  readonly now: () => number;
}

/**
 * What a webhookRetry workflow does in the world. Everything it throws is our own fault, costs no attempt and is
 * retried by Temporal.
 */
export const deliveryActivities = (deps: DeliveryActivitiesDeps): WebhookRetryActivities => {
  const { places } = deps;
  const unproven = unprovenPlaces(deps.activitySlots);
  return {
    async attemptDelivery({ deliveryId, round, now, askedAfter }) {
      const activity = Context.current();
      const scheduledAtMs = activity.info.currentAttemptScheduledTimestampMs;
      const startedAtMs = performance.now();
      const answered = (progress: Standing | null): RoundProgress => ({
        ...toRoundProgress(progress),
        // The worker's clock may differ from the server's, by which the workflow waits.
        answeredAtMs: Math.round(scheduledAtMs + performance.now() - startedAtMs),
      });
      const leaseEndsAt = deps.now() + deps.leaseMs;
      // Beats let the server notice within seconds that this worker is gone.
      const beating = setInterval(() => activity.heartbeat(), BEAT_MS);
      // Taken before it is known whether the attempt needs one: others ask meanwhile.
      const freePlaces = places.free;
      const unprovenFreePlaces = Math.min(freePlaces, unproven.free);
      places.take();
      let hasPlace = unproven.free > 0;
      const leave = () => {
        if (hasPlace) unproven.leave();
        hasPlace = false;
      };
      if (hasPlace) unproven.take();
      try {
        const request = {
          round: { deliveryId, round },
          now,
          askedAfter,
          provenOnly: !hasPlace,
          freePlaces,
          unprovenFreePlaces,
        };
        const { attempt, standing: progress } = await ours(() =>
          deps.claims.claim((claim) => deps.dispatch.claimOne({ ...request, claim }, { deadlineMs: 5_000 })),
        );
        if (attempt === undefined || attempt === null) return answered(progress);
        if (attempt.unproven !== true) leave();
        const result = await deps.attemptSender.send(attempt);
        deps.metrics.ended(result);
        const report = reportOf(attempt, result, deps.troubles);
        const recorded = await record(deps, report, leaseEndsAt);
        if (result.outcome === "not_sent") throw notSent(report.pauseMs ?? 0);
        return answered(recorded);
      } finally {
        leave();
        places.leave();
        clearInterval(beating);
      }
    },
    async cancelDelivery({ deliveryId, round }) {
      const { standing: progress } = await ours(() => deps.dispatch.cancelDelivery({ round: { deliveryId, round } }));
      return toRoundProgress(progress);
    },
    async requestCancellation({ reason }) {
      const { client, info } = Context.current();
      const { namespace, identity } = client.options;
      const { workflowExecution = null } = info;
      // One id for all tries: the server takes one request.
      const requestId = `cancelled-${workflowExecution?.runId}`;
      const request = { namespace, identity, workflowExecution, requestId, reason };
      await client.workflowService.requestCancelWorkflowExecution(request).catch(() => {
        throw failureOf({
          message: "The server did not take the request to cancel: it is made again.",
          type: "OwnFault",
        });
      });
    },
  };
};

/**
 * Retries while the lease lasts: after that the attempt counts as lost, and a later claim gets the progress after it.
 */
async function record(
  { dispatch, now }: DeliveryActivitiesDeps,
  outcome: AttemptOutcome,
  leaseEndsAt: number,
): Promise<Standing | null> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
    try {
      return (await dispatch.recordOne({ outcome })).standing;
    } catch (error) {
      if (now() + pauseMs >= leaseEndsAt) throw ownFault(error);
      await sleep(pauseMs);
    }
  }
}

/** Waiting by a retry leaves no trace in the history, however long the trouble lasts. */
const notSent = (pauseMs: number): ApplicationFailure =>
  failureOf({
    message: "This worker cannot send at the moment: no attempt is spent, it is tried again. See its health and log.",
    type: "NotSent",
    nextRetryDelay: pauseMs + RETRY_MARGIN_MS,
  });

const KINDS: ReadonlyMap<StandingKind, RoundProgress["kind"]> = new Map([
  [StandingKind.WAITING, "waiting"],
  [StandingKind.UNDER_WAY, "underWay"],
  [StandingKind.DELIVERED, "delivered"],
  [StandingKind.EXHAUSTED, "exhausted"],
  [StandingKind.SKIPPED, "skipped"],
  [StandingKind.CANCELLED, "cancelled"],
]);

/** Why an attempt is not made now although nothing of the delivery changes: the words that operators see beside the activity. */
const NOT_NOW: ReadonlyMap<StandingKind, { readonly type: string; readonly message: string }> = new Map([
  [
    StandingKind.CROWDED,
    {
      type: "EndpointCrowded",
      message: "As many attempts as allowed are under way to the endpoint's host, or of its integration.",
    },
  ],
  [
    StandingKind.SUSPENDED,
    {
      type: "DeliverySuspended",
      message: "A restored store suspends the delivery until gatehouse deliveries release lets it go on.",
    },
  ],
]);

/**
 * A round's progress in the words of workflows.
 * @throws ApplicationFailure while the endpoint's host or its integration has no place free, or a restored store suspends the delivery:
 * waiting by a retry leaves no trace in the history, whose length is bounded.
 */
export function toRoundProgress(progress: Standing | null): RoundProgress {
  const { kind, waitMs, attempts, attemptsMax, lastOutcome, lastHttpStatus, reason } = progress ?? failUnknown();
  const notNow = NOT_NOW.get(kind);
  if (notNow !== undefined) {
    throw failureOf({ ...notNow, nextRetryDelay: waitMs, category: ApplicationFailureCategory.BENIGN });
  }
  return {
    kind: KINDS.get(kind) ?? failUnknown(),
    waitMs,
    attempts,
    attemptsMax,
    lastOutcome,
    ...(typeof lastHttpStatus === "number" ? { lastHttpStatus } : {}),
    ...(typeof reason === "string" ? { reason } : {}),
  };
}

const failUnknown = (): never => {
  throw failureOf({ message: "Services answered with a progress that this worker does not know.", type: "OwnFault" });
};
