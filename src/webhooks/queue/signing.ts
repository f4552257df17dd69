import type { KeyObject } from "node:crypto";
import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { IntegrationId } from "#runtime/basis/ids.ts";
import type { Log } from "#runtime/process/log.ts";
import type { ClaimedDelivery } from "../deliveries/delivery.ts";
import { signingSecretRow } from "../secrets/signing-secret.ts";
import { type ExtraHeader, extraHeadersRow } from "../subscriptions/extra-headers.ts";
import type { Blocked, DELETED } from "../subscriptions/may-send.ts";
import type { Signer } from "../subscriptions/subscription-repository.ts";
import type { DeliveryMetrics } from "./delivery-metrics.ts";
import type { OpenedSecrets } from "./opened-secrets.ts";
import { standardHeaders } from "./signature.ts";

/** How long a delivery waits when we, not the endpoint, cannot do our part. */
export const OUR_FAULT_WAIT_MS = 60_000;

/** A subscription that can be sent to right now. */
export interface Receiver {
  readonly integrationId: IntegrationId;
  readonly label: string;
  /** What the extra headers are for: an attempt that was claimed for another one does not get them. */
  readonly endpointUrl: string;
  /** Shared secrets, then private keys; newest first. Each signs. */
  readonly secrets: readonly KeyObject[];
  /** What its deliveries have besides ours (R-X272). */
  readonly extraHeaders: readonly ExtraHeader[];
  /** True when its last attempts took long. */
  readonly slow: boolean;
}

/** What becomes of a delivery that cannot be sent right now. No attempt is spent. */
export type Unsendable =
  | Blocked
  | typeof DELETED
  | { readonly state: "pending"; readonly dueAt: Date }
  | { readonly state: "cancelled"; readonly reason: "body_removed" };

interface ReceiverDeps {
  readonly secrets: OpenedSecrets;
  readonly log: Log;
  readonly metrics: Pick<DeliveryMetrics, "unopened">;
}

/**
 * A subscription as the receiver of an attempt, its secrets opened; or, when one cannot be opened, until when its
 * deliveries wait. Never throws: one broken subscription must not keep the others waiting.
 */
export function receiverOf(
  { subscriptionId, integrationId, label, endpointUrl, secrets: sealedSecrets, sealedHeaders, slow }: Signer,
  { secrets: opened, log, metrics }: ReceiverDeps,
  at: Date,
): { readonly receiver: Receiver } | { readonly unsendable: Unsendable } {
  try {
    const secrets = sealedSecrets.map(({ number, kind, sealed }) =>
      opened.keyOf(signingSecretRow(subscriptionId, number), sealed, kind),
    );
    if (secrets.length === 0) throw new Error(`${subscriptionId} has no signing secret.`);
    const extraHeaders =
      sealedHeaders === undefined ? [] : opened.headersOf(extraHeadersRow(subscriptionId), sealedHeaders);
    return { receiver: { integrationId, label, endpointUrl, secrets, extraHeaders, slow } };
  } catch (error) {
    metrics.unopened();
    log.error("Deliveries wait, since their signing secret cannot be opened.", { detail: subscriptionId, error });
    return { unsendable: { state: "pending", dueAt: new Date(at.getTime() + OUR_FAULT_WAIT_MS) } };
  }
}

/**
 * A claimed delivery as the worker gets it: address, signed headers, bytes (R-E5).
 * @throws Error when the body is missing, which a pending delivery never is: nothing is better than an empty event.
 */
export function toClaimedAttempt({
  delivery,
  receiver: { label, secrets, extraHeaders },
  at,
  userAgent,
}: {
  readonly delivery: ClaimedDelivery;
  readonly receiver: Receiver;
  readonly at: Date;
  readonly userAgent: string;
}): ClaimedAttempt {
  const { body, underWay } = delivery;
  if (body === undefined || underWay === undefined) throw new Error(`${delivery.id} has no body, or no attempt.`);
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
    endpointUrl: underWay.endpointUrl,
    headers: [
      ...extraHeaders,
      { name: "content-type", value: "application/json" },
      { name: "user-agent", value: userAgent },
      ...standardHeaders(secrets, { id: delivery.eventId, timestamp, body }),
    ],
    body,
  };
}
