import { DeliveryState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { toWireDelivery } from "./delivery-wire.ts";
import { pageOf, startOf } from "./list-page.ts";
import { Refused, webhookOperation } from "./webhook-operation.ts";

const instant = (text: string | undefined): Date | null => (text === undefined ? null : new Date(text));

export const listDeliveriesOperation = webhookOperation<"listDeliveries">(200, async (asking) => {
  const { request, integrator, options } = asking;
  const start = startOf(asking);
  if (start instanceof Refused) return start;
  const { state, type, clientId, subscriptionId, eventId, from, to } = request.query;
  const { deliveries, nextCursor } = await integrator.listOwnDeliveries(
    {
      ...start,
      subscriptionId: subscriptionId ?? null,
      eventId: eventId ?? null,
      states: state === undefined ? [] : [valueOfLower(DeliveryState, state)],
      eventType: type ?? null,
      tenantId: clientId ?? null,
      from: instant(from),
      to: instant(to),
    },
    options,
  );
  return pageOf(asking, deliveries.map(toWireDelivery), nextCursor);
});

export const getDeliveryOperation = webhookOperation<"getDelivery">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireDelivery((await integrator.getOwnDelivery(params, options)).delivery),
);

export const resendDeliveryOperation = webhookOperation<"resendDelivery">(
  202,
  async ({ request: { params }, integrator, options }) => {
    const { deliveryId, round } = await integrator.resendDelivery(params, options);
    return { deliveryId, round };
  },
);
