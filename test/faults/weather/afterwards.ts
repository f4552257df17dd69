import { setTimeout as sleep } from "node:timers/promises";
import { type Delivery, DeliveryState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { eventually } from "../../support/eventually.ts";
import type { ReceivedDelivery } from "../../support/webhook-receiver.ts";
import { present, REDIRECT_URI } from "../../support/world.ts";
import { ask } from "./asking.ts";
import { EVENT_OF, type Write } from "./ledger.ts";
import { type Scene, send } from "./platform-load.ts";
import { refresh, tokenAnswer } from "./sign-on-load.ts";

const TRIES = 20;
const PAUSE_MS = 500;
const POSTS_MAX = 3;
/** Codes that are used a second time in the end. Each costs its family. */
const REPLAYS = 10;
const DELIVERED_MS = 90_000;

/**
 * When the weather is over: settles what had no answer, reads everything back and compares it with the ledger. What is missing, doubled
 * or wrong becomes an incident.
 */
export async function settleAndCompare(scene: Scene, received: readonly ReceivedDelivery[]): Promise<void> {
  await settleWrites(scene);
  await readBack(scene);
  compareEvents(scene, await allDeliveries(scene), received);
  comparePosts(scene, received);
  await useTokens(scene);
}

/** A request without an answer is sent again with its request id: it must be done now, once. */
async function settleWrites(scene: Scene): Promise<void> {
  for (const write of scene.ledger.writes.filter(({ id }) => id === undefined)) {
    scene.ledger.count("writes settled by a repeat afterwards");
    const settled = await tried((attempt) => send(scene, write, attempt));
    if (!settled) scene.ledger.incident(`${write.requestId} (${write.kind}) cannot be repeated`);
  }
}

async function tried(attempt: (number: number) => Promise<boolean>): Promise<boolean> {
  for (let number = 0; number < TRIES; number++) {
    if (await attempt(number)) return true;
    await sleep(PAUSE_MS);
  }
  return false;
}

interface Shown {
  readonly id: string;
  readonly name?: string;
  readonly email?: string;
}

/** Every write is there, once, under the id that was answered. */
async function readBack(scene: Scene): Promise<void> {
  const { ledger, world } = scene;
  const base = `instance-integrations/${world.instanceIntegrationId}/clients`;
  const inTenant = `${base}/${world.tenantId}`;
  const structure = await read<{ unitsTypes: Shown[]; locations: Shown[] }>(
    scene,
    `/v1/${inTenant}/organization-structure`,
  );
  const shown: Readonly<Partial<Record<Write["kind"], readonly Shown[]>>> = {
    tenant: await read<Shown[]>(scene, `/v1/${base}`),
    user: await read<Shown[]>(scene, `/v1/${inTenant}/users`),
    worker: await read<Shown[]>(scene, `/v2/${inTenant}/workers`),
    location: structure.locations,
    "unit type": structure.unitsTypes,
  };
  const nameOf = ({ name, email }: Shown) => email?.split("@")[0] ?? name ?? "";
  for (const [kind, things] of Object.entries(shown)) {
    const ids = Map.groupBy(things, nameOf);
    for (const { requestId, id } of ledger.writes.filter((write) => write.kind === kind)) {
      const found = (ids.get(requestId) ?? []).map((one) => one.id);
      if (found.length !== 1 || found[0] !== id)
        ledger.incident(
          `${kind} ${requestId} was answered as ${id}, and the gateway shows ${found.join(", ") || "none"}`,
        );
    }
  }
}

async function read<T>(scene: Scene, path: string): Promise<T> {
  const answer = await ask(scene, 0, path, { headers: { "x-api-key": scene.world.apiKey } });
  return answer.json<T>();
}

/** All delivery rows, when none is pending any more. */
async function allDeliveries(scene: Scene): Promise<readonly Delivery[]> {
  const { webhooks } = present(scene.peers[0]);
  const expected = scene.ledger.writes.filter(({ id }) => id !== undefined).length;
  const list = async (states: DeliveryState[]) => {
    const all: Delivery[] = [];
    let cursor: string | null = null;
    do {
      const page = await webhooks.listDeliveries({ subscriptionId: null, states, limit: 500, cursor });
      all.push(...page.deliveries);
      cursor = page.nextCursor ?? null;
    } while (cursor !== null);
    return all;
  };
  const pending = () => list([DeliveryState.PENDING]);
  await eventually(pending, (rows) => rows.length === 0, DELIVERED_MS);
  return eventually(
    () => list([]),
    (rows) => rows.length >= expected && rows.every(({ state }) => state !== DeliveryState.PENDING),
    DELIVERED_MS / 3,
  );
}

/** One event for each write: as many delivery rows of a type as writes of its kind, and the events that arrived are about them. */
function compareEvents(
  { ledger }: Scene,
  deliveries: readonly Delivery[],
  received: readonly ReceivedDelivery[],
): void {
  for (const { id, eventType, state, attempts } of deliveries) {
    ledger.count(`deliveries ${state.replace("DELIVERY_STATE_", "").toLowerCase()}`);
    if (state === DeliveryState.PENDING) ledger.incident(`delivery ${id} (${eventType}) is still pending`);
    if (attempts.length > POSTS_MAX) ledger.incident(`delivery ${id} has ${attempts.length} attempts`);
    for (const { outcome } of attempts) ledger.count(`attempts ${outcome}`);
  }
  const arrived = new Set(received.map(({ webhookId }) => webhookId));
  const unseen = deliveries.filter(({ eventId, state }) => state !== DeliveryState.DELIVERED && !arrived.has(eventId));
  const eventsOf = Map.groupBy(received, ({ event }) => `${event?.type} ${subjectOf(event)}`);
  for (const [kind, eventType] of Object.entries(EVENT_OF)) {
    const writes = ledger.writes.filter((write) => write.kind === kind && write.id !== undefined);
    const rows = deliveries.filter((delivery) => delivery.eventType === eventType).length;
    if (rows !== writes.length)
      ledger.incident(`${writes.length} × ${kind} written, and ${rows} × ${eventType} to deliver`);
    const eventIds = writes.map((write) => {
      const subject = kind === "worker change" ? write.requestId : write.id;
      const events = eventsOf.get(`${eventType} ${subject}`) ?? [];
      return { write, ids: new Set(events.map(({ webhookId }) => webhookId)) };
    });
    for (const { write, ids } of eventIds.filter((one) => one.ids.size > 1))
      ledger.incident(`${write.requestId} has ${ids.size} events: ${[...ids].join(", ")}`);
    const missing = eventIds.filter(({ ids }) => ids.size === 0);
    const excused = unseen.filter((delivery) => delivery.eventType === eventType).length;
    if (missing.length > excused)
      ledger.incident(
        `${missing.length} × ${eventType} never arrived, and only ${excused} deliveries say so: ${missing.map(({ write }) => write.requestId).slice(0, 5)}`,
      );
  }
}

/** A change of a worker is known by the job title that it set, everything else by its id. */
// biome-ignore lint/suspicious/noExplicitAny: an event of any type.
const subjectOf = (event: any): string =>
  event?.type === "worker.updated" ? event.data.jobTitles[0] : event?.entity?.id;

/** At most three POSTs of one event, with the same bytes and a good signature. */
function comparePosts({ ledger }: Scene, received: readonly ReceivedDelivery[]): void {
  ledger.count("POSTs", received.length);
  for (const { webhookId, faults } of received.filter((post) => post.faults.length > 0))
    ledger.incident(`the POST of ${webhookId} was wrong: ${faults.join("; ")}`);
  for (const [webhookId, posts] of Map.groupBy(received, (post) => post.webhookId)) {
    ledger.count("events that arrived");
    ledger.count("POSTs that were repeats", posts.length - 1);
    if (posts.length > POSTS_MAX) ledger.incident(`${webhookId} was sent ${posts.length} times`);
    if (posts.some(({ body }) => !body.equals(present(posts[0]).body)))
      ledger.incident(`${webhookId} was sent with different bodies`);
  }
}

/** Every refresh token that the client holds works, and no code works a second time. */
async function useTokens(scene: Scene): Promise<void> {
  const { ledger } = scene;
  const held = ledger.families.filter(({ lost }) => lost !== true);
  for (const family of held) {
    const answered = await tried((attempt) => refresh(scene, family, attempt));
    if (!answered) ledger.incident("a refresh token gets no answer");
  }
  ledger.count("refresh tokens that work afterwards", held.filter(({ lost }) => lost !== true).length);
  for (const { code } of held.slice(0, REPLAYS)) {
    const answer = await tokenAnswer(scene, 0, {
      grant_type: "authorization_code",
      code,
      redirect_uri: REDIRECT_URI,
    });
    if (answer?.status !== 400) ledger.incident(`a code that was used before got ${answer?.status} ${answer?.text}`);
  }
  ledger.count("codes replayed and refused", Math.min(REPLAYS, held.length));
}
