import type { ListDeliveriesRequest, ListDeliveriesResponse } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { deliveryPage, parseWantedPage } from "./delivery-page-service.ts";
import type { DeliveryRepository } from "./delivery-repository.ts";

interface DeliveriesDeps {
  readonly deliveries: DeliveryRepository;
}

/**
 * Deliveries with their attempts, newest first, a page at a time.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listDeliveries =
  ({ deliveries }: DeliveriesDeps) =>
  async (request: ListDeliveriesRequest): Promise<ListDeliveriesResponse> => {
    const { subscriptionId, deliveryId, eventId, tenantId } = request;
    const wanted = parseWantedPage(request, [
      ...optionalIdViolations("subscription", "subscription_id", subscriptionId),
      ...optionalIdViolations("delivery", "delivery_id", deliveryId),
      ...optionalIdViolations("event", "event_id", eventId),
      ...optionalIdViolations("tenant", "tenant_id", tenantId),
    ]);
    const ids = { subscriptionId: subscriptionId ?? undefined, deliveryId: deliveryId ?? undefined };
    return deliveryPage(wanted, deliveries, (filter) => deliveries.list({ ...filter, ...ids }));
  };
