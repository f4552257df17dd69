import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { type IntegrationId, newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import { DELIVERIES_CHANNEL, FEED_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { newDeliveryRepository } from "../../../src/webhooks/deliveries/new-delivery-repository.ts";
import { isOperational } from "../../../src/webhooks/operational/operational-event.ts";
import { integrationScope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { testSequences } from "../../../src/webhooks/trials/test-event.ts";
import { createTestEvents, type TestEvents } from "../../../src/webhooks/trials/test-events-service.ts";
import { TEST_EVENTS_PER_MINUTE, testEventAllowance } from "../../../src/webhooks/trials/trial-allowances.ts";
import { standingClock } from "../../support/clock.ts";
import { eventDepartures } from "../../support/event-contract.ts";
import { eachStore } from "../../support/stores.ts";
import { INSTANCE_INTEGRATION_ID, INTEGRATION_ID, openKit, type WebhooksKit } from "../webhooks-kit.ts";

eachStore((_, open) => {
  describe("TriggerTestEvent", () => {
    let kit: WebhooksKit;
    let testEvents: TestEvents;
    beforeEach(async () => {
      kit = await openKit(open);
      const { store, wake } = kit.opened;
      const db = store.view<WebhooksTables>();
      testEvents = createTestEvents({
        changes: createChanges<WebhooksTables>({ store, wake, clock: kit.clock, random: systemRandom }),
        random: systemRandom,
        subscriptions: subscriptionRepository(db),
        newDeliveries: newDeliveryRepository(deliveryMoves),
        delaysMs: [],
        allowance: testEventAllowance(kit.clock),
        sequenceAt: testSequences(),
      });
    });

    it.each(EVENT_TYPES)(
      "sends a %s that keeps the contract, marked and signed as every other (R-X317)",
      async (eventType) => {
        const { id: subscriptionId } = await kit.subscribe({ eventTypes: [eventType] });
        const made = await kit.testEvents.triggerTestEvent({ subscriptionId, eventType });
        const [claimed] = await kit.claim();
        const headers = Object.fromEntries(
          (claimed?.headers ?? []).map(({ name, value }) => [name.toLowerCase(), value]),
        );
        const body = claimed?.body ?? Buffer.alloc(0);
        expect(eventDepartures({ headers, body })).toEqual([]);
        const event = JSON.parse(body.toString());
        expect(event).toMatchObject({
          id: made.eventId,
          type: eventType,
          test: true,
          occurredAt: kit.clock.now().toISOString(),
        });
        const place = isOperational(eventType) ? "/v1/webhooks/" : `/instance-integrations/${INSTANCE_INTEGRATION_ID}/`;
        expect(event.data.links.self).toContain(place);
        expect(await kit.deliveries()).toEqual([
          expect.objectContaining({ id: made.deliveryId, eventId: made.eventId, subscriptionId, state: "pending" }),
        ]);
      },
    );

    it("gives those of one millisecond numbers that rise (R-X293)", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      const at = kit.clock.now().getTime();
      const made: string[] = [];
      for (const stepMs of [0, 0, 0, 1, 9]) {
        kit.clock.step(stepMs);
        made.push((await kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" })).eventId);
      }
      const events = (await kit.claim()).map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")));
      const sequences = made.map((eventId) => events.find(({ id }) => id === eventId).sequence);
      expect(sequences).toEqual([at, at + 1, at + 2, at + 3, at + 10]);
    });

    it("sends it to one subscription, and no other of the same integration (R-X317)", async () => {
      const { id } = await kit.subscribe();
      await kit.subscribe();
      await kit.testEvents.triggerTestEvent({ subscriptionId: id, eventType: "user.updated" });
      await kit.relay();
      expect((await kit.deliveries()).map(({ subscriptionId }) => subscriptionId)).toEqual([id]);
    });

    it("wakes who waits for an event of the feed, and who sends unless it is blocked", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      const tickets = () => [FEED_CHANNEL, DELIVERIES_CHANNEL].map((channel) => kit.opened.wake.ticket(channel));
      const trigger = () => kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" });
      const [feed = 0, deliveries = 0] = tickets();
      await trigger();
      expect(tickets()).toEqual([feed + 1, deliveries + 1]);
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      await trigger();
      expect(tickets()).toEqual([feed + 2, deliveries + 1]);
    });

    it("says why it is not sent, and keeps it as the relay would (R-X317)", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).execute();
      const made = await kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" });
      expect(made.blockedReason).toBe("subscription_paused");
      expect(await kit.deliveries()).toEqual([
        expect.objectContaining({ id: made.deliveryId, state: "skipped", reason: "subscription_paused" }),
      ]);
    });

    it("refuses a type that does not exist, and names those that do", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      await expect(
        kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "user.deleted" }),
      ).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "event_type", reason: `must be one of ${EVENT_TYPES.join(", ")}` }],
      });
    });

    it("refuses a type that the subscription does not ask for, and makes nothing (R-X317)", async () => {
      const { id: subscriptionId } = await kit.subscribe({ eventTypes: ["user.*"] });
      await expect(
        kit.testEvents.triggerTestEvent({ subscriptionId, eventType: "worker.updated" }),
      ).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "event_type_not_subscribed" });
      expect(await kit.deliveries()).toEqual([]);
    });

    it("finds a subscription of the scope alone (W18)", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      const request = { subscriptionId, eventType: "user.updated" };
      const foreign = integrationScope(newId("integration", systemRandom) as IntegrationId, "key");
      const unknown = { ...request, subscriptionId: newId("subscription", systemRandom) };
      const refusals = [
        await testEvents.trigger(foreign, request, { requestId: "" }).catch((error) => error),
        await kit.testEvents.triggerTestEvent(unknown).catch((error) => error),
      ];
      expect(refusals.map(({ code, reason, message }) => [code, reason, message])).toEqual([
        ["NOT_FOUND", "subscription_not_found", `There is no subscription ${subscriptionId}.`],
        ["NOT_FOUND", "subscription_not_found", `There is no subscription ${unknown.subscriptionId}.`],
      ]);
      const own = integrationScope(INTEGRATION_ID as IntegrationId, "key");
      await expect(testEvents.trigger(own, request, { requestId: "" })).resolves.toMatchObject({ blockedReason: null });
    });

    it("has a number for each minute, by integration (R-X318, W23)", async () => {
      const { id: subscriptionId } = await kit.subscribe();
      const request = { subscriptionId, eventType: "user.updated" };
      for (let index = 0; index < TEST_EVENTS_PER_MINUTE; index++) await kit.testEvents.triggerTestEvent(request);
      await expect(kit.testEvents.triggerTestEvent(request)).rejects.toMatchObject({
        code: "RESOURCE_EXHAUSTED",
        reason: "too_many_test_events",
        retryAfterSeconds: 33,
      });
      kit.clock.step(33_000);
      await expect(kit.testEvents.triggerTestEvent(request)).resolves.toMatchObject({ blockedReason: null });
    });
  });
});

describe("the allowance of test events (R-X318)", () => {
  it("counts each integration for itself, and forgets a minute that has passed", () => {
    const clock = standingClock(new Date("2026-06-30T08:15:59.001Z"));
    const { take } = testEventAllowance(clock);
    const [one, other] = ["a", "b"] as IntegrationId[] as [IntegrationId, IntegrationId];
    for (let index = 0; index < TEST_EVENTS_PER_MINUTE; index++) expect(take(one)).toBeUndefined();
    expect([take(one), take(other)]).toEqual([1, undefined]);
    clock.step(999);
    expect(take(one)).toBeUndefined();
  });
});
