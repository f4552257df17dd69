import { invalidArgument } from "#runtime/basis/errors.ts";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import { urlPort } from "#runtime/basis/url-port.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { hostOf } from "../endpoints/own-listeners.ts";
import type { WebhooksTables } from "../tables.ts";
import type { CountPing } from "./ping.ts";
import type { Scope } from "./scope.ts";
import type { SubscriptionChangeRepository } from "./subscription-change-repository.ts";
import type { SubscriptionRepository } from "./subscription-repository.ts";

/** @throws INVALID_ARGUMENT when the endpoint is another integration's; RESOURCE_EXHAUSTED (too_many_pings). */
export type AssertFreeEndpoint = (change: Change<WebhooksTables>, scope: Scope, endpointUrl: string) => Promise<void>;

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
  async ({ db, once }, scope, endpointUrl) => {
    if (scope.kind === "operator" || endpointUrl === "") return;
    if (!(await isOfAnother(subscriptions, db, scope, endpointUrl))) return;
    once(countPing, () => countPing(scope));
    throw invalidArgument([
      { field: "endpoint_url", reason: "must not be the endpoint of another integration; an operator can register it" },
    ]);
  };

interface AcknowledgedDeps {
  readonly subscriptions: Pick<SubscriptionRepository, "listOthersAt" | "lockAddress">;
  readonly subscriptionChanges: Pick<SubscriptionChangeRepository, "lock">;
}

/**
 * True when the endpoint that acknowledged a ping has acknowledged one of another integration's before, where an integration
 * chose it: both were registered when neither had (R-X374).
 */
export async function isProvenByAnother(
  { subscriptions, subscriptionChanges }: AcknowledgedDeps,
  tx: Transaction<WebhooksTables>,
  subscriptionId: SubscriptionId,
  endpointUrl: string,
): Promise<boolean> {
  const one = await subscriptionChanges.lock(tx, subscriptionId);
  if (one?.endpointUrl !== endpointUrl || !one.awaitsPing || !one.endpointByIntegration) return false;
  // Two acknowledgements of one moment would not see each other.
  await subscriptions.lockAddress(tx, addressOf(endpointUrl));
  return isOfAnother(subscriptions, tx, one, endpointUrl);
}

/** True when another integration has the endpoint, and needs no ping for it any more. */
async function isOfAnother(
  subscriptions: Pick<SubscriptionRepository, "listOthersAt">,
  db: Database<WebhooksTables>,
  { integrationId }: { readonly integrationId: string },
  endpointUrl: string,
): Promise<boolean> {
  const address = addressOf(endpointUrl);
  const others = await subscriptions.listOthersAt(db, integrationId, hostOf(new URL(endpointUrl)));
  return others.some((other) => addressOf(other) === address);
}

/** An order of endpoints in which each address comes at one place. */
export function byAddress(one: { readonly endpointUrl: string }, other: { readonly endpointUrl: string }): number {
  const [first, second] = [addressOf(one.endpointUrl), addressOf(other.endpointUrl)];
  return first < second ? -1 : Number(first > second);
}

/** Without query and slashes at the end; a name with a full stop behind it is the same name. */
function addressOf(endpointUrl: string): string {
  const url = new URL(endpointUrl);
  return `${url.protocol}//${hostOf(url)}:${urlPort(url)}${url.pathname}`.replace(/(?<!\/)\/+$/, "");
}
