import { setImmediate as nextTurn } from "node:timers/promises";
import {
  type InstanceIntegrationStanding,
  InstanceIntegrationState,
} from "#generated/proto/gatehouse/workforce/v1/connections.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import type { InstanceIntegrationId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Store } from "#runtime/database/database.ts";
import {
  OUTBOX_CHANNEL,
  type OutboxEntry,
  type OutboxTables,
  putBackIntoOutbox,
  type TakenEntry,
  takeFromOutbox,
} from "#runtime/outbox/outbox.ts";
import { type Loop, withoutDeadline } from "#runtime/process/loop.ts";
import { Gauge, type Metrics } from "#runtime/process/metrics.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import type { Connection } from "../connections/connection.ts";
import type { ConnectionRepository } from "../connections/connection-repository.ts";
import { DELIVERIES_CHANNEL, FEED_CHANNEL, type NewDelivery } from "../deliveries/delivery.ts";
import type { NewDeliveryRepository } from "../deliveries/new-delivery-repository.ts";
import { LOOK_AGAIN_MS } from "../deliveries/waits.ts";
import { ownerIdOf } from "../operational/operational-event.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { positionOf, type SubscriptionRepository } from "../subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../tables.ts";
import type { EventRepository, KeptEvent } from "./event-repository.ts";
import { keptEventOf } from "./kept-event.ts";
import { wants } from "./matching.ts";
import type { ShowOperational } from "./operational-notices.ts";
import { owedDelivery } from "./owed-delivery.ts";

const ENTRIES_MAX = 100;
/**
 * What one transaction makes and reads at most: a larger one would keep every other writer of an embedded store waiting.
 * An event with more receivers is relayed in several.
 */
const DELIVERIES_MAX = 500;
/** The most for a pass that was woken: it may share the commit of a change, whose caller waits for it (decision 0075). */
const DELIVERIES_WHEN_WOKEN_MAX = 200;
const RECEIVERS_MAX = 1_000;

interface RelayParts {
  readonly changes: Changes<WebhooksTables>;
  readonly random: Random;
  readonly subscriptions: SubscriptionRepository;
  readonly connections: ConnectionRepository;
  readonly newDeliveries: NewDeliveryRepository;
  readonly events: EventRepository;
  /** The plan that new deliveries get (R-E6). */
  readonly delaysMs: readonly number[];
}

interface RelayDeps extends RelayParts {
  readonly wake: Wake;
  /** Runs `work`, whose transaction ends with `take`: a claim that waits takes there what the transaction made. */
  takeWith<T>(
    work: (take: (change: Change<WebhooksTables>, made: Pick<Relayed, "isDue">) => Promise<void>) => Promise<T>,
  ): Promise<T>;
  readonly showOperational: ShowOperational;
}

/**
 * Takes events out of the outbox and makes one delivery per matching subscription, both in one transaction, so that
 * neither exists without the other (spec §6 rule 5). Several relays may run at once.
 */
export function relayLoop(deps: RelayDeps): Loop {
  return {
    name: "webhook-relay",
    async run(signal, pass = withoutDeadline(signal)) {
      let limit = ENTRIES_MAX;
      let room = DELIVERIES_MAX;
      while (!signal.aborted) {
        const ticket = deps.wake.ticket(OUTBOX_CHANNEL);
        const { relayed, deliveries, isMore } = await pass(() =>
          deps.takeWith((take) =>
            deps.changes.run(async (change) => {
              const done = await relay(deps, change, { limit, room });
              await take(change, done);
              return done;
            }),
          ),
        );
        deps.showOperational(relayed);
        if (!isMore) await deps.wake.after(OUTBOX_CHANNEL, ticket, LOOK_AGAIN_MS, signal);
        // Requests get their turn between two batches of a backlog: an embedded store works synchronously.
        else await nextTurn();
        room = isMore ? DELIVERIES_MAX : DELIVERIES_WHEN_WOKEN_MAX;
        // Entries that nobody receives say nothing of those behind them: the limit rises step by step.
        limit = deliveries > 0 ? entriesFor(room, deliveries / relayed.length) : Math.min(ENTRIES_MAX, limit * 2);
      }
    },
  };
}

/** Relays what is in the outbox now, for a store that no other program uses. */
export async function relayAll(deps: RelayParts): Promise<void> {
  const bounds = { limit: ENTRIES_MAX, room: DELIVERIES_MAX };
  while ((await deps.changes.run((change) => relay(deps, change, bounds))).isMore);
}

/** `deliveriesPerEntry` is Infinity when one entry took more than a transaction. */
const entriesFor = (room: number, deliveriesPerEntry: number): number =>
  Math.min(ENTRIES_MAX, Math.max(1, Math.floor(room / deliveriesPerEntry)));

/** What one transaction of the relay may do. */
interface Bounds {
  /** Entries that it takes. */
  readonly limit: number;
  /** Deliveries that it makes. */
  readonly room: number;
}

/** What one transaction of the relay did. */
interface Relayed {
  /** Entries that need nothing more. */
  readonly relayed: readonly TakenEntry[];
  readonly deliveries: number;
  /** True when one of the deliveries is due at once. */
  readonly isDue: boolean;
  /** True when something may be left. */
  readonly isMore: boolean;
}

/**
 * Internal entries take effect in their order among the events: each event meets its subscriptions as they are by then
 * (R-E14). What does not fit goes back, an event that was relayed in part with the position that it has reached
 * (R-X235).
 */
async function relay(deps: RelayParts, change: Change<WebhooksTables>, { limit, room }: Bounds): Promise<Relayed> {
  const taken = await takeFromOutbox(change.db, limit);
  let rest = taken;
  let made = 0;
  let isDue = false;
  let isFull = false;
  while (rest.length > 0 && !isFull) {
    const [first] = rest;
    if (first?.internal === true) {
      await recordConnection(deps, change, first);
      // Another relay leaves what follows in the outbox until then.
      change.wakeAfter(OUTBOX_CHANNEL);
      rest = rest.slice(1);
      continue;
    }
    const internal = rest.findIndex((entry) => entry.internal === true);
    const events = internal < 0 ? rest : rest.slice(0, internal);
    const fannedOut = await fanOut(deps, change, events, room - made);
    made += fannedOut.made;
    isDue ||= fannedOut.isDue;
    rest = [...fannedOut.left, ...rest.slice(events.length)];
    isFull = fannedOut.left.length > 0;
  }
  await putBackIntoOutbox(change.db, rest);
  const left = new Set(rest.map(({ sequence }) => sequence));
  const relayed = taken.filter(({ sequence }) => !left.has(sequence));
  return { relayed, deliveries: made, isDue, isMore: isFull || taken.length === limit };
}

/** Ignores internal entries that belong to other domains. */
async function recordConnection(
  { connections }: RelayParts,
  { db }: Change<WebhooksTables>,
  entry: OutboxEntry,
): Promise<void> {
  const connection = toConnection(entry);
  if (connection !== undefined) await connections.record(db, connection);
}

/** Makes the deliveries of events, at most `room`; returns how many, and the events of which some are left to be made. */
async function fanOut(
  deps: RelayParts,
  change: Change<WebhooksTables>,
  events: readonly TakenEntry[],
  room: number,
): Promise<{ readonly made: number; readonly isDue: boolean; readonly left: readonly TakenEntry[] }> {
  const { met, receivers, areAll } = await meet(deps, change, events);
  const made: NewDelivery[] = [];
  const relayed: KeptEvent[] = [];
  let done = 0;
  let reached: string | undefined;
  for (const entry of met) {
    const event = { ...entry, ownerId: ownerIdOf(entry) };
    const matching = receivers.filter((subscription) => wants(subscription, event));
    const fits = areAll && made.length + matching.length <= room;
    if (!fits && done > 0) break;
    const part = fits ? matching : matching.slice(0, room);
    made.push(...part.map((subscription) => owedDelivery(subscription, entry, { ...deps, at: change.at })));
    relayed.push({ ...keptEventOf(entry), deliveries: part.length });
    if (!fits) {
      const last = part.length < matching.length ? part.at(-1) : receivers.at(-1);
      reached = last && positionOf(last);
      break;
    }
    done++;
  }
  await deps.newDeliveries.create(change.db, made);
  await deps.events.record(change.db, relayed, change.at);
  if (made.length > 0) change.wakeAfter(FEED_CHANNEL);
  const isDue = made.some(({ dueAt }) => dueAt !== undefined);
  if (isDue) change.wakeAfter(DELIVERIES_CHANNEL);
  const [first, ...later] = events.slice(done);
  const left = first === undefined ? [] : [reached === undefined ? first : { ...first, relayedTo: reached }, ...later];
  return { made: made.length, isDue, left };
}

/** The first of the events with the subscriptions that they meet, as many as one transaction may read. */
async function meet(
  { subscriptions }: RelayParts,
  { db }: Change<WebhooksTables>,
  events: readonly TakenEntry[],
): Promise<{
  readonly met: readonly TakenEntry[];
  readonly receivers: readonly Subscription[];
  /** False when the only event meets more. */
  readonly areAll: boolean;
}> {
  // One that was relayed in part goes on alone, from the position that it has reached.
  const begun = events.findIndex(({ relayedTo }) => relayedTo !== undefined);
  let met = begun < 0 ? events : events.slice(0, Math.max(1, begun));
  for (;;) {
    const instanceIds = [...new Set(met.map(({ instanceId }) => instanceId))];
    const after = met.length === 1 ? met[0]?.relayedTo : undefined;
    const receivers = await subscriptions.listByInstances(db, instanceIds, { after, limit: RECEIVERS_MAX + 1 });
    const areAll = receivers.length <= RECEIVERS_MAX;
    if (areAll || met.length === 1) return { met, receivers: receivers.slice(0, RECEIVERS_MAX), areAll };
    met = met.slice(0, Math.ceil(met.length / 2));
  }
}

/** How far the relay is behind. */
export function measureOutbox(metrics: Metrics, store: Store, now: () => Date): void {
  const db = store.view<OutboxTables>();
  new Gauge({
    name: "gatehouse_outbox_oldest_pending_seconds",
    help: "Age of the oldest event that is not relayed yet; 0 when all are.",
    registers: [metrics],
    async collect() {
      const oldest = await db
        .selectFrom("outbox_entries")
        .select("occurred_at")
        .where("relayed_at", "is", null)
        .orderBy("sequence")
        .limit(1)
        .executeTakeFirst();
      this.set(oldest === undefined ? 0 : Math.max(0, (now().getTime() - oldest.occurred_at) / 1000));
    },
  });
}

/**
 * The state of an instance integration in an internal outbox entry; `undefined` when the entry is about something else.
 */
export function toConnection({ eventType, entity, data }: OutboxEntry): Connection | undefined {
  if (eventType !== "instanceIntegration.standing") return undefined;
  const { state, revision } = data as unknown as InstanceIntegrationStanding;
  const known = lowerWordOf(InstanceIntegrationState, state);
  if (known === undefined) throw new Error(`An instance integration cannot be ${state}.`);
  return { instanceIntegrationId: entity.id as InstanceIntegrationId, state: known, revision };
}
