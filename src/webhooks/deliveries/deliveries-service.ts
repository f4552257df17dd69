import type { ListDeliveriesRequest, ListDeliveriesResponse } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import { type IdKind, parseId } from "#runtime/basis/ids.ts";
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
      ...wrongId("subscription", "subscription_id", subscriptionId),
      ...wrongId("delivery", "delivery_id", deliveryId),
      ...wrongId("event", "event_id", eventId),
      ...wrongId("tenant", "tenant_id", tenantId),
    ]);
    const ids = { subscriptionId: subscriptionId ?? undefined, deliveryId: deliveryId ?? undefined };
    return deliveryPage(wanted, deliveries, (filter) => deliveries.list({ ...filter, ...ids }));
  };

const wrongId = (kind: IdKind, field: string, given: string | null | undefined): readonly FieldViolation[] =>
  typeof given === "string" && parseId(kind, given) === undefined
    ? [{ field, reason: `must be the id of ${kind === "event" ? "an" : "a"} ${kind}` }]
    : [];
