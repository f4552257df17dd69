import type {
  ResendDeliveryRequest,
  ResendDeliveryResponse,
} from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { type Failure, failedPrecondition, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { type Scope, sees } from "../subscriptions/scope.ts";
import { originOf } from "../subscriptions/subscription.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import { assertRecoverable } from "./recoverable.ts";
import type { ResendRepository } from "./resend-repository.ts";

interface ResendDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly resends: ResendRepository;
  readonly subscriptions: Pick<SubscriptionRepository, "find">;
}

/**
 * Sends a settled delivery once more: the same webhook-id and body, a new timestamp and signature, one attempt in a
 * round of its own (R-E10, R-X280).
 * @throws INVALID_ARGUMENT for what is not an id; NOT_FOUND outside the scope (delivery_not_found) and when its
 * subscription was deleted (subscription_not_found); FAILED_PRECONDITION while it is pending, when its body was removed,
 * or when nothing can be sent to its subscription now.
 */
export const resendDelivery =
  ({ changes, resends, subscriptions }: ResendDeps) =>
  async (
    scope: Scope,
    { deliveryId }: ResendDeliveryRequest,
    { requestId }: Pick<Call, "requestId">,
  ): Promise<ResendDeliveryResponse> => {
    const violations = idViolations("delivery", "delivery_id", deliveryId);
    if (violations.length > 0) throw invalidArgument(violations);
    return changes.run(
      async ({ db, at, audit, wakeAfter }) => {
        const found = await resends.find(db, deliveryId, at);
        const subscription = found && (await subscriptions.find(db, found.subscriptionId));
        if (found === undefined || !sees(scope, found))
          throw notFound("delivery_not_found", `There is no delivery ${deliveryId}.`);
        if (subscription === undefined) throw subscriptionDeleted();
        if (found.state === "pending") throw stillPending();
        if (!found.hasBody) throw bodyRemoved();
        assertRecoverable(subscription);
        const endpointOrigin = originOf(subscription);
        const sent = await resends.resend(db, [{ ...found, endpointOrigin }], at);
        // Another call was quicker.
        if (sent.size === 0) throw stillPending();
        wakeAfter(DELIVERIES_CHANNEL);
        const round = found.round + 1;
        await audit({ actor: scope.actor, action: "delivery.resend", object: deliveryId, facts: { round } });
        return { deliveryId, round };
      },
      { requestId },
    );
  };

const subscriptionDeleted = (): Failure =>
  notFound("subscription_not_found", "The delivery's subscription was deleted: nothing is sent to it any more.");

const stillPending = (): Failure =>
  failedPrecondition(
    "delivery_pending",
    "The delivery is still pending: its next attempt comes by itself, when the delivery says. Wait until its attempts have ended.",
  );

const bodyRemoved = (): Failure =>
  failedPrecondition(
    "body_removed",
    "The delivery's body is no longer kept, so it cannot be sent again. Read the current state from the gateway.",
  );
