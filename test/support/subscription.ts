import type { Gatehouse } from "./gatehouse.ts";
import type { WebhookReceiver } from "./webhook-receiver.ts";
import { present, type World } from "./world.ts";

/** Subscribes the receiver to the world's instance integration, to every event unless types are given, and gives it the secret. */
export async function subscribe(
  { webhooks }: Pick<Gatehouse, "webhooks">,
  world: World,
  receiver: WebhookReceiver,
  { label = "marigold", eventTypes = ["*"] }: { readonly label?: string; readonly eventTypes?: readonly string[] } = {},
): Promise<string> {
  const { subscription, signingSecret } = await webhooks.createSubscription({
    label,
    instanceIntegrationId: world.instanceIntegrationId,
    endpointUrl: receiver.url,
    eventTypes: [...eventTypes],
    tenantIds: [],
  });
  receiver.secret = signingSecret;
  return present(subscription).id;
}
