import {
  type RecoveredState,
  type Recovery,
  RecoveryState,
  type StartRecoveryRequest,
} from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { lowerWordOf } from "../../../src/runtime/basis/enum-words.ts";
import { auditEntries } from "../../support/audited.ts";
import type { TestStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { ACKNOWLEDGED, userUpdated, type WebhooksKit } from "../webhooks-kit.ts";

export const HOUR_MS = 3_600_000;

/** One turn of the loop that drives recoveries. */
export const drive = (kit: WebhooksKit): Promise<void> => kit.turn("webhook-recoveries");

/** One turn of the loop that counts for cancelled recoveries where an engine outside the store drives the others. */
export const driveEndings = (kit: WebhooksKit): Promise<void> => kit.turn("webhook-recovery-endings");

/** Turns until the recovery neither sends nor finds more, so that its next step needs an outcome. */
export async function driveUntilFull(kit: WebhooksKit): Promise<void> {
  for (let turn = 0; turn < 8; turn++) await drive(kit);
}

/** Makes events whose deliveries to every subscription are exhausted, an attempt refused with 500 each time. */
export async function exhaust(kit: WebhooksKit, count: number, event = () => userUpdated()): Promise<void> {
  await kit.emit(...Array.from({ length: count }, event));
  await kit.relay();
  for (let attempt = 0; attempt < 3; attempt++) {
    for (let claimed = await kit.claim(); claimed.length > 0; claimed = await kit.claim())
      for (const one of claimed) await kit.record(one);
    kit.clock.step(2 * HOUR_MS);
  }
}

/** A request for everything of a subscription within the last day. */
export const ofLastDay = (
  kit: WebhooksKit,
  subscriptionId: string,
  more: Partial<StartRecoveryRequest> = {},
): StartRecoveryRequest => ({
  subscriptionId,
  from: new Date(kit.clock.now().getTime() - 24 * HOUR_MS),
  states: [] as RecoveredState[],
  eventTypes: [],
  tenantIds: [],
  ...more,
});

export async function start(kit: WebhooksKit, subscriptionId: string, more?: Partial<StartRecoveryRequest>) {
  const { recovery } = await kit.operator.startRecovery(ofLastDay(kit, subscriptionId, more));
  return present(recovery).id;
}

/** A recovery in few words. */
export const inShort = ({ state, reason, progress }: Recovery) => {
  const { matched, sent, acknowledged, failed, bodyRemoved } = present(progress ?? undefined);
  return {
    state: lowerWordOf(RecoveryState, state),
    ...(typeof reason === "string" ? { reason } : {}),
    ...{ matched, sent, acknowledged, failed },
    ...(bodyRemoved === 0 ? {} : { bodyRemoved }),
  };
};

export const shown = async (kit: WebhooksKit, recoveryId: string) =>
  inShort(present((await kit.operator.getRecovery({ recoveryId })).recovery));

/** Claims what is due and records the same outcome for all; returns the events' ids. */
export async function answerAll(kit: WebhooksKit, outcome: Parameters<WebhooksKit["record"]>[1] = ACKNOWLEDGED) {
  const events: string[] = [];
  for (let claimed = await kit.claim(); claimed.length > 0; claimed = await kit.claim())
    for (const one of claimed) {
      await kit.record(one, outcome);
      events.push(one.eventId);
    }
  return events;
}

/** The entries of the audit log whose action begins with the word, oldest first. */
export async function auditOf({ store }: TestStore, word: string) {
  const rows = await auditEntries(store, ["actor", "action", "object", "facts"]);
  return rows
    .filter(({ action }) => action.startsWith(word))
    .map(({ facts, ...entry }) => ({ ...entry, facts: JSON.parse(facts) as Record<string, unknown> }));
}
