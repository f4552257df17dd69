import { Webhook } from "standardwebhooks";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { eachStore } from "../../support/stores.ts";
import { ACKNOWLEDGED, GONE, openKit, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";
import { auditOf, exhaust, HOUR_MS } from "./recovery-kit.ts";

eachStore((_, open) => {
  describe("ResendDelivery (R-E10, R-X280)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
    });

    const only = async () => {
      const [delivery] = await kit.deliveries();
      if (delivery === undefined) throw new Error("There is no delivery.");
      return delivery;
    };
    const resend = async () => kit.operator.resendDelivery({ deliveryId: (await only()).id });

    it("sends the same id and bytes once more, with a new time and signature, in a round of one attempt", async () => {
      const { secret } = await kit.subscribe();
      const first = await kit.claimOne();
      await kit.record(first, ACKNOWLEDGED);
      kit.clock.step(HOUR_MS);
      expect(await resend()).toEqual({ deliveryId: first.deliveryId, round: 2 });
      const [again] = await kit.claim();
      expect(again).toMatchObject({ deliveryId: first.deliveryId, eventId: first.eventId, round: 2, attemptNumber: 1 });
      expect(again?.body.equals(first.body)).toBe(true);
      const headers = Object.fromEntries((again?.headers ?? []).map(({ name, value }) => [name, value]));
      expect(headers["webhook-timestamp"]).toBe(String(Math.floor(kit.clock.now().getTime() / 1000)));
      // The library compares with the machine's time, so its part is given the signature alone.
      const timestamp = new Date(Number(headers["webhook-timestamp"]) * 1000);
      expect(headers["webhook-signature"]).toBe(
        new Webhook(secret).sign(first.eventId, timestamp, first.body.toString()),
      );
      expect(headers["webhook-signature"]).not.toBe(
        first.headers.find(({ name }) => name === "webhook-signature")?.value,
      );
    });

    it.each([
      ["delivered", ACKNOWLEDGED],
      ["exhausted", {}],
    ] as const)("takes one that is %s, and shows both rounds of it", async (state, outcome) => {
      await kit.subscribe();
      await exhaust(kit, 1);
      const before = await only();
      await resend();
      expect(await only()).toMatchObject({ id: before.id, state: "pending", createdAt: before.createdAt });
      for (const claimed of await kit.claim()) await kit.record(claimed, outcome);
      expect(await only()).toMatchObject({
        ...{ id: before.id, eventId: before.eventId, state },
        attempts: ["refused", "refused", "refused", state === "delivered" ? "acknowledged" : "refused"],
      });
    });

    it("makes one attempt and no more, whatever comes of it; and may be asked for again", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      for (const round of [2, 3]) {
        expect(await resend()).toMatchObject({ round });
        for (const claimed of await kit.claim()) await kit.record(claimed, { httpStatus: 503, retryAfter: "1" });
        kit.clock.step(48 * HOUR_MS);
        expect(await kit.claim()).toEqual([]);
      }
      expect((await only()).attempts).toHaveLength(5);
    });

    it("counts an attempt as spent whose outcome is lost", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      await resend();
      await kit.claim();
      kit.clock.step(HOUR_MS);
      expect(await kit.claim()).toEqual([]);
      expect(await only()).toMatchObject({ state: "exhausted", reason: "lost" });
    });

    it("takes one that was skipped", async () => {
      const { id } = await kit.subscribe();
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "paused" }).where("id", "=", id).execute();
      await kit.emit();
      await kit.relay();
      expect(await only()).toMatchObject({ state: "skipped" });
      await kit.tables.updateTable("webhooks_subscriptions").set({ state: "active" }).where("id", "=", id).execute();
      await resend();
      expect(await kit.claim()).toMatchObject([{ round: 2, attemptNumber: 1 }]);
    });

    it("refuses one that is pending: ready, under way, and waiting for its next attempt", async () => {
      await kit.subscribe();
      await kit.emit();
      await kit.relay();
      const refused = expect.objectContaining({ code: "FAILED_PRECONDITION", reason: "delivery_pending" });
      await expect(resend()).rejects.toEqual(refused);
      const [claimed] = await kit.claim();
      await expect(resend()).rejects.toEqual(refused);
      await kit.record(claimed ?? (await kit.claimOne()));
      await expect(resend()).rejects.toEqual(refused);
    });

    it("refuses one whose body is no longer kept", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      await kit.tables.deleteFrom("webhooks_delivery_bodies").execute();
      await expect(resend()).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "body_removed" });
    });

    it("cancels one whose body is removed while it waits, and sends the others", async () => {
      await kit.subscribe();
      await exhaust(kit, 2);
      const [gone, kept] = await kit.deliveries();
      for (const { id } of [gone, kept].flatMap((one) => one ?? []))
        await kit.operator.resendDelivery({ deliveryId: id });
      const { sequence } = await kit.tables
        .selectFrom("webhooks_queue")
        .select("sequence")
        .where("id", "=", gone?.id ?? "")
        .executeTakeFirstOrThrow();
      await kit.tables.deleteFrom("webhooks_delivery_bodies").where("sequence", "=", sequence).execute();
      expect((await kit.claim()).map(({ deliveryId }) => deliveryId)).toEqual([kept?.id]);
      expect((await kit.deliveries())[0]).toMatchObject({ state: "cancelled", reason: "body_removed" });
    });

    it("refuses while nothing can be sent to the subscription", async () => {
      await kit.subscribe();
      const claimed = await kit.claimOne();
      await kit.record(claimed, GONE);
      await expect(resend()).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "subscription_disabled" });
      expect(await only()).toMatchObject({ state: "exhausted", attempts: ["gone"] });
    });

    it("refuses a delivery that does not exist, and a text that is not an id", async () => {
      await expect(kit.operator.resendDelivery({ deliveryId: newId("delivery", systemRandom) })).rejects.toMatchObject({
        code: "NOT_FOUND",
        reason: "delivery_not_found",
      });
      await expect(kit.operator.resendDelivery({ deliveryId: "1" })).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "delivery_id" }],
      });
    });

    it("of two calls at once sends once", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      const { id } = await only();
      const racers = await kit.opened.racers(4);
      const results = await Promise.allSettled(
        racers.map((racer) => webhooksKit(racer, { clock: kit.clock }).operator.resendDelivery({ deliveryId: id })),
      );
      expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
      expect(await kit.claim()).toHaveLength(1);
    });

    it("is in the audit log, with the round", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      const { deliveryId } = await resend();
      const entries = await auditOf(kit.opened, "delivery.");
      expect(entries).toEqual([
        { actor: "operator", action: "delivery.resend", object: deliveryId, facts: { round: 2 } },
      ]);
    });

    it("is in no figure of how fast deliveries are", async () => {
      await kit.subscribe();
      await exhaust(kit, 1);
      await resend();
      for (const claimed of await kit.claim()) await kit.record(claimed, ACKNOWLEDGED);
      const latency = await kit.metrics.getSingleMetricAsString("gatehouse_webhook_delivery_seconds");
      expect(latency).not.toContain("gatehouse_webhook_delivery_seconds_count{");
    });
  });
});
