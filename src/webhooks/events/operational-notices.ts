import { OPERATIONAL_EVENT_TYPES } from "#generated/event-types.ts";
import type { TakenEntry } from "#runtime/outbox/outbox.ts";
import type { Log } from "#runtime/process/log.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";
import { isOperational } from "../operational/operational-event.ts";

/** Shows operators the operational events that the relay has taken, after its transaction. */
export type ShowOperational = (relayed: readonly TakenEntry[]) => void;

const SENTENCES: Readonly<Record<string, string>> = {
  "subscription.failing": "Every delivery of a subscription has been exhausted for days; it will be disabled.",
  "subscription.disabled": "A subscription is disabled.",
  "subscription.enabled": "A subscription is enabled again.",
};

/** Counts each by its type, and logs those about subscriptions by id. */
export function operationalNotices(log: Log, metrics: Metrics): ShowOperational {
  const counted = new Counter({
    name: "gatehouse_webhook_operational_events_total",
    help: "Operational events by type; delivery.exhausted only where a subscription names it.",
    labelNames: ["type"],
    registers: [metrics],
  });
  for (const type of OPERATIONAL_EVENT_TYPES) counted.inc({ type }, 0);
  return (relayed) => {
    for (const { eventType, entity, data } of relayed) {
      if (!isOperational(eventType)) continue;
      counted.inc({ type: eventType });
      const sentence = SENTENCES[eventType];
      const reason = typeof data.stateReason === "string" ? data.stateReason : undefined;
      if (sentence !== undefined) log.warn(sentence, { detail: entity.id, ...(reason !== undefined && { reason }) });
    }
  };
}
