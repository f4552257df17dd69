import type { Change } from "#runtime/changes/change.ts";
import { recoveryFinished } from "../operational/operational-event.ts";
import type { SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Recovery } from "./recovery.ts";

/** Emits `recovery.finished` for one that has ended; of a deleted subscription there is none to report to (R-X315). */
export async function reportFinished(
  subscriptions: Pick<SubscriptionRepository, "find">,
  { db, emit }: Change<WebhooksTables>,
  recovery: Recovery,
): Promise<void> {
  const { id, state, subscriptionId } = recovery;
  const subscription = await subscriptions.find(db, subscriptionId);
  if (subscription === undefined) return;
  const { instanceIntegrationId, instanceId } = subscription;
  await emit(
    recoveryFinished({
      ...recovery,
      recoveryId: id,
      state: state === "cancelled" ? "cancelled" : "finished",
      instanceIntegrationId,
      instanceId,
    }),
  );
}
