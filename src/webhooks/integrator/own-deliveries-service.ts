import type {
  GetOwnDeliveryRequest,
  GetOwnDeliveryResponse,
  ListOwnDeliveriesRequest,
  ListOwnDeliveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import { invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { toDeliveryMessage } from "../deliveries/delivery-message.ts";
import { deliveryPage, parseWantedPage } from "../deliveries/delivery-page-service.ts";
import type { DeliveryRepository } from "../deliveries/delivery-repository.ts";
import type { OwnSubscriptionRepository } from "../subscriptions/own-subscription-repository.ts";
import type { OwnFilters } from "./own-filters.ts";

export interface OwnDeliveriesDeps {
  readonly deliveries: DeliveryRepository;
  readonly subscriptions: OwnSubscriptionRepository;
  readonly filters: OwnFilters;
  /** True for an event that is kept, and that subscriptions of the integration could have matched. */
  readonly couldMatch: (integrationId: string, eventId: string) => Promise<boolean>;
}

/** Whose deliveries: an integration's. */
interface Owner {
  readonly integrationId: string;
}

/**
 * Deliveries to the integration's own subscriptions with their attempts, newest first: of at most 200 subscriptions,
 * existing and younger ones first, or of the one that is named. A page looks at a bounded number of deliveries: it may
 * be shorter than its limit, and even empty, though there is a next one (R-X298).
 * @throws INVALID_ARGUMENT naming every wrong field at once, filters by what is another integration's too; an event of others
 * is found when the page is empty.
 */
export const listOwnDeliveries =
  (deps: OwnDeliveriesDeps) =>
  async ({ integrationId }: Owner, request: ListOwnDeliveriesRequest): Promise<ListOwnDeliveriesResponse> => {
    const { deliveries, subscriptions } = deps;
    const { subscriptionId, tenantId, eventId } = request;
    const wantedPage = parseWantedPage(
      request,
      await deps.filters.wrongIn(integrationId, { subscriptionId, tenantId }),
    );
    const own = typeof subscriptionId === "string" ? [subscriptionId] : await subscriptions.listIds(integrationId);
    const page = await deliveryPage(wantedPage, deliveries, (filter) =>
      deliveries.list({ ...ALL, ...filter, subscriptionIds: own }),
    );
    if (page.deliveries.length === 0 && typeof eventId === "string") await assertOwnEvent(deps, integrationId, eventId);
    return page;
  };

/** An event of which a delivery was made to the integration, or which its subscriptions could have matched (R-X298). */
async function assertOwnEvent(
  { deliveries, subscriptions, couldMatch }: OwnDeliveriesDeps,
  integrationId: string,
  eventId: string,
): Promise<void> {
  if (await couldMatch(integrationId, eventId)) return;
  const own = await subscriptions.listIds(integrationId);
  const made = await deliveries.list({ ...ALL, eventId, subscriptionIds: own, limit: 1 });
  if (made.length === 0)
    throw invalidArgument([
      {
        field: "event_id",
        reason: "must be the id of an event that this integration could have got, and that is kept",
      },
    ]);
}

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
