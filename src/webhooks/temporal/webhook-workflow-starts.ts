import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import type { DispatchService, HandOver } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Recovery } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { unavailable } from "#runtime/basis/errors.ts";
import type { Log } from "#runtime/process/log.ts";
import type { Loop } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { TemporalLink } from "#runtime/temporal/link.ts";
import { isUnanswered } from "#runtime/temporal/unanswered.ts";
import {
  searchAttributes,
  webhookAttempts,
  webhookEventType,
  webhookLastStatus,
  webhookSubscription,
  webhookTenant,
} from "#workflows/search-attributes.ts";
import type { WebhookRecoveryInput, webhookRecovery } from "#workflows/webhook-recovery.ts";
import { recoveryDetails, recoverySummary } from "#workflows/webhook-recovery-words.ts";
import type { WebhookRetryInput, webhookRetry } from "#workflows/webhook-retry.ts";
import type { WebhookRetryActivities } from "#workflows/webhook-retry-activities.ts";
import { lastStatusOf, roundDetails, roundSummary } from "#workflows/webhook-retry-words.ts";
import { activityPlaces } from "./activity-places.ts";
import { type DeliveryActivitiesDeps, deliveryActivities, toRoundProgress } from "./delivery-activities.ts";
import { engineStartLoop, type Start } from "./engine-start-loop.ts";
import { lostRoundsLoop } from "./lost-rounds-loop.ts";
import { recoveryActivities, toRecoveryProgress } from "./recovery-activities.ts";

const START_DEADLINE_MS = 5_000;
const LIST_PAGE = 1_000;
/** What an attempt may take besides its POST: claiming and recording. */
const ATTEMPT_MARGIN_MS = 10_000;

interface WebhookWorkflowsDeps extends Omit<DeliveryActivitiesDeps, "places"> {
  readonly dispatch: PromiseClient<typeof DispatchService>;
  /** Of one POST. */
  readonly timeoutMs: number;
  /** Between two comparisons of what was handed over with what Temporal has. */
  readonly compareMs: number;
  readonly log: Log;
}

/** The worker's half of the workflows of webhooks: the activities that they call, and the loops that start them. */
export const webhookWorkflows = (deps: WebhookWorkflowsDeps) => ({
  activities: activitiesOf({ ...deps, places: activityPlaces(deps.activitySlots) }),
  searchAttributes,
  /** Hand over what failed, look for what was lost, and start recoveries. */
  loops: (link: TemporalLink, taskQueue: string): readonly Loop[] => [
    engineStartLoop<HandOver>({
      name: "webhook-hand-over",
      starts: link.starts("webhookRetry"),
      claim: async (asked, options) => (await deps.dispatch.claimHandOvers(asked, options)).handOvers,
      async confirm(handOvers) {
        await deps.dispatch.confirmHandOvers({ rounds: handOvers.flatMap(({ round }) => round ?? []) });
      },
      async engine(signal) {
        const client = await link.client(signal);
        return client && startRound(client, taskQueue, deps.timeoutMs);
      },
    }),
    lostRoundsLoop({
      dispatch: deps.dispatch,
      log: deps.log,
      intervalMs: deps.compareMs,
      async listDriven(signal, pass) {
        const client = await link.client(signal);
        return client && pass(() => listRunningRounds(client));
      },
    }),
    engineStartLoop<Recovery>({
      name: "webhook-recovery-start",
      starts: link.starts("webhookRecovery"),
      claim: async (asked, options) => (await deps.dispatch.claimRecoveries(asked, options)).recoveries,
      async engine(signal) {
        const client = await link.client(signal);
        return client && startRecovery(client, taskQueue);
      },
    }),
  ],
});

const activitiesOf = (deps: DeliveryActivitiesDeps & Pick<WebhookWorkflowsDeps, "dispatch">) => ({
  ...deliveryActivities(deps),
  ...recoveryActivities(deps),
});

/**
 * `webhook-retry/<event type>/<subscription>/<delivery>/<round>`: the one text about a workflow that every list shows.
 */
const workflowIdOf = ({ round, eventType, subscriptionLabel }: HandOver): string =>
  `webhook-retry/${eventType}/${subscriptionLabel}/${round?.deliveryId ?? ""}/${round?.round ?? 0}`;

/**
 * Starts a webhookRetry for a delivery, or has the one that runs ask for it at once. A closed one does not prevent it:
 * only a delivery that still waits is ever handed over.
 */
function startRound(client: Client, taskQueue: string, webhookTimeoutMs: number): Start<HandOver> {
  return async (handOver) => {
    const progress = toRoundProgress(handOver.standing);
    const { round, eventType, subscriptionId, subscriptionLabel, tenantId } = handOver;
    const input: WebhookRetryInput = {
      deliveryId: round?.deliveryId ?? "",
      round: round?.round ?? 0,
      eventType,
      subscription: subscriptionLabel,
      standing: progress,
      attemptTimeoutMs: webhookTimeoutMs + ATTEMPT_MARGIN_MS,
    };
    const workflowId = workflowIdOf(handOver);
    const starting = client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      client.workflow.start<typeof webhookRetry>("webhookRetry", {
        taskQueue,
        workflowId,
        args: [input],
        workflowIdConflictPolicy: "FAIL",
        workflowIdReusePolicy: "ALLOW_DUPLICATE",
        // Its activities inherit it.
        priority: { fairnessKey: subscriptionId },
        staticSummary: roundSummary(input),
        staticDetails: roundDetails(input),
        typedSearchAttributes: [
          { key: webhookEventType, value: eventType },
          { key: webhookSubscription, value: subscriptionLabel },
          ...(typeof tenantId === "string" ? [{ key: webhookTenant, value: tenantId }] : []),
          { key: webhookAttempts, value: progress.attempts },
          { key: webhookLastStatus, value: lastStatusOf(progress) },
        ],
      }),
    );
    await starting.catch(async (error: unknown) => {
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      await askNow(client, workflowId);
    });
  };
}

/** An activity of this name is what a webhookRetry waits in while its delivery is suspended (R-X248). */
const ASKING: keyof WebhookRetryActivities = "attemptDelivery";

/**
 * Ends the wait of a workflow's activity until it asks again. Nothing depends on it: a server that does not know the call, or
 * has no such activity, lets it ask when its wait ends.
 */
async function askNow(client: Client, workflowId: string): Promise<void> {
  const { namespace, identity } = client.options;
  await client
    .withDeadline(Date.now() + START_DEADLINE_MS, () =>
      client.workflowService.resetActivity({ namespace, identity, execution: { workflowId }, type: ASKING }),
    )
    .catch(() => undefined);
}

/** `webhook-recovery/<subscription>/<recovery>`. */
const recoveryIdOf = ({ subscriptionLabel, id }: Recovery): string => `webhook-recovery/${subscriptionLabel}/${id}`;

/** Starts a webhookRecovery, or has the one that runs look again. A closed one does not prevent it. */
function startRecovery(client: Client, taskQueue: string): Start<Recovery> {
  return async (recovery) => {
    const progress = toRecoveryProgress({ recovery, underWay: 0 });
    const input: WebhookRecoveryInput = { recoveryId: recovery.id, subscription: recovery.subscriptionLabel, progress };
    await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
      client.workflow.signalWithStart<typeof webhookRecovery>("webhookRecovery", {
        taskQueue,
        workflowId: recoveryIdOf(recovery),
        args: [input],
        signal: "look",
        workflowIdReusePolicy: "ALLOW_DUPLICATE",
        priority: { fairnessKey: recovery.subscriptionId },
        staticSummary: recoverySummary(input),
        staticDetails: recoveryDetails(input),
        typedSearchAttributes: [{ key: webhookSubscription, value: recovery.subscriptionLabel }],
      }),
    );
  };
}

/**
 * The rounds of all webhookRetry workflows that run, as `<delivery>/<round>`.
 * @throws UNAVAILABLE without an answer: a server that is away is no fault of the loop that asks.
 */
async function listRunningRounds(client: Client): Promise<ReadonlySet<string>> {
  const running = new Set<string>();
  const query = "WorkflowType = 'webhookRetry' AND ExecutionStatus = 'Running'";
  try {
    for await (const { workflowId } of client.workflow.list({ query, pageSize: LIST_PAGE })) {
      running.add(workflowId.split("/").slice(-2).join("/"));
    }
  } catch (error) {
    const { cause } = error as Error;
    if (!isUnanswered(cause)) throw error;
    throw unavailable("The list of workflows at Temporal got no answer.", { cause });
  }
  return running;
}
