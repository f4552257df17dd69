import type { ProcessGatehouse } from "../../support/processes.ts";
import type { Closer } from "../../support/scope.ts";
import { type ReceiverOptions, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { present, type World } from "../../support/world.ts";

/** A subscription to the new locations of a tenant of its own, and its receiver. */
export interface LocationSubscriber {
  readonly receiver: WebhookReceiver;
  readonly subscriptionId: string;
  /** Makes an event for it, and for no other. */
  createLocation(name: string): Promise<void>;
}

interface Given {
  readonly gatehouse: ProcessGatehouse;
  readonly world: World;
  readonly label: string;
  readonly answer: NonNullable<ReceiverOptions["answer"]>;
}

export async function subscribeToLocations(
  closeLater: (closer: Closer) => void,
  { gatehouse: { platform, webhooks }, world, label, answer }: Given,
): Promise<LocationSubscriber> {
  const receiver = await startWebhookReceiver({ answer });
  closeLater(() => receiver.stop());
  const { instanceId, instanceIntegrationId } = world;
  const { tenant } = await platform.createTenant({ requestId: "", instanceId, name: label, address: null });
  const tenantId = present(tenant).id;
  const { subscription, signingSecret } = await webhooks.createSubscription({
    ...{ label, instanceIntegrationId, endpointUrl: receiver.url },
    ...{ eventTypes: ["organization_location.created"], tenantIds: [tenantId] },
  });
  receiver.secret = signingSecret;
  return {
    receiver,
    subscriptionId: present(subscription).id,
    async createLocation(name) {
      await platform.createLocation({ requestId: "", tenantId, name });
    },
  };
}
