import type { Change } from "#runtime/changes/change.ts";
import type { WebhooksTables } from "../tables.ts";
import type { Recovery } from "./recovery.ts";
import type { EndedResend, RecoveryDeliveryRepository } from "./recovery-delivery-repository.ts";

/**
 * The recovery with the counts of those of its deliveries whose attempt has ended since the last look, which are no longer
 * under way. What was skipped was not sent, and is sent later; what was cancelled was not sent, and never is.
 */
export async function withEndedCounted(
  recovered: RecoveryDeliveryRepository,
  { db }: Change<WebhooksTables>,
  recovery: Recovery,
): Promise<Recovery> {
  const ended = await recovered.listEnded(db, recovery.sequence);
  const { skipped = [], done = [] } = Object.groupBy(ended, ({ end }) => (end === "skipped" ? end : "done"));
  await recovered.putBack(
    db,
    skipped.map(({ delivery }) => delivery),
  );
  await recovered.remove(
    db,
    done.map(({ delivery }) => delivery),
  );
  return counted(recovery, ended);
}

function counted(recovery: Recovery, ended: readonly EndedResend[]): Recovery {
  let { sent, acknowledged, failed, bodyRemoved, failedInRow } = recovery;
  for (const { end } of ended) {
    if (end === "skipped" || end === "cancelled" || end === "bodyRemoved") sent--;
    if (end === "bodyRemoved") bodyRemoved++;
    if (end === "failed" || end === "lost") failed++;
    if (end === "acknowledged") acknowledged++;
    if (end === "failed") failedInRow++;
    if (end === "acknowledged") failedInRow = 0;
  }
  return { ...recovery, sent, acknowledged, failed, bodyRemoved, failedInRow };
}
