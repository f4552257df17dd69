import { join } from "node:path";
import { DispatchService } from "../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Delivery } from "../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { carrierTo } from "../../src/roles/carriers.ts";
import type { PromiseClient } from "../../src/runtime/rpc/call.ts";
import { eventually } from "../support/eventually.ts";
import { openProcesses, type ProcessGatehouse, type ProcessOptions } from "../support/processes.ts";
import type { Closer } from "../support/scope.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../support/webhook-receiver.ts";
import { makeWorld, newTenant, present, type World } from "../support/world.ts";

/** Waits that a test can wait for; a timer of Temporal takes a second at least. */
export const QUICK = {
  "webhook-attempt-delays": "1s,2s",
  "webhook-jitter": "0.5",
  // A healthy receiver on a busy machine is in time, and so is the kill of a worker that waits for a silent one.
  "webhook-timeout-ms": "5000",
  "webhook-lease-ms": "10000",
};

/** Three attempts and a lease on a busy machine, each step by another process. */
const SETTLED_MS = 60_000;

/** A subscriber with a tenant of its own, so that no other subscriber gets its events. */
export interface Subscriber {
  readonly receiver: WebhookReceiver;
  readonly subscriptionId: string;
  readonly tenantId: string;
  readonly instanceIntegrationId: string;
  /** Makes one event, and another. */
  emit(): Promise<void>;
  emitAgain(): Promise<void>;
  /** The first delivery, when it is no longer pending. */
  settled(timeoutMs?: number): Promise<Delivery>;
  /** The first delivery, when so many attempts have ended. */
  attempts(count: number): Promise<Delivery>;
}

/** The product as a process of its own, with subscribers that refuse what a test says. */
export interface RetryKit {
  readonly gatehouse: ProcessGatehouse;
  readonly world: World;
  readonly dispatch: PromiseClient<typeof DispatchService>;
  /** At the kit's instance integration, or at one of an instance of its own. */
  subscriber(label: string, options?: { readonly apart?: boolean }): Promise<Subscriber>;
}

export async function openRetryKit(
  closeLater: (closer: Closer) => void,
  { flags, ...options }: ProcessOptions = {},
): Promise<RetryKit> {
  const gatehouse = await openProcesses(closeLater, { ...options, flags: { ...QUICK, ...flags } });
  const world = await makeWorld(gatehouse);
  const carrier = carrierTo(join(gatehouse.dataDirectory, "sockets"), "worker");
  closeLater(() => carrier.close());
  return {
    gatehouse,
    world,
    dispatch: carrier.connect(DispatchService),
    async subscriber(label, { apart = false } = {}) {
      const { instanceId, instanceIntegrationId } = apart
        ? await makeWorld(gatehouse, { email: `${label}-apart@harbour.example` })
        : world;
      const receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      const tenantId = await newTenant(gatehouse, instanceId, label);
      const { subscription, signingSecret } = await gatehouse.webhooks.createSubscription({
        label,
        instanceIntegrationId,
        endpointUrl: receiver.url,
        eventTypes: ["user.updated"],
        tenantIds: [tenantId],
      });
      receiver.secret = signingSecret;
      const subscriptionId = present(subscription).id;
      const { user } = await gatehouse.platform.inviteUser({
        requestId: "",
        tenantId,
        email: `${label}@harbour.example`,
        firstName: "Maren",
        lastName: "Dahl",
        roleName: null,
        invitedByUserId: null,
        emailVerified: true,
        signedInBefore: true,
      });
      const userId = present(user).id;
      const list = async () =>
        (await gatehouse.webhooks.listDeliveries({ subscriptionId, states: [], limit: 10 })).deliveries;
      const until = async (satisfies: (delivery: Delivery) => boolean, timeoutMs = SETTLED_MS) =>
        present((await eventually(list, (all) => all.slice(-1).some(satisfies), timeoutMs)).at(-1));
      return {
        receiver,
        subscriptionId,
        tenantId,
        instanceIntegrationId,
        async emit() {
          await gatehouse.platform.disableUser({ requestId: "", userId });
        },
        async emitAgain() {
          await gatehouse.platform.deleteUser({ requestId: "", userId });
        },
        settled: (timeoutMs) => until(({ state }) => state !== "DELIVERY_STATE_PENDING", timeoutMs),
        attempts: (count) =>
          until(({ attempts }) => attempts.length >= count && attempts.every(({ outcome }) => outcome !== "in_flight")),
      };
    },
  };
}

export const outcomesOf = ({ attempts }: Delivery): readonly string[] => attempts.map(({ outcome }) => outcome);
