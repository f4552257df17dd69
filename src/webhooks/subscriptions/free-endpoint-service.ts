import { invalidArgument } from "#runtime/basis/errors.ts";
import type { Database } from "#runtime/database/database.ts";
import { portOf } from "../endpoints/endpoint-port.ts";
import { hostOf } from "../endpoints/own-listeners.ts";
import type { WebhooksTables } from "../tables.ts";
import type { CountPing } from "./ping.ts";
import type { Scope } from "./scope.ts";
import type { SubscriptionRepository } from "./subscription-repository.ts";

/** @throws INVALID_ARGUMENT when the endpoint is another integration's; RESOURCE_EXHAUSTED (too_many_pings). */
export type AssertFreeEndpoint = (db: Database<WebhooksTables>, scope: Scope, endpointUrl: string) => Promise<void>;

interface FreeEndpointDeps {
  readonly subscriptions: Pick<SubscriptionRepository, "listOthersAt">;
  readonly countPing: CountPing;
}

/**
 * Refuses an integration the endpoint of another one, by which it would get the other's requests or the other its events:
 * the same scheme, host, port and path. An endpoint that never acknowledged a ping blocks no other registration. Each
 * refusal counts as a ping, so that addresses cannot be tried out (R-X278).
 */
export const assertFreeEndpoint =
  ({ subscriptions, countPing }: FreeEndpointDeps): AssertFreeEndpoint =>
  async (db, scope, endpointUrl) => {
    if (scope.kind === "operator" || endpointUrl === "") return;
    const address = addressOf(endpointUrl);
    const others = await subscriptions.listOthersAt(db, scope.integrationId, hostOf(new URL(endpointUrl)));
    if (!others.some((other) => addressOf(other) === address)) return;
    countPing(scope);
    throw invalidArgument([
      { field: "endpoint_url", reason: "must not be the endpoint of another integration; an operator can register it" },
    ]);
  };

/** Without query and slashes at the end; a name with a full stop behind it is the same name. */
function addressOf(endpointUrl: string): string {
  const url = new URL(endpointUrl);
  return `${url.protocol}//${hostOf(url)}:${portOf(url)}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}
