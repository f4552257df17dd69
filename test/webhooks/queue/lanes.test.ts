import { DELIVERIES_CHANNEL } from "../../../src/webhooks/deliveries/delivery.ts";
import { eachStore, onPostgres } from "../../support/stores.ts";
import { ACKNOWLEDGED, clientCreated, openKit, userUpdated, type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

const PLACES = { "webhook-concurrency-per-endpoint": "4" };

eachStore((_, open) => {
  describe("lanes: each endpoint's origin has its own places", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open, { flags: PLACES });
    });

    const endpointsOf = (claimed: Awaited<ReturnType<WebhooksKit["claim"]>>) =>
      claimed.map(({ endpointUrl }) => new URL(endpointUrl).host).sort();

    it("an endpoint with a long queue leaves room for the others", async () => {
      await kit.subscribe({ label: "slow", endpointUrl: "https://slow.example/" });
      await kit.emit(...Array.from({ length: 30 }, () => userUpdated()));
      await kit.relay();
      kit.clock.step(1);
      await kit.subscribe({ label: "quick", endpointUrl: "https://quick.example/" });
      await kit.emit();
      await kit.relay();
      expect(endpointsOf(await kit.claim(10))).toEqual([
        "quick.example",
        ...Array.from({ length: 4 }, () => "slow.example"),
      ]);
      // All places of the slow one are taken now, and it gets no more, however much of it is due.
      expect(await kit.claim(10)).toEqual([]);
      await kit.emit();
      await kit.relay();
      expect(endpointsOf(await kit.claim(10))).toEqual(["quick.example"]);
    });

    it("subscriptions to one origin share its places", async () => {
      await kit.subscribe({ label: "one", endpointUrl: "https://shared.example/one" });
      await kit.subscribe({ label: "two", endpointUrl: "https://shared.example/two" });
      await kit.emit(...Array.from({ length: 5 }, () => userUpdated()));
      await kit.relay();
      expect(await kit.claim(50)).toHaveLength(4);
      expect(await kit.claim(50)).toEqual([]);
    });

    it("a reported outcome frees its place", async () => {
      await kit.subscribe();
      await kit.emit(...Array.from({ length: 6 }, () => userUpdated()));
      await kit.relay();
      const first = await kit.claim(50);
      expect(first).toHaveLength(4);
      const waiting = kit.dispatch.claimDue({ limit: 50, waitMs: 10_000 }, { deadlineMs: 12_000 });
      const ticket = kit.opened.wake.ticket(DELIVERIES_CHANNEL);
      for (const one of first.slice(0, 1)) await kit.record(one, ACKNOWLEDGED);
      expect(kit.opened.wake.ticket(DELIVERIES_CHANNEL)).toBeGreaterThan(ticket);
      expect((await waiting).attempts).toHaveLength(1);
    });

    it("every origin has its turn, also when there are more origins than a claim takes", async () => {
      for (let number = 0; number < 7; number++) {
        await kit.subscribe({ label: `o${number}`, endpointUrl: `https://o${number}.example/` });
      }
      await kit.emit(...Array.from({ length: 4 }, () => userUpdated()));
      await kit.relay();
      const turns: string[] = [];
      for (let turn = 0; turn < 7; turn++) turns.push(...endpointsOf(await kit.claim(2)));
      expect(Object.values(Object.groupBy(turns, (host) => host)).map((times) => times?.length)).toEqual([
        2, 2, 2, 2, 2, 2, 2,
      ]);
    });

    it("shares one claim among the origins that are due", async () => {
      await kit.subscribe({ label: "a", endpointUrl: "https://a.example/" });
      await kit.subscribe({ label: "b", endpointUrl: "https://b.example/" });
      await kit.emit(...Array.from({ length: 4 }, () => userUpdated()));
      await kit.relay();
      expect(endpointsOf(await kit.claim(4))).toEqual(["a.example", "a.example", "b.example", "b.example"]);
    });

    it("gives a free place to the lane with the fewest under way, even if another waits longer", async () => {
      await kit.subscribe({ label: "slow", endpointUrl: "https://slow.example/" });
      await kit.emit(...Array.from({ length: 3 }, () => userUpdated()));
      await kit.relay();
      expect(await kit.claim(2)).toHaveLength(2);
      kit.clock.step(1);
      await kit.subscribe({ label: "quick", endpointUrl: "https://quick.example/" });
      await kit.emit();
      await kit.relay();
      expect(endpointsOf(await kit.claim(1))).toEqual(["quick.example"]);
      expect(endpointsOf(await kit.claim(1))).toEqual(["slow.example"]);
    });

    it.each([
      ["a claim", { limit: 4 }],
      ["its part for what is unproven", { limit: 8, unprovenLimit: 4 }],
    ])("fills %s from long lanes when the others are short, and takes no more", async (__, wanted) => {
      await kit.subscribe({ label: "short", endpointUrl: "https://short.example/", eventTypes: ["client.created"] });
      await kit.subscribe({ label: "long", endpointUrl: "https://long.example/" });
      await kit.emit(clientCreated(), userUpdated(), userUpdated(), userUpdated());
      await kit.relay();
      expect(endpointsOf((await kit.dispatch.claimDue({ ...wanted, waitMs: 0 })).attempts)).toEqual([
        "long.example",
        "long.example",
        "long.example",
        "short.example",
      ]);
    });
  });
});

onPostgres((open) => {
  it("claims at one moment fill an origin's places once, over all workers (R-X305)", async () => {
    const kit = await openKit(open, { flags: PLACES });
    for (const label of ["one", "two", "three"]) await kit.subscribe({ label });
    await kit.subscribe({ label: "elsewhere", endpointUrl: "https://elsewhere.example/" });
    await kit.emit(...Array.from({ length: 10 }, () => userUpdated()));
    await kit.relay();
    const racers = await kit.opened.racers(4);
    const claims = await Promise.all(
      racers.map((racer) => webhooksKit(racer, { clock: kit.clock, flags: PLACES }).claim(50)),
    );
    const origins = claims.flat().map(({ endpointUrl }) => new URL(endpointUrl).host);
    expect(Object.fromEntries([...Map.groupBy(origins, (one) => one)].map(([one, all]) => [one, all.length]))).toEqual({
      "elsewhere.example": 4,
      "hooks.example": 4,
    });
  });
});
