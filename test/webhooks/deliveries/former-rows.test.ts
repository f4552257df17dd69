import { sql } from "kysely";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { toCursor } from "../../../src/webhooks/deliveries/cursor.ts";
import { feedCursors } from "../../../src/webhooks/feed/feed-cursor.ts";
import { type FeedBounds, feedRepository } from "../../../src/webhooks/feed/feed-repository.ts";
import { eventFeed } from "../../../src/webhooks/feed/feed-service.ts";
import { openedSecrets } from "../../../src/webhooks/queue/opened-secrets.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eventually } from "../../support/eventually.ts";
import { silentLog } from "../../support/silent-log.ts";
import { eachStore, type OpenStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { driveUntilFull, shown, start } from "../recoveries/recovery-kit.ts";
import {
  ACKNOWLEDGED,
  INSTANCE_INTEGRATION_ID,
  MASTER_KEY,
  outcomeOf,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";

/** The migrations of the program before the queue had a table of its own. */
const BEFORE = { ...webhooksMigrations, migrations: webhooksMigrations.migrations.slice(0, 5) };
const ENDPOINT = "https://hooks.example/in";
const MINUTE = 60_000;

const text = (value: string | null) => (value === null ? "null" : `'${value}'`);

/** A store that the earlier program used, and its deliveries; `kit` is this program, which has migrated it. */
async function openBefore(open: OpenStore) {
  const opened = await open([BEFORE]);
  const run = (statement: string) => sql.raw(statement).execute(opened.store.view());
  const subscriptionId = newId("subscription", systemRandom);
  await run(`insert into webhooks_subscriptions values ('${subscriptionId}', 'marigold', '${INSTANCE_INTEGRATION_ID}',
    'instance_1', 'integration_1', '${ENDPOINT}', '["*"]', '[]', 'active', null, 1, 0)`);
  const write = await writer(opened, subscriptionId);
  return {
    opened,
    subscriptionId,
    write,
    async upgrade(): Promise<WebhooksKit> {
      await migrate(opened.store, [runtimeMigrations, webhooksMigrations], new Date(0));
      return webhooksKit(opened);
    },
  };
}

interface Before {
  readonly state?: string;
  readonly reason?: string;
  readonly dueAt?: number;
  readonly lane?: string;
  readonly leaseUntil?: number;
  readonly claim?: string;
  readonly retryAt?: number;
  readonly attempts?: readonly string[];
}

/** Writes deliveries as the earlier program did; returns each one's id and number. */
async function writer({ store }: TestStore, subscriptionId: string) {
  const db = store.view();
  return async ({ state = "pending", attempts = [], ...place }: Before) => {
    const id = newId("delivery", systemRandom);
    const number = (value: number | undefined) => String(value ?? "null");
    const { rows } = await sql
      .raw<{
        sequence: number;
      }>(`insert into webhooks_deliveries (id, event_id, event_type, occurred_at, subscription_id,
        endpoint_origin, state, reason, round, attempts, delays, created_at, due_at, lane, lease_until, fence, retry_at, claim)
        values ('${id}', '${newId("event", systemRandom)}', 'user.updated', 5, '${subscriptionId}', 'https://hooks.example',
        '${state}', ${text(place.reason ?? null)}, 1, ${attempts.length}, '[60000,3600000]', 6, ${number(place.dueAt)},
        ${text(place.lane ?? null)}, ${number(place.leaseUntil)}, ${attempts.length}, ${number(place.retryAt)},
        '${place.claim ?? ""}') returning sequence`)
      .execute(db);
    const sequence = rows[0]?.sequence ?? 0;
    await sql`insert into webhooks_bodies (delivery, body) values (${sequence}, ${Buffer.from(`{"id":"${id}"}`)})`.execute(
      db,
    );
    for (const [index, outcome] of attempts.entries()) {
      const finishedAt = outcome === "in_flight" ? "null" : String(20 + index);
      await sql
        .raw(`insert into webhooks_attempts (delivery, round, number, endpoint_url, started_at, finished_at, outcome)
          values (${sequence}, 1, ${index + 1}, '${ENDPOINT}', ${10 + index}, ${finishedAt}, '${outcome}')`)
        .execute(db);
    }
    return { id, sequence };
  };
}

/** Runs the loop that moves deliveries until the earlier tables have none that may be moved. */
async function moveAll(kit: WebhooksKit, left = 0): Promise<void> {
  const ending = new AbortController();
  const running = kit.loops.find(({ name }) => name === "webhook-former-rows")?.run(ending.signal);
  const rows = () => kit.tables.selectFrom("webhooks_deliveries").select("sequence").execute();
  await eventually(rows, (found) => found.length === left);
  ending.abort();
  await running;
}

const list = async (kit: WebhooksKit) => (await kit.operator.listDeliveries({ states: [], limit: 500 })).deliveries;

eachStore((_, open) => {
  describe("deliveries from an earlier program (R-X238)", () => {
    it("are listed where they are, and the same when they are moved: state, attempts, body, order", async () => {
      const { write, upgrade } = await openBefore(open);
      await write({ state: "delivered", attempts: ["refused", "acknowledged"] });
      await write({ state: "exhausted", reason: "gone", attempts: ["gone"] });
      await write({ state: "skipped", reason: "subscription_paused" });
      await write({ dueAt: 8 * MINUTE, attempts: ["timeout"] });
      await write({ dueAt: 6, lane: "https://hooks.example" });
      await write({ retryAt: 9 * MINUTE, attempts: ["dns"] });
      const kit = await upgrade();
      const before = await list(kit);
      await moveAll(kit);
      expect(before.map(({ state, bodyRemoved }) => [state.slice(15), bodyRemoved])).toEqual([
        ["PENDING", false],
        ["PENDING", false],
        ["PENDING", false],
        ["SKIPPED", false],
        ["EXHAUSTED", false],
        ["DELIVERED", false],
      ]);
      expect(before.at(-1)?.attempts.map(({ outcome }) => outcome)).toEqual(["refused", "acknowledged"]);
      expect(await list(kit)).toEqual(before);
    });

    it("are moved in batches, however many they are, and none twice", async () => {
      const { write, upgrade } = await openBefore(open);
      const ids: string[] = [];
      for (let index = 0; index < 430; index++) {
        ids.push((await write(index % 4 === 0 ? { dueAt: 6 } : { state: "delivered", attempts: ["acknowledged"] })).id);
      }
      const kit = await upgrade();
      await moveAll(kit);
      expect((await list(kit)).map(({ id }) => id)).toEqual(ids.toReversed());
    });

    it("a recovery that is started before they are moved waits for them, and sends them (R-X281)", async () => {
      const { write, upgrade, subscriptionId } = await openBefore(open);
      await write({ state: "exhausted", reason: "refused", attempts: ["refused", "refused", "refused"] });
      await write({ state: "delivered", attempts: ["acknowledged"] });
      const kit = await upgrade();
      kit.clock.set(new Date(MINUTE));
      const id = await start(kit, subscriptionId, { from: new Date(0) });
      await driveUntilFull(kit);
      const before = await shown(kit, id);
      await moveAll(kit);
      await driveUntilFull(kit);
      expect([before, await shown(kit, id)]).toEqual([
        { state: "running", matched: 0, sent: 0, acknowledged: 0, failed: 0 },
        { state: "running", matched: 1, sent: 1, acknowledged: 0, failed: 0 },
      ]);
    });

    it("a cursor from before the upgrade goes on where it was, and new deliveries are numbered behind them", async () => {
      const { write, upgrade } = await openBefore(open);
      const one = await write({ state: "delivered", attempts: ["acknowledged"] });
      const two = await write({ dueAt: 6 });
      const kit = await upgrade();
      const cursor = toCursor(two.sequence);
      const older = async () =>
        (await kit.operator.listDeliveries({ states: [], limit: 10, cursor })).deliveries.map(({ id }) => id);
      const found = [await older()];
      await moveAll(kit);
      found.push(await older());
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      expect(found).toEqual([[one.id], [one.id]]);
      expect((await list(kit)).slice(1).map(({ id }) => id)).toEqual([two.id, one.id]);
    });

    it("an attempt that was under way at the upgrade is recorded, though its delivery is not moved yet", async () => {
      const { write, upgrade } = await openBefore(open);
      const { id } = await write({ leaseUntil: 2 ** 45, claim: "claim-1", attempts: ["refused", "in_flight"] });
      const kit = await upgrade();
      const outcome = outcomeOf({ deliveryId: id, fence: 2, round: 1, attemptNumber: 2 }, ACKNOWLEDGED);
      expect(await kit.dispatch.recordOutcomes({ outcomes: [outcome] })).toEqual({ recorded: 1 });
      expect(await kit.dispatch.recordOutcomes({ outcomes: [outcome] })).toEqual({ recorded: 0 });
      expect(await kit.deliveries()).toMatchObject([{ state: "delivered", attempts: ["refused", "acknowledged"] }]);
    });

    it("a claim whose answer was lost at the upgrade is given back, and no attempt is spent (R-X143)", async () => {
      const { write, upgrade } = await openBefore(open);
      await write({ leaseUntil: 2 ** 45, claim: "claim-1", attempts: ["in_flight"] });
      const kit = await upgrade();
      expect(await kit.dispatch.returnClaims({ claims: ["claim-1"] })).toEqual({ returned: 1 });
      expect(await kit.deliveries()).toMatchObject([{ state: "pending", attempts: [] }]);
    });

    it("one under way is left until its lease passes, and then counts as spent (R-E8)", async () => {
      const { write, upgrade } = await openBefore(open);
      const waiting = await write({ dueAt: 6 });
      await write({ leaseUntil: 2 ** 45, attempts: ["in_flight"] });
      const kit = await upgrade();
      await moveAll(kit, 1);
      expect((await list(kit)).map(({ state }) => state)).toEqual(["DELIVERY_STATE_PENDING", "DELIVERY_STATE_PENDING"]);
      kit.clock.set(new Date(2 ** 45 + 1));
      await moveAll(kit);
      await kit.claim();
      const lost = (await list(kit)).filter(({ id }) => id !== waiting.id);
      expect(lost.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(["lost"]);
    });

    it("a round that Temporal drives is found, whether its delivery is moved or not", async () => {
      const { write, upgrade } = await openBefore(open);
      const ended = await write({ state: "delivered", attempts: ["refused", "acknowledged"] });
      const waiting = await write({ retryAt: Date.parse("2026-06-30T09:00:00Z"), attempts: ["refused"] });
      const kit = await upgrade();
      const progress = async ({ id }: { readonly id: string }) =>
        (await kit.dispatch.claimOne({ round: { deliveryId: id, round: 1 }, now: false, claim: "c" })).standing;
      expect(await progress(ended)).toMatchObject({ kind: "STANDING_KIND_DELIVERED", lastOutcome: "acknowledged" });
      expect(await progress(waiting)).toMatchObject({ kind: "STANDING_KIND_WAITING", lastOutcome: "refused" });
    });
  });
});

onPostgres((open) => {
  it("an earlier program that still runs draws its deliveries' numbers from the same sequence (R-X238)", async () => {
    const { write, upgrade } = await openBefore(open);
    await write({ dueAt: 6 });
    const kit = await upgrade();
    await kit.subscribe();
    const relayOne = async () => {
      await kit.emit();
      await kit.relay();
    };
    await relayOne();
    await write({ dueAt: 7 });
    await relayOne();
    await moveAll(kit);
    const sequences = await kit.tables.selectFrom("webhooks_queue").select("sequence").orderBy("sequence").execute();
    expect(sequences.map(({ sequence }) => sequence)).toEqual([1, 2, 3, 4]);
  });

  it("what it commits while a feed is read is behind no reader: the page ends before it (R-X288)", async () => {
    const { opened, upgrade } = await openBefore(open);
    const kit = await upgrade();
    const { id } = await kit.subscribe();
    const { sequence } = await (await writer(opened, id))({ dueAt: 6 });
    const db = opened.store.view<WebhooksTables>();
    const feed = feedRepository(db);
    const sealer = createSealer([MASTER_KEY], systemRandom);
    const subscriptions = subscriptionRepository(db);
    const read = (bounds: () => Promise<FeedBounds>, after: string | undefined) =>
      eventFeed({
        feed: { ...feed, findBounds: bounds },
        cursors: feedCursors(sealer),
        waiters: { ticket: () => 0, after: async () => undefined },
        findSigner: async (one, at) => (await subscriptions.listSigners(db, [one], at))[0],
        secrets: openedSecrets((sealed, row) => sealer.open(sealed, row), kit.clock),
        clock: kit.clock,
        log: silentLog,
      }).read(
        { kind: "operator", actor: "test" },
        { subscriptionId: id, after, limit: 10, waitMs: 0 },
        new AbortController().signal,
      );
    // Its row was not there yet when a statement began that then found no writer any more.
    const tooLate = async () => ({ ...(await feed.findBounds()), end: sequence });
    const { events, next } = await read(tooLate, undefined);
    expect(events).toEqual([]);
    await moveAll(kit);
    const behind = await read(() => feed.findBounds(), next);
    expect(behind.events.map(({ type }) => type)).toEqual(["user.updated"]);
  });
});
