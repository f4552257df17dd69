import { type Failure, failedPrecondition, notFound } from "#runtime/basis/errors.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { type Scope, sees } from "./scope.ts";
import type { Subscription } from "./subscription.ts";

/** The same answer for what does not exist, what is deleted and what belongs to another integration (R-X279). */
export const unknownSubscription = (id: string): Failure =>
  notFound(
    "subscription_not_found",
    `There is no subscription ${parseId("subscription", id) === undefined ? "of this id" : id}.`,
  );

/** What was found under the id. @throws NOT_FOUND (subscription_not_found) for nothing, and for what the scope does not contain. */
export function visibleSubscription<Found extends { readonly integrationId: string }>(
  scope: Scope,
  found: Found | undefined,
  id: string,
): Found {
  if (found === undefined || !sees(scope, found)) throw unknownSubscription(id);
  return found;
}

/** A revoked instance integration is final: nothing of its subscriptions can be brought back (R-E14). */
export function assertNotRevoked({ connection }: Pick<Subscription, "connection">): void {
  if (connection === "revoked")
    throw failedPrecondition(
      "instance_integration_revoked",
      "The instance integration of the subscription is revoked, which is final. Make a subscription of another one.",
    );
}

/** Everything that needs a configured instance integration is refused so, whatever the subscription itself is (R-X346). */
export const notConfigured = (): Failure =>
  failedPrecondition("instance_integration_not_configured", "Instance integration not configured.");
