import type { Updateable } from "kysely";
import type { EventExplanation } from "../../../generated/proto/gatehouse/webhooks/v1/events.ts";
import { type InstanceIntegrationId, newId, newTimedId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { findWaiting } from "../../../src/runtime/outbox/outbox.ts";
import { deliveryRepository } from "../../../src/webhooks/deliveries/delivery-repository.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { eventRepository } from "../../../src/webhooks/events/event-repository.ts";
import { eventExplanations } from "../../../src/webhooks/events/explain-service.ts";
import { subscriptionEvent } from "../../../src/webhooks/operational/operational-event.ts";
import { integrationScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { SubscriptionsTable, WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore } from "../../support/stores.ts";
import { eventsOf } from "../feed/feed-kit.ts";
import {
  ACKNOWLEDGED,
  clientCreated,
  INSTANCE_ID,
  INSTANCE_INTEGRATION_ID,
  INTEGRATION_ID,
  OTHER_TENANT_ID,
  openKit,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
} from "../webhooks-kit.ts";

/** What happened to a subscription of another integration on the same instance, or of the one that is given. */
const failingOf = (
  instanceIntegrationId: InstanceIntegrationId = newId("instanceIntegration", systemRandom),
): ReturnType<typeof userUpdated> =>
  subscriptionEvent("subscription.failing", {
    subscriptionId: newId("subscription", systemRandom),
    instanceIntegrationId,
    instanceId: INSTANCE_ID,
    label: "other",
    state: "active",
    createdAt: new Date(0),
  });

eachStore((_, open) => {
  let kit: WebhooksKit;
  beforeEach(async () => {
    kit = await openKit(open);
  });

  async function explain(eventId: string, subscriptionId: string): Promise<EventExplanation> {
    const { explanation } = await eventsOf(kit).explainEvent({ eventId, subscriptionId });
    return explanation as EventExplanation;
  }

  /** The id of the event that was emitted last, relayed or not. */
  async function lastEvent(): Promise<string> {
    const waiting = await kit.tables.selectFrom("outbox_entries").select("event_id").executeTakeFirst();
    const kept = await kit.tables
      .selectFrom("webhooks_events")
      .select("event_id")
      .orderBy("sequence", "desc")
      .executeTakeFirst();
    return waiting?.event_id ?? kept?.event_id ?? "";
  }

  const broken = ({ rules }: EventExplanation) => rules.filter(({ fits }) => !fits).map(({ rule }) => rule);

  describe("why a subscription did not get an event (R-X291)", () => {
    it.each<[string, Updateable<SubscriptionsTable>, ReturnType<typeof userUpdated>, RegExp]>([
      [
        "event_type",
        { event_types: '["client.created"]' },
        userUpdated(),
        /is for client.created, and .* user.updated/,
      ],
      ["tenant", { tenant_ids: `["${OTHER_TENANT_ID}"]` }, userUpdated(), new RegExp(`${TENANT_ID} is not among them`)],
      ["new_tenant", { tenant_ids: `["${TENANT_ID}"]` }, clientCreated(), /no list can name a new one/],
      ["instance", { instance_id: newId("instance", systemRandom) }, userUpdated(), /on another instance/],
      ["owner", { event_types: '["subscription.*"]' }, failingOf(), /subscription of another instance integration/],
      ["age", { events_after: 1_000_000 }, userUpdated(), /before the subscription was made/],
    ])("names the rule: %s", async (rule, columns, event, sentence) => {
      const { id } = await kit.subscribe();
      await kit.tables.updateTable("webhooks_subscriptions").set(columns).execute();
      await kit.emit(event);
      await kit.relay();
      const explanation = await explain(await lastEvent(), id);
      expect(broken(explanation)).toEqual([rule]);
      expect(explanation.sentence).toMatch(sentence);
      expect(explanation.delivery ?? undefined).toBeUndefined();
      expect(explanation.event).toMatchObject({ type: event.eventType, entityId: event.entity.id, deliveries: 0 });
    });

    it("names a revoked connection", async () => {
      const { id } = await kit.subscribe();
      await kit.setConnection("revoked");
      await kit.emit();
      await kit.relay();
      expect(broken(await explain(await lastEvent(), id))).toEqual(["connection"]);
    });

    it("says when nothing is wrong now: the subscription was changed since", async () => {
      const { id } = await kit.subscribe({ eventTypes: ["client.created"] });
      await kit.emit();
      await kit.relay();
      await kit.tables.updateTable("webhooks_subscriptions").set({ event_types: '["*"]' }).execute();
      const explanation = await explain(await lastEvent(), id);
      expect(broken(explanation)).toEqual([]);
      expect(explanation.sentence).toMatch(/was changed since/);
    });

    it("says that the event waits in the outbox", async () => {
      const { id } = await kit.subscribe();
      await kit.emit();
      const explanation = await explain(await lastEvent(), id);
      expect(explanation.sentence).toMatch(/waits to be relayed/);
      expect(explanation.event?.deliveries ?? undefined).toBeUndefined();
    });

    it("says that the event waits for the rest of its receivers (R-X235)", async () => {
      await kit.subscribe();
      await kit.multiply(502);
      await kit.emit();
      await kit.relayOnce();
      const { id } = await kit.tables
        .selectFrom("webhooks_subscriptions")
        .select("id")
        .orderBy("created_at", "desc")
        .executeTakeFirstOrThrow();
      expect((await explain(await lastEvent(), id)).sentence).toMatch(/waits to be relayed/);
      await kit.relay();
      expect((await explain(await lastEvent(), id)).sentence).toMatch(/^It matched; the next attempt is due/);
    });

    it.each(["events", "deliveries", "outbox"])(
      "has an answer that is true when it is relayed after the %s were read",
      async (read) => {
        const db = kit.opened.store.view<WebhooksTables>();
        const { id: subscriptionId } = await kit.subscribe();
        await kit.emit();
        const eventId = await lastEvent();
        const thenRelayed =
          <Args extends unknown[], Answer>(name: string, ask: (...args: Args) => Promise<Answer>) =>
          async (...args: Args) => {
            const answer = await ask(...args);
            if (name === read) await kit.relay();
            return answer;
          };
        const [events, deliveries] = [eventRepository(db), deliveryRepository(db, deliveryMoves)];
        const { explain: asked } = eventExplanations({
          events: { ...events, find: thenRelayed("events", events.find) },
          deliveries: { ...deliveries, list: thenRelayed("deliveries", deliveries.list) },
          findSubscription: (id) => subscriptionRepository(db).find(db, id),
          findWaiting: thenRelayed("outbox", (id: string) => findWaiting(db, id)),
        });
        const { sentence } = await asked(integrationScope(INTEGRATION_ID, "key"), { subscriptionId, eventId });
        expect(sentence).toMatch(/waits to be relayed|^It matched; the next attempt is due/);
      },
    );
  });

  describe("what became of a delivery (R-X291)", () => {
    it("distinguishes every state, with reason, attempts and the next one", async () => {
      const { id } = await kit.subscribe();
      const said: string[] = [];
      const say = async () => said.push((await explain(await lastEvent(), id)).sentence);
      await kit.emit();
      await kit.relay();
      await say();
      const [claimed] = await kit.claim();
      await say();
      await kit.record(claimed as NonNullable<typeof claimed>);
      await say();
      kit.clock.step(2 * 60_000);
      const [again] = await kit.claim();
      await kit.record(again as NonNullable<typeof again>, ACKNOWLEDGED);
      await say();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      await kit.emit();
      await kit.relay();
      await say();
      expect(said).toEqual([
        expect.stringMatching(/^It matched; the next attempt is due at 2026-.*, after 0 attempts\.$/),
        "It matched, and an attempt is under way.",
        expect.stringMatching(/^It matched; the next attempt is due at 2026-.*, after 1 attempt\.$/),
        "It matched and was acknowledged, after 2 attempts.",
        "It matched and was not sent: the subscription was paused.",
      ]);
    });

    it.each([
      [
        "paused",
        /^It matched, and as things are it will be skipped when its turn comes, after 0 attempts: .*paused\.$/,
      ],
      ["disabled", /^It matched, and as things are it will be skipped when its turn comes, .*disabled\.$/],
    ])("promises no attempt of one that waits while its subscription is %s (R-X54)", async (state, sentence) => {
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ state: state as "paused" })
        .execute();
      expect((await explain(await lastEvent(), id)).sentence).toMatch(sentence);
    });

    it("says of one that a restored store suspends that it waits, and why, also while its subscription is paused", async () => {
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      await kit.tables
        .updateTable("webhooks_queue")
        .set({ due_at: null, lane: null, reason: "store_restored" })
        .execute();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      expect((await explain(await lastEvent(), id)).sentence).toMatch(/^It matched and waits: the store was restored/);
    });

    it("promises no attempt of one that waits while its instance integration is revoked (R-X54)", async () => {
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      await kit.setConnection("revoked");
      expect((await explain(await lastEvent(), id)).sentence).toMatch(
        /^It matched, and as things are it will be cancelled when its turn comes, .*: the instance integration was revoked\.$/,
      );
      expect(await kit.claim()).toEqual([]);
      expect((await explain(await lastEvent(), id)).sentence).toBe(
        "It matched, and its delivery was cancelled after 0 attempts: the instance integration was revoked.",
      );
    });

    it("has the attempts of one that is exhausted", async () => {
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      for (let attempt = 0; attempt < 3; attempt++) {
        const [claimed] = await kit.claim();
        await kit.record(claimed as NonNullable<typeof claimed>);
        kit.clock.step(5 * 3_600_000);
      }
      const eventId = await lastEvent();
      const { delivery, sentence, event } = await explain(eventId, id);
      expect(event).toMatchObject({ id: eventId, instanceId: INSTANCE_ID, deliveries: 1 });
      expect(sentence).toMatch(/^It matched, and every attempt failed: 3 attempts made/);
      expect(delivery?.attempts.map(({ outcome }) => outcome)).toEqual(["refused", "refused", "refused"]);
    });
  });

  it("an explanation of an event that is kept no longer has what its delivery says of it", async () => {
    const { id } = await kit.subscribe();
    await kit.emit();
    await kit.relay();
    const eventId = await lastEvent();
    await kit.tables.deleteFrom("webhooks_events").execute();
    const { event, sentence } = await explain(eventId, id);
    expect(event).toMatchObject({ id: eventId, type: "user.updated", instanceId: "", deliveries: null });
    expect(sentence).toMatch(/^It matched/);
  });

  describe("what an explanation does not find", () => {
    it.each([
      ["event_not_found", newTimedId("event", new Date(), systemRandom), undefined],
      ["subscription_not_found", undefined, newId("subscription", systemRandom)],
    ])("%s", async (reason, eventId, subscriptionId) => {
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      const asked = explain(eventId ?? (await lastEvent()), subscriptionId ?? id);
      await expect(asked).rejects.toMatchObject({ code: "NOT_FOUND", reason });
    });

    it("names both ids when they are none", async () => {
      await expect(explain("event_1", "subscription_1")).rejects.toMatchObject({
        violations: [{ field: "event_id" }, { field: "subscription_id" }],
      });
    });

    it("keeps an integration's subscription, and events of other instances, from others (R-X291)", async () => {
      const db = kit.opened.store.view<WebhooksTables>();
      const subscriptions = subscriptionRepository(db);
      const { explain: within } = eventExplanations({
        events: eventRepository(db),
        deliveries: deliveryRepository(db, deliveryMoves),
        findSubscription: (id) => subscriptions.find(db, id),
        findWaiting: (id) => findWaiting(db, id),
      });
      const { id } = await kit.subscribe();
      await kit.emit();
      await kit.relay();
      const own = { subscriptionId: id, eventId: await lastEvent() };
      expect((await within(integrationScope(INTEGRATION_ID, "key"), own)).sentence).toMatch(/^It matched/);
      await expect(within(integrationScope(newId("integration", systemRandom), "key"), own)).rejects.toMatchObject({
        reason: "subscription_not_found",
      });
      await kit.emit({ instanceId: newId("instance", systemRandom) });
      await kit.relay();
      const foreign = { subscriptionId: id, eventId: await lastEvent() };
      await expect(within(integrationScope(INTEGRATION_ID, "key"), foreign)).rejects.toMatchObject({
        reason: "event_not_found",
      });
    });

    it("keeps operational events of others on the same instance from an integration (R-X310)", async () => {
      const db = kit.opened.store.view<WebhooksTables>();
      const { explain: within } = eventExplanations({
        events: eventRepository(db),
        deliveries: deliveryRepository(db, deliveryMoves),
        findSubscription: (id) => subscriptionRepository(db).find(db, id),
        findWaiting: (id) => findWaiting(db, id),
      });
      const { id: subscriptionId } = await kit.subscribe({ eventTypes: ["subscription.*"] });
      await kit.emit(failingOf());
      const asked = async () =>
        within(integrationScope(INTEGRATION_ID, "key"), { subscriptionId, eventId: await lastEvent() });
      await expect(asked()).rejects.toMatchObject({ reason: "event_not_found" });
      await kit.relay();
      await expect(asked()).rejects.toMatchObject({ reason: "event_not_found" });
      const { id: ofUsers } = await kit.subscribe({ label: "users", eventTypes: ["user.updated"] });
      await kit.emit(failingOf(INSTANCE_INTEGRATION_ID));
      const own = { subscriptionId: ofUsers, eventId: await lastEvent() };
      expect((await within(integrationScope(INTEGRATION_ID, "key"), own)).sentence).toMatch(/^It did not match/);
    });
  });
});
