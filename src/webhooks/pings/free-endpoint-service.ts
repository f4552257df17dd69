import { invalidArgument } from "#runtime/basis/errors.ts";
import type { AssertFreeEndpoint } from "../subscriptions/changed-subscription-service.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { CountPing } from "./ping-allowance.ts";

interface FreeEndpointDeps {
  readonly subscriptions: Pick<SubscriptionRepository, "listOthersAt">;
  readonly countPing: CountPing;
}

/**
 * Refuses an integration the endpoint of another one, by which it would get the other's requests or the other its events:
 * the same scheme, host, port and path. One that never acknowledged a ping keeps nobody out. Each refusal counts as a
 * ping, so that addresses cannot be tried out (R-X278).
 */
export const assertFreeEndpoint =
  ({ subscriptions, countPing }: FreeEndpointDeps): AssertFreeEndpoint =>
  async (db, scope, endpointUrl) => {
    if (scope.kind === "operator" || endpointUrl === "") return;
    const address = addressOf(endpointUrl);
    const others = await subscriptions.listOthersAt(db, scope.integrationId, new URL(endpointUrl).hostname);
    if (!others.some((other) => addressOf(other) === address)) return;
    countPing(scope);
    throw invalidArgument([
      { field: "endpoint_url", reason: "must not be the endpoint of another integration; an operator can register it" },
    ]);
  };

/** Without query and slashes at the end. */
function addressOf(endpointUrl: string): string {
  const { origin, pathname } = new URL(endpointUrl);
  return `${origin}${pathname}`.replace(/\/+$/, "");
}
