import { sql, type Transaction } from "kysely";
import { blocker, patientRacers, waitForLocks } from "../../support/deadlocks.ts";
import { eachStore } from "../../support/stores.ts";
import { there } from "../../workforce/workforce-fixture.ts";
import { type Integrator, type IntegratorApi, openIntegratorApi } from "../gateway/integrator-kit.ts";
import { update } from "../subscriptions/subscription-requests.ts";
import { ACKNOWLEDGED, outcomeOf, webhooksKit } from "../webhooks-kit.ts";

const ENDPOINT = "https://hooks.example/in";
const SUBSCRIPTIONS = "/v1/webhooks/subscriptions";

/** Of every subscription. */
const lockSubscriptions = (tx: Transaction<Record<string, Record<string, unknown>>>) =>
  sql`select id from webhooks_subscriptions for update`.execute(tx);

eachStore((name, open) => {
  describe("an address that two integrations register before either acknowledges (R-X374)", () => {
    let api: IntegratorApi;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
    });
    afterEach(() => api.gateway.stop());

    const subscribe = (of: Integrator, endpointUrl = ENDPOINT) => api.subscribe(of, { endpointUrl });
    const stateOf = async (id: string, of: Integrator) =>
      (await api.ask("GET", `${SUBSCRIPTIONS}/${id}`, { secret: of.secret })).json<{ state: string }>().state;
    const actionsOf = async (id: string) => (await api.audit(id)).map(({ action }) => action);

    it("is that of the first whose ping is acknowledged; the other stays pending, and the audit log says why", async () => {
      const mine = await subscribe(api.mine);
      const theirs = await subscribe(api.theirs, `${ENDPOINT}/?key=7`);
      const pings = await api.kit.claim();
      for (const ping of pings.toSorted((one) => (one.subscriptionId === theirs ? -1 : 1)))
        await api.kit.record(ping, ACKNOWLEDGED);
      expect([await stateOf(theirs, api.theirs), await stateOf(mine, api.mine)]).toEqual(["active", "pending"]);
      expect(await actionsOf(mine)).toContain("subscription.refuseEndpoint");
      expect(await actionsOf(theirs)).not.toContain("subscription.refuseEndpoint");
    });

    it("is one integration's, when both acknowledgements come at one moment", async () => {
      const racers = await (name === "postgres" ? patientRacers(api.opened, 2) : api.opened.racers(2));
      const kits = racers.map((racer) => webhooksKit(racer, { clock: api.clock }));
      for (let round = 0; round < 5; round++) {
        const endpointUrl = `${ENDPOINT}/${round}`;
        const [mine, theirs] = [await subscribe(api.mine, endpointUrl), await subscribe(api.theirs, endpointUrl)];
        const pings = await api.kit.claim();
        // On PostgreSQL both wait here, so that neither sees what the other writes.
        const blocked = name === "postgres" ? await blocker(api.opened, lockSubscriptions) : undefined;
        const recorded = pings.map((ping, index) =>
          there(kits[index]).dispatch.recordOutcomes({ outcomes: [outcomeOf(ping, ACKNOWLEDGED)] }),
        );
        if (blocked !== undefined) await waitForLocks(api.opened, 2);
        await blocked?.end();
        await Promise.all(recorded);
        const states = [await stateOf(mine, api.mine), await stateOf(theirs, api.theirs)];
        expect([pings.length, states.toSorted()]).toEqual([2, ["active", "pending"]]);
      }
    });

    it.each([
      ["with an escape in its name", "https://hook%73.example/in", ENDPOINT],
      ["as a number", "https://16843009/in", "https://1.1.1.1/in"],
      ["with an escape in its number", "https://%31.1.1.1/in", "https://1.1.1.1/in"],
      ["as an address with all its zeros", "https://[2606:4700:4700:0::1111]/in", "https://[2606:4700:4700::1111]/in"],
    ])("is one integration's, though a host is spelt %s", async (_, spelt, plain) => {
      const first = await subscribe(api.mine, spelt);
      for (const ping of await api.kit.claim()) await api.kit.record(ping, ACKNOWLEDGED);
      expect(await stateOf(first, api.mine)).toBe("active");
      for (const endpointUrl of [spelt, plain]) {
        const json = { instanceIntegrationId: api.theirs.instanceIntegrationId, eventTypes: ["*"], endpointUrl };
        const answer = await api.ask("POST", SUBSCRIPTIONS, { secret: api.theirs.secret, json });
        expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("another integration")]);
      }
    });

    it("is an integration's own for as many subscriptions as it makes", async () => {
      const ids = [await subscribe(api.mine), await subscribe(api.mine)];
      for (const ping of await api.kit.claim()) await api.kit.record(ping, ACKNOWLEDGED);
      expect([await stateOf(there(ids[0]), api.mine), await stateOf(there(ids[1]), api.mine)]).toEqual([
        "active",
        "active",
      ]);
    });

    it("is both integrations' where an operator registers it for the second", async () => {
      const mine = await subscribe(api.mine);
      for (const ping of await api.kit.claim()) await api.kit.record(ping, ACKNOWLEDGED);
      const { subscription } = await api.kit.operator.createSubscription({
        ...{ label: "by-operator", instanceIntegrationId: api.theirs.instanceIntegrationId },
        ...{ endpointUrl: ENDPOINT, eventTypes: ["*"], tenantIds: [] },
        options: { description: "", extraHeaders: [], pingFirst: true, asymmetric: false },
      });
      for (const ping of await api.kit.claim()) await api.kit.record(ping, ACKNOWLEDGED);
      expect([await stateOf(mine, api.mine), await stateOf(there(subscription).id, api.theirs)]).toEqual([
        "active",
        "active",
      ]);
      await api.kit.subscriptions.pingSubscription({ subscriptionId: mine, waitMs: 0 });
      for (const ping of await api.kit.claim()) await api.kit.record(ping, ACKNOWLEDGED);
      expect([await stateOf(mine, api.mine), (await actionsOf(mine)).includes("subscription.refuseEndpoint")]).toEqual([
        "active",
        false,
      ]);
    });

    it("is taken over by an operator who names it again: the next acknowledgement proves it", async () => {
      const [mine, theirs] = [await subscribe(api.mine), await subscribe(api.theirs)];
      const pings = await api.kit.claim();
      for (const ping of pings.toSorted((one) => (one.subscriptionId === theirs ? -1 : 1)))
        await api.kit.record(ping, ACKNOWLEDGED);
      expect(await stateOf(mine, api.mine)).toBe("pending");
      await api.kit.subscriptions.updateSubscription(update(mine, { endpointUrl: ENDPOINT }));
      const again = await api.kit.claim();
      expect(again.map(({ subscriptionId }) => subscriptionId)).toEqual([mine]);
      await api.kit.record(there(again[0]), ACKNOWLEDGED);
      expect(await stateOf(mine, api.mine)).toBe("active");
    });
  });
});
