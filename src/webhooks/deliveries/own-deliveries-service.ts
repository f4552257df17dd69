import type {
  GetOwnDeliveryRequest,
  GetOwnDeliveryResponse,
  ListOwnDeliveriesRequest,
  ListOwnDeliveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { notFound } from "#runtime/basis/errors.ts";
import { toDeliveryMessage } from "./delivery-message.ts";
import { deliveryPage, parseWantedPage } from "./delivery-page-service.ts";
import type { DeliveryFilter, DeliveryRepository, ListedDelivery } from "./delivery-repository.ts";
import { assertOwnSubscription } from "./own-subscription-filter.ts";
import type { OwnSubscriptionRepository } from "./own-subscription-repository.ts";

/** Subscriptions of one statement, which reads a few rows of each. */
const SUBSCRIPTIONS_PER_STATEMENT = 8;

export interface OwnDeliveriesDeps {
  readonly deliveries: DeliveryRepository;
  readonly subscriptions: OwnSubscriptionRepository;
}

/** Whose deliveries: an integration's. */
interface Owner {
  readonly integrationId: string;
}

/**
 * Deliveries to the integration's own subscriptions with their attempts, newest first. A page looks at a bounded number
 * of deliveries: it may be shorter than its limit, and even empty, though there is a next one (R-X298).
 * @throws INVALID_ARGUMENT naming every wrong field at once; also for another integration's subscription.
 */
export const listOwnDeliveries =
  ({ deliveries, subscriptions }: OwnDeliveriesDeps) =>
  async ({ integrationId }: Owner, request: ListOwnDeliveriesRequest): Promise<ListOwnDeliveriesResponse> => {
    const wantedPage = parseWantedPage(request);
    const { subscriptionId } = request;
    if (typeof subscriptionId === "string") await assertOwnSubscription(subscriptions, integrationId, subscriptionId);
    const own = typeof subscriptionId === "string" ? [subscriptionId] : await subscriptions.listIds(integrationId);
    return deliveryPage(wantedPage, deliveries, (filter) => newest(deliveries, own, { ...ALL, ...filter }));
  };

/** @throws NOT_FOUND (delivery_not_found) when there is none, or it belongs to another integration. */
export const getOwnDelivery =
  ({ deliveries, subscriptions }: OwnDeliveriesDeps) =>
  async ({ integrationId }: Owner, { deliveryId }: GetOwnDeliveryRequest): Promise<GetOwnDeliveryResponse> => {
    const [found] = await deliveries.list({ ...ALL, deliveryId, limit: 1 });
    if (found === undefined || !(await subscriptions.isOwn(integrationId, found.subscriptionId)))
      throw notFound("delivery_not_found", `There is no delivery ${deliveryId}.`);
    return { delivery: toDeliveryMessage(found) };
  };

const ALL = {
  subscriptionId: undefined,
  deliveryId: undefined,
  eventId: undefined,
  states: [],
  before: undefined,
} as const;

/** The newest of the subscriptions, as many as the filter's limit. */
async function newest(
  deliveries: DeliveryRepository,
  subscriptionIds: readonly string[],
  filter: DeliveryFilter,
): Promise<readonly ListedDelivery[]> {
  const found: ListedDelivery[] = [];
  for (let start = 0; start < subscriptionIds.length; start += SUBSCRIPTIONS_PER_STATEMENT) {
    const some = subscriptionIds.slice(start, start + SUBSCRIPTIONS_PER_STATEMENT);
    found.push(...(await deliveries.list({ ...filter, subscriptionIds: some })));
  }
  return found.toSorted((one, other) => other.sequence - one.sequence).slice(0, filter.limit);
}
