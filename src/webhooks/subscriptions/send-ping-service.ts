import type { DeliveryId } from "#runtime/basis/ids.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Scope } from "./scope.ts";
import type { Subscription } from "./subscription.ts";

/**
 * Makes a ping of the subscription, inside the given change, and remembers it as its latest; returns its delivery.
 * @throws RESOURCE_EXHAUSTED (too_many_pings) with the seconds to wait, for an integration (R-X344).
 */
export type SendPing = (
  change: Change<WebhooksTables>,
  subscription: Subscription,
  scope: Scope,
) => Promise<DeliveryId>;
