import type { Audience } from "./audience.ts";
import type { KillStore } from "./kill-store.ts";

/** What became of every event, counted from outside the product. */
export interface Reckoning {
  /** Events that were committed. */
  readonly emitted: number;
  /** Events times subscriptions that match them. */
  readonly owed: number;
  /** Deliveries by the state in which they ended. */
  readonly states: Readonly<Record<string, number>>;
  readonly posts: number;
  /** POSTs that came although an earlier one of the same event had been answered with 2xx. */
  readonly duplicates: number;
  /** Broken promises, one sentence each. */
  readonly incidents: readonly string[];
}

const ATTEMPTS_MAX = 3;

/**
 * Compares the store with what clients and receivers saw: loss 0, each event once per subscription, at most three POSTs,
 * and nothing called delivered that was never received.
 * @param acknowledged Ids of tenants whose creation was answered.
 */
export async function reckon(
  store: KillStore,
  { listeners }: Audience,
  acknowledged: ReadonlySet<string>,
): Promise<Reckoning> {
  const entries = await store.query(
    "select event_id, entity_id from emitted_entries where event_type = 'client.created'",
  );
  const events = new Set(entries.map((row) => String(row.event_id)));
  const settled = await store.query(
    "select event_id, subscription_id, state, attempts from webhooks_settled where event_type = 'client.created'",
  );
  const waiting = await store.query("select event_id, subscription_id from webhooks_queue");
  const incidents: string[] = [];
  const named = new Set(entries.map((row) => String(row.entity_id)));
  for (const id of acknowledged) if (!named.has(id)) incidents.push(`tenant ${id} was acknowledged and has no event`);
  if (events.size !== entries.length) incidents.push("an event was emitted twice");
  if (waiting.length > 0) incidents.push(`${waiting.length} deliveries are still pending`);

  const states: Record<string, number> = {};
  const seen = new Set<string>();
  let posts = 0;
  let duplicates = 0;
  for (const row of settled) {
    const key = `${row.event_id} to ${row.subscription_id}`;
    if (seen.has(key)) incidents.push(`event ${key} has two deliveries`);
    seen.add(key);
    states[String(row.state)] = (states[String(row.state)] ?? 0) + 1;
    if (Number(row.attempts) > ATTEMPTS_MAX) incidents.push(`event ${key} has ${row.attempts} attempts`);
  }
  for (const { label, subscriptionId, receiver } of listeners) {
    for (const id of events)
      if (!seen.has(`${id} to ${subscriptionId}`)) incidents.push(`event ${id} was lost for ${label}`);
    const received = receiver.received.filter(({ event }) => event?.type === "client.created");
    posts += received.length;
    const counts = Map.groupBy(received, ({ webhookId }) => webhookId);
    for (const [id, all] of counts) {
      if (!events.has(id)) incidents.push(`${label} received event ${id}, which was never committed`);
      if (all.length > ATTEMPTS_MAX) incidents.push(`${label} received event ${id} ${all.length} times`);
      const faults = all.flatMap((one) => one.faults);
      if (faults.length > 0) incidents.push(`${label} received event ${id} broken: ${faults.join("; ")}`);
      if (label === "steady" || label === "coming-and-going") duplicates += all.length - 1;
    }
    for (const row of settled)
      if (row.subscription_id === subscriptionId && row.state === "delivered" && !counts.has(String(row.event_id)))
        incidents.push(`event ${row.event_id} is called delivered, and ${label} never received it`);
  }
  return { emitted: events.size, owed: events.size * listeners.length, states, posts, duplicates, incidents };
}
