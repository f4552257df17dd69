import type { Closer } from "../../support/scope.ts";
import { subscribe } from "../../support/subscription.ts";
import { type ReceiverAnswer, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { type Peers, present, type World } from "../../support/world.ts";
import type { Dice } from "../weather/dice.ts";

/** One subscription and its receiver. */
export interface Listener {
  readonly label: string;
  readonly subscriptionId: string;
  readonly receiver: WebhookReceiver;
}

export interface Audience {
  readonly listeners: readonly Listener[];
  /** Configures or unconfigures the second connection: deliveries to it are sent or skipped. */
  flip(configured: boolean): Promise<void>;
}

/**
 * A receiver that always acknowledges, one that breaks in every way, one that never acknowledges, and one whose
 * connection comes and goes.
 */
export async function openAudience(
  closeLater: (closer: Closer) => void,
  peers: Peers,
  world: World,
  dice: Dice,
): Promise<Audience> {
  const { integration } = await peers.workforce.createIntegration({ requestId: "", name: "Second" });
  const { instanceIntegration } = await peers.workforce.connectIntegration({
    requestId: "",
    integrationId: present(integration).id,
    instanceId: world.instanceId,
    configured: true,
  });
  const second = { ...world, instanceIntegrationId: present(instanceIntegration).id };
  const broken = (): ReceiverAnswer =>
    dice.pick<ReceiverAnswer>([{ status: 500 }, { status: 301 }, { status: 429 }, "reset", "silence", { status: 200 }]);
  const rows: readonly [string, World, ReceiverAnswer | (() => ReceiverAnswer)][] = [
    ["steady", world, { status: 204 }],
    ["breaking", world, broken],
    ["refusing", world, { status: 503 }],
    ["coming-and-going", second, { status: 204 }],
  ];
  const listeners: Listener[] = [];
  for (const [label, owner, answer] of rows) {
    const receiver = await startWebhookReceiver({ answer });
    closeLater(() => receiver.stop());
    listeners.push({ label, receiver, subscriptionId: await subscribe(peers, owner, receiver, { label }) });
  }
  return {
    listeners,
    async flip(configured) {
      const { instanceIntegrationId } = second;
      await peers.workforce.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured });
    },
  };
}
