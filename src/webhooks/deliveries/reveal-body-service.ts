import type { RevealBodyRequest, RevealBodyResponse } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { failedPrecondition, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import { idViolations } from "#runtime/basis/id-violation.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { WebhooksTables } from "../tables.ts";
import type { DeliveryBodyRepository } from "./delivery-body-repository.ts";

interface RevealBodyDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly bodies: DeliveryBodyRepository;
}

/**
 * The body of a delivery as it is sent. It has names and addresses of people, so the audit log says who has asked for it
 * (R-X404).
 * @throws INVALID_ARGUMENT for what is not an id; NOT_FOUND (delivery_not_found); FAILED_PRECONDITION (body_removed).
 */
export const revealBody =
  ({ changes, bodies }: RevealBodyDeps) =>
  async ({ deliveryId }: RevealBodyRequest, { actor, requestId }: Call): Promise<RevealBodyResponse> => {
    const violations = idViolations("delivery", "delivery_id", deliveryId);
    if (violations.length > 0) throw invalidArgument(violations);
    return changes.run(
      async ({ db, audit }) => {
        const found = await bodies.find(db, deliveryId);
        if (found === undefined) throw notFound("delivery_not_found", `There is no delivery ${deliveryId}.`);
        const { eventType, body } = found;
        if (body === undefined)
          throw failedPrecondition(
            "body_removed",
            "The delivery's body is no longer kept. What is there now is in the platform.",
          );
        await audit({ actor, action: "delivery.revealBody", object: deliveryId, facts: { eventType } });
        return { deliveryId, eventType, body };
      },
      { requestId },
    );
  };
