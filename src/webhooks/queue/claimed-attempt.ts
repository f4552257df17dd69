import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Delivery } from "../deliveries/delivery.ts";
import type { Receiver } from "./receiver.ts";
import { signatures } from "./signature.ts";

/**
 * A claimed delivery as the worker gets it: address, signed headers, bytes (R-E5).
 * @throws Error when the body is missing, which the schema rules out: nothing is better than an empty event.
 */
export function toClaimedAttempt({
  delivery,
  receiver: { label, endpointUrl, secrets },
  body,
  at,
  userAgent,
}: {
  readonly delivery: Delivery;
  readonly receiver: Receiver;
  readonly body: Buffer | undefined;
  readonly at: Date;
  readonly userAgent: string;
}): ClaimedAttempt {
  if (body === undefined) throw new Error(`${delivery.id} has no body.`);
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    deliveryId: delivery.id,
    fence: delivery.fence,
    round: delivery.round,
    attemptNumber: delivery.attempts,
    eventId: delivery.eventId,
    eventType: delivery.eventType,
    subscriptionId: delivery.subscriptionId,
    subscriptionLabel: label,
    endpointUrl,
    headers: [
      { name: "content-type", value: "application/json" },
      { name: "user-agent", value: userAgent },
      { name: "webhook-id", value: delivery.eventId },
      { name: "webhook-timestamp", value: String(timestamp) },
      { name: "webhook-signature", value: signatures(secrets, { id: delivery.eventId, timestamp, body }) },
    ],
    body,
  };
}
