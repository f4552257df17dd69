import type { Loop } from "../../../src/runtime/process/loop.ts";
import { eventually } from "../../support/eventually.ts";
import { oneRound } from "../../support/one-round.ts";
import { eachStore } from "../../support/stores.ts";
import { INSTANCE_INTEGRATION_ID, openKit, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const HOUR = 60 * 60 * 1000;

eachStore((_, open) => {
  describe("secrets that soon sign no more (R-X314)", () => {
    let kits: readonly WebhooksKit[];
    let kit: WebhooksKit;
    let id: string;
    beforeEach(async () => {
      kit = await openKit(open);
      kits = [kit, ...(await kit.opened.racers(3)).map((racer) => webhooksKit(racer, { clock: kit.clock }))];
      ({ id } = await kit.subscribe({ label: "marigold" }));
      await kit.subscribe({ label: "monitor", eventTypes: ["secret.expiring"] });
    });

    const loop = (one: WebhooksKit = kit) => one.loops.find(({ name }) => name === "expiring-secrets") as Loop;

    /** One pass of the loop. */
    const sweep = (one: WebhooksKit = kit) => oneRound(loop(one));

    /** The present secret signs for so long and no longer. */
    const replaced = (signsForMs: number) =>
      kit.tables
        .updateTable("webhooks_signing_secrets")
        .set({ expires_at: kit.clock.now().getTime() + signsForMs })
        .where("subscription_id", "=", id)
        .execute();

    async function announced(): Promise<readonly Record<string, unknown>[]> {
      await kit.relay();
      const claimed = await kit.claim();
      return claimed.map(({ body }) => JSON.parse(Buffer.from(body).toString("utf8")));
    }

    it("are announced once, twelve hours before at the earliest", async () => {
      await replaced(24 * HOUR);
      const expiresAt = new Date(kit.clock.now().getTime() + 24 * HOUR);
      await sweep();
      kit.clock.step(12 * HOUR - 1);
      await sweep();
      expect(await announced()).toEqual([]);
      kit.clock.step(1);
      await sweep();
      await sweep();
      expect(await announced()).toEqual([
        expect.objectContaining({
          type: "secret.expiring",
          entity: { type: "subscription", id },
          data: {
            subscriptionId: id,
            instanceIntegrationId: INSTANCE_INTEGRATION_ID,
            label: "marigold",
            number: 1,
            expiresAt: expiresAt.toISOString(),
            createdAt: expect.any(String),
            links: { self: `/v1/webhooks/subscriptions/${id}` },
          },
        }),
      ]);
    });

    it("are announced once by several services at the same time", async () => {
      await replaced(HOUR);
      await Promise.all(kits.map(sweep));
      expect(await announced()).toHaveLength(1);
    });

    it("omit the current ones, and those that sign no more", async () => {
      await sweep();
      await replaced(0);
      await sweep();
      expect(await announced()).toEqual([]);
    });

    it("that are many are announced in batches", async () => {
      const [secret] = await kit.tables
        .selectFrom("webhooks_signing_secrets")
        .selectAll()
        .where("subscription_id", "=", id)
        .execute();
      if (secret === undefined) throw new Error("The subscription has a secret.");
      const expires_at = kit.clock.now().getTime() + HOUR;
      const many = Array.from({ length: 150 }, (__, index) => ({ ...secret, number: index + 2, expires_at }));
      await kit.tables.insertInto("webhooks_signing_secrets").values(many).execute();
      await sweep();
      const written = () => kit.tables.selectFrom("outbox_entries").select("event_id").execute();
      expect(await written()).toHaveLength(100);
      const ending = new AbortController();
      const insert = kit.tables.insertInto("webhooks_signing_secrets");
      await insert.values(many.map((one) => ({ ...one, number: one.number + 150 }))).execute();
      // The next batch does not wait for an hour.
      const running = loop().run(ending.signal, (work) => work(ending.signal));
      const all = await eventually(written, ({ length }) => length === 300, 10_000);
      ending.abort();
      await running;
      expect(all).toHaveLength(300);
    });
  });
});
