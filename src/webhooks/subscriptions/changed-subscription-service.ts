import type { IfMatch } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Scope } from "./scope.ts";
import type { ShownSubscriptionDeps } from "./shown-subscription-service.ts";
import type { LockedSubscription, SubscriptionChangeRepository } from "./subscription-change-repository.ts";
import { visibleSubscription } from "./subscription-refusals.ts";
import { assertMatches } from "./subscription-tag.ts";

export interface SubscriptionChangeDeps extends ShownSubscriptionDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly subscriptionChanges: SubscriptionChangeRepository;
}

/** Which subscription a call writes, and what it must be like. */
interface Asked extends Pick<Call, "requestId"> {
  readonly subscriptionId: string;
  readonly ifMatch?: IfMatch | null | undefined;
}

type Work<More> = (before: LockedSubscription, change: Change<WebhooksTables>) => Promise<More>;

/**
 * Changes one subscription of the scope in one transaction that locks it. `work` gets the present subscription and
 * returns the new one, and what else the caller wants to know.
 * @param whatIsDone recognizes what an earlier try of this change, whose answer was lost, has done (R-X333).
 * @throws NOT_FOUND (subscription_not_found); FAILED_PRECONDITION (precondition_failed) when another write came first.
 */
export const changedSubscription = <More>(
  { changes, subscriptionChanges }: Pick<SubscriptionChangeDeps, "changes" | "subscriptionChanges">,
  scope: Scope,
  { subscriptionId, ifMatch, requestId }: Asked,
  work: Work<More>,
  whatIsDone?: Work<More | undefined>,
): Promise<More> =>
  changes.run(
    async (change) => {
      const locked = await subscriptionChanges.lock(change.db, subscriptionId);
      const before = visibleSubscription(scope, locked, subscriptionId);
      const done = change.mayBeDone ? await whatIsDone?.(before, change) : undefined;
      if (done !== undefined) return done;
      assertMatches(before, ifMatch);
      return work(before, change);
    },
    { requestId, recognizesItself: whatIsDone !== undefined },
  );
