import type {
  ReleaseDeliveriesRequest,
  ReleaseDeliveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import type { WebhooksTables } from "../tables.ts";
import type { SuspendedDeliveryRepository } from "./suspended-delivery-repository.ts";

/** More in one transaction would keep other writers of an embedded store waiting. */
const AT_ONCE = 500;

interface SuspendedDeliveriesDeps {
  readonly changes: Changes<WebhooksTables>;
  readonly suspended: SuspendedDeliveryRepository;
}

/** Lets deliveries go on that a restored store suspends, oldest first, or cancels them (R-X248). */
export const releaseDeliveries =
  ({ changes, suspended }: SuspendedDeliveriesDeps) =>
  async ({ cancel }: ReleaseDeliveriesRequest, { actor, requestId }: Call): Promise<ReleaseDeliveriesResponse> => {
    const released = await changes.run(
      async ({ db, at, audit, wakeAfter }) => {
        const count = cancel ? await suspended.cancel(db, at, AT_ONCE) : await suspended.release(db, at, AT_ONCE);
        if (count === 0) return 0;
        wakeAfter(DELIVERIES_CHANNEL);
        const action = cancel ? "delivery.cancelSuspended" : "delivery.release";
        await audit({ actor, action, object: "deliveries", facts: { count } });
        return count;
      },
      { requestId },
    );
    return { released, left: await suspended.count() };
  };
