import { SubscriptionState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { readAll } from "../feed/feed-kit.ts";
import {
  ACKNOWLEDGED,
  FOREIGN_TENANT_ID,
  GONE,
  OTHER_TENANT_ID,
  openKit,
  TENANT_ID,
  userUpdated,
  type WebhooksKit,
} from "../webhooks-kit.ts";
import { header, options, update } from "./subscription-requests.ts";

const { ACTIVE, PAUSED, PENDING } = SubscriptionState;

/** What no endpoint may be, in spellings that a careless reader takes for something else (S44). */
const EVIL = [
  "http://hooks.example/",
  "ftp://hooks.example/",
  "javascript:alert(1)",
  "//hooks.example/",
  "https://user:secret@hooks.example/",
  "https://good.example@10.0.0.1/",
  "https://hooks.example/#x",
  "https://hooks.example\\@10.0.0.1/",
  " https://hooks.example/",
  "https://hooks.example/\n",
  "https://hooks.example:5432/",
  "https://10.0.0.1/",
  "https://0x0a.1/",
  "https://012.0.0.1/",
  "https://167772161/",
  "https://[::ffff:10.0.0.1]/",
  "https://[64:ff9b::a00:1]/",
  "https://169.254.169.254/latest/meta-data",
  "https://10.0.0.%EF%BC%91/",
] as const;

eachStore((_, open) => {
  let kit: WebhooksKit;
  let id: string;
  beforeEach(async () => {
    kit = await openKit(open, {
      flags: { "webhook-allow-http": "false", "webhook-allowed-networks": "" },
    });
    ({ id } = await kit.subscribe({ label: "marigold" }));
  });

  const change = (fields: Parameters<typeof update>[1]) => kit.subscriptions.updateSubscription(update(id, fields));
  const shown = async () => (await kit.subscriptions.getSubscription({ subscriptionId: id })).subscription;
  const pings = async () => (await kit.claim()).filter(({ eventType }) => eventType === "webhook.ping");
  const fieldsOf = async (asked: Promise<unknown>): Promise<readonly string[]> => {
    const refused = await asked.then(
      () => ({ violations: [] }),
      (error: Failure) => error,
    );
    return refused.violations.map(({ field }) => field);
  };

  describe("UpdateSubscription (R-X278)", () => {
    it("changes the named fields alone, and a call without a difference writes nothing", async () => {
      kit.clock.step(1_000);
      const { subscription } = await change({ description: "of payroll", eventTypes: ["user.*", "user.*"] });
      expect(subscription).toMatchObject({
        description: "of payroll",
        eventTypes: ["user.*"],
        endpointUrl: "https://hooks.example/in",
        state: ACTIVE,
        updatedAt: kit.clock.now(),
      });
      const before = await kit.audit();
      kit.clock.step(1_000);
      expect((await change({ description: "of payroll" })).subscription).toEqual(subscription);
      expect(await kit.audit()).toEqual(before);
    });

    it("takes effect with the next event and the next claim (F42)", async () => {
      await kit.emit();
      await kit.relay();
      await change({ endpointUrl: "https://new.example/in", tenantIds: [OTHER_TENANT_ID], skipPing: true });
      await kit.emit(userUpdated(TENANT_ID), userUpdated(OTHER_TENANT_ID));
      await kit.relay();
      expect((await kit.claim()).map(({ endpointUrl }) => endpointUrl)).toEqual(
        Array(2).fill("https://new.example/in"),
      );
    });

    it("keeps a tenant that its instance does not have any more, and gets none that it never had (R-X354)", async () => {
      await kit.tables
        .updateTable("webhooks_subscriptions")
        .set({ tenant_ids: JSON.stringify([FOREIGN_TENANT_ID]) })
        .execute();
      const { subscription } = await change({ tenantIds: [FOREIGN_TENANT_ID, TENANT_ID] });
      expect(subscription?.tenantIds).toEqual([FOREIGN_TENANT_ID, TENANT_ID]);
      await change({ tenantIds: [TENANT_ID] });
      expect(await fieldsOf(change({ tenantIds: [TENANT_ID, FOREIGN_TENANT_ID], description: "two\nlines" }))).toEqual([
        "description",
        "tenant_ids[1]",
      ]);
    });

    it("can be narrowed and widened also before webhooks has heard that its instance integration is revoked (R-X346)", async () => {
      const instance_integration_id = newId("instanceIntegration", systemRandom);
      await kit.tables.updateTable("webhooks_subscriptions").set({ instance_integration_id }).execute();
      expect((await change({ tenantIds: [TENANT_ID] })).subscription?.tenantIds).toEqual([TENANT_ID]);
      expect((await change({ tenantIds: [] })).subscription?.tenantIds).toEqual([]);
    });

    it("names every wrong field at once, and changes nothing then", async () => {
      const before = await shown();
      const wrong = change({
        endpointUrl: "ftp://x",
        eventTypes: ["nope"],
        tenantIds: ["x"],
        description: "two\nlines",
        extraHeaders: [header("host", "x")],
      });
      expect(await fieldsOf(wrong)).toEqual([
        "endpoint_url",
        "event_types[0]",
        "tenant_ids[0]",
        "description",
        "extra_headers[0].name",
      ]);
      expect(await fieldsOf(change({}))).toEqual(["update_mask"]);
      const unknown = { ...update(id, { description: "x" }), updateMask: ["description", "label"] };
      expect(await fieldsOf(kit.subscriptions.updateSubscription(unknown))).toEqual(["update_mask"]);
      expect(await shown()).toEqual(before);
    });

    it.each(EVIL)("refuses the endpoint %j as a new subscription does (S44)", async (endpointUrl) => {
      const before = await shown();
      expect(await fieldsOf(change({ endpointUrl }))).toEqual(["endpoint_url"]);
      expect(await fieldsOf(kit.subscribe({ endpointUrl }))).toEqual(["endpoint_url"]);
      expect(await shown()).toEqual(before);
    });

    it("writes no path, query, header or description into the audit log", async () => {
      await change({
        endpointUrl: "https://new.example/in/canary-path?canary=query",
        description: "canary-description",
        extraHeaders: [header("x-key", "canary-value")],
      });
      const [entry] = (await kit.audit()).filter(({ action }) => action === "subscription.update");
      expect(JSON.stringify(entry)).not.toContain("canary");
      expect(JSON.parse(entry?.facts ?? "")).toEqual({
        endpointChanged: true,
        endpointOrigin: "https://new.example",
        descriptionChanged: true,
        extraHeaders: "x-key",
      });
    });
  });

  describe("CreateSubscription in the audit log (R-X341)", () => {
    const entryOf = async (label: string) => {
      const entries = (await kit.audit()).filter(({ action }) => action === "subscription.create");
      return present(entries.find(({ facts }) => JSON.parse(facts).label === label)).facts;
    };

    it("has what an update would say: the origin, event types, how many tenants, names of headers", async () => {
      await kit.subscribe({
        label: "other",
        endpointUrl: "https://new.example/in/canary-path?canary=query",
        eventTypes: ["user.*", "client.created"],
        tenantIds: [TENANT_ID, OTHER_TENANT_ID],
        ...options({
          description: "canary-description",
          extraHeaders: [header("X-Key", "canary-value"), header("x-team", "canary-team")],
        }),
      });
      const facts = await entryOf("other");
      expect(facts).not.toContain("canary");
      expect(JSON.parse(facts)).toEqual({
        label: "other",
        endpointOrigin: "https://new.example",
        eventTypes: "user.* client.created",
        tenants: "2",
        extraHeaders: "x-key x-team",
      });
    });

    it("has no origin of a subscription without an endpoint", async () => {
      await kit.subscribe({ label: "pulled", endpointUrl: "" });
      expect(JSON.parse(await entryOf("pulled"))).toMatchObject({ endpointOrigin: "", tenants: "0", extraHeaders: "" });
    });
  });

  describe("extra headers of deliveries (R-X272)", () => {
    const sent = async () => {
      const { headers } = await kit.claimOne();
      return Object.fromEntries(headers.map(({ name, value }) => [name, value]));
    };

    it("are sent with each delivery, sealed in the store and masked in answers", async () => {
      await change({ extraHeaders: [header("X-Api-Key", "secret-one"), header("x-team", "payroll")] });
      expect(await sent()).toMatchObject({ "x-api-key": "secret-one", "x-team": "payroll" });
      const answer = await shown();
      expect(answer?.extraHeaders.map(({ name, value }) => [name, value])).toEqual([
        ["x-api-key", null],
        ["x-team", null],
      ]);
      expect(JSON.stringify(answer)).not.toContain("secret-one");
      const row = await kit.tables.selectFrom("webhooks_subscriptions").selectAll().executeTakeFirstOrThrow();
      expect(JSON.stringify({ ...row, extra_headers: row.extra_headers?.toString("latin1") })).not.toContain(
        "secret-one",
      );
    });

    it("keep a value that an update does not repeat, and are gone when an update does not name them", async () => {
      await change({ extraHeaders: [header("x-api-key", "secret-one")] });
      await change({ extraHeaders: [header("x-api-key"), header("x-team", "payroll")] });
      expect(await sent()).toMatchObject({ "x-api-key": "secret-one", "x-team": "payroll" });
      await change({ extraHeaders: [] });
      expect(Object.keys(await sent())).toEqual([
        "content-type",
        "user-agent",
        "webhook-id",
        "webhook-timestamp",
        "webhook-signature",
      ]);
    });

    const MOVED = "https://elsewhere.example/in";

    it.each([
      ["that are not named", { endpointUrl: MOVED }],
      ["without a value", { endpointUrl: MOVED, extraHeaders: [header("x-api-key")] }],
    ])("do not follow the endpoint to another origin: %s", async (_, moved) => {
      await change({ extraHeaders: [header("x-api-key", "secret-one")] });
      await expect(change(moved)).rejects.toMatchObject({
        violations: [{ field: "extra_headers", reason: expect.stringContaining("moves to another origin") }],
      });
      expect(await sent()).toMatchObject({ "x-api-key": "secret-one" });
    });

    it("are sent to an endpoint at another origin when they were given for it", async () => {
      await change({ extraHeaders: [header("x-api-key", "secret-one")] });
      await change({ endpointUrl: MOVED, extraHeaders: [header("x-api-key", "secret-two")], skipPing: true });
      expect(await sent()).toMatchObject({ "x-api-key": "secret-two" });
    });

    it("stay with an endpoint of the same origin, and may go with it", async () => {
      await change({ extraHeaders: [header("x-api-key", "secret-one")] });
      const { endpointUrl = "" } = (await shown()) ?? {};
      await change({ endpointUrl: new URL("/another", endpointUrl).href, skipPing: true });
      expect(await sent()).toMatchObject({ "x-api-key": "secret-one" });
      await change({ endpointUrl: MOVED, extraHeaders: [], skipPing: true });
      expect(await sent()).not.toHaveProperty("x-api-key");
    });

    describe("that cannot be opened, since their master key is lost (R-X21)", () => {
      beforeEach(async () => {
        await change({ extraHeaders: [header("x-api-key", "secret-one")] });
        await kit.tables
          .updateTable("webhooks_subscriptions")
          .set({ extra_headers: Buffer.alloc(80, 1) })
          .where("id", "=", id)
          .execute();
      });

      it("are replaced", async () => {
        await change({ extraHeaders: [header("x-api-key", "secret-two")] });
        expect((await kit.claimOne()).headers).toContainEqual({ name: "x-api-key", value: "secret-two" });
      });

      it("are removed", async () => {
        await change({ extraHeaders: [] });
        expect((await kit.claimOne()).headers.map(({ name }) => name)).not.toContain("x-api-key");
      });

      it("are not kept: the answer names what must be given again", async () => {
        await expect(change({ extraHeaders: [header("x-team", "hr"), header("x-api-key")] })).rejects.toMatchObject({
          violations: [{ field: "extra_headers[1].value", reason: expect.stringContaining("given again") }],
        });
      });
    });

    it("can be there from the beginning", async () => {
      const other = await kit.subscribe({ label: "other", ...options({ extraHeaders: [header("x-key", "v")] }) });
      await kit.emit();
      await kit.relay();
      const own = (await kit.claim()).find(({ subscriptionId }) => subscriptionId === other.id);
      expect(own?.headers).toContainEqual({ name: "x-key", value: "v" });
    });
  });

  describe("an endpoint that has to acknowledge a ping (R-X270)", () => {
    const reasons = async () =>
      (await kit.deliveries()).filter(({ eventType }) => eventType !== "webhook.ping").map(({ reason }) => reason);

    it("a new one skips events until then, and gets them afterwards", async () => {
      await kit.subscriptions.deleteSubscription({ subscriptionId: id });
      ({ id } = await kit.subscribe({
        label: "new",
        eventTypes: ["client.*", "user.*"],
        ...options({ pingFirst: true }),
      }));
      expect((await shown())?.state).toBe(PENDING);
      await kit.emit();
      await kit.relay();
      const [ping] = await pings();
      if (ping === undefined) throw new Error("No ping was sent.");
      kit.clock.step(1_000);
      await kit.record(ping, ACKNOWLEDGED);
      const at = kit.clock.now();
      expect(await shown()).toMatchObject({ state: ACTIVE, stateSince: at, updatedAt: at });
      await kit.emit();
      await kit.relay();
      expect((await kit.claim()).map(({ eventType }) => eventType)).toEqual(["user.updated"]);
      expect(await reasons()).toEqual(["subscription_pending", undefined]);
      expect((await kit.audit()).map(({ action }) => action)).toContain("subscription.confirmEndpoint");
    });

    it.each([
      ["a refusal", {}],
      ["a 410, which disables nothing", GONE],
    ])("stays pending after %s, and another ping can be sent", async (__, outcome) => {
      await change({ endpointUrl: "https://new.example/" });
      const [ping] = await pings();
      if (ping === undefined) throw new Error("No ping was sent.");
      await kit.record(ping, outcome);
      expect((await shown())?.state).toBe(PENDING);
      await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      expect(await pings()).toHaveLength(1);
    });

    it("an acknowledgement by the previous endpoint counts for nothing", async () => {
      await change({ endpointUrl: "https://one.example/" });
      const [ping] = await pings();
      if (ping === undefined) throw new Error("No ping was sent.");
      await change({ endpointUrl: "https://two.example/" });
      await kit.record(ping, ACKNOWLEDGED);
      expect((await shown())?.state).toBe(PENDING);
      const [second] = await pings();
      expect(second?.endpointUrl).toBe("https://two.example/");
    });

    it("an operator can skip the ping; other changes need none", async () => {
      expect((await change({ endpointUrl: "https://new.example/", skipPing: true })).subscription?.state).toBe(ACTIVE);
      expect((await change({ description: "x", eventTypes: ["user.*"] })).subscription?.state).toBe(ACTIVE);
      expect(await pings()).toEqual([]);
    });

    it("stays paused, and is pending when it is resumed", async () => {
      await kit.subscriptions.pauseSubscription({ subscriptionId: id });
      expect((await change({ endpointUrl: "https://new.example/" })).subscription?.state).toBe(PAUSED);
      expect(await kit.subscriptions.resumeSubscription({ subscriptionId: id })).toMatchObject({
        subscription: { state: PENDING },
      });
    });

    it("a paused one whose endpoint acknowledges stays paused, and is active when it is resumed", async () => {
      await kit.subscriptions.pauseSubscription({ subscriptionId: id });
      await change({ endpointUrl: "https://new.example/" });
      const [ping] = await pings();
      if (ping === undefined) throw new Error("No ping was sent.");
      await kit.record(ping, ACKNOWLEDGED);
      expect((await shown())?.state).toBe(PAUSED);
      expect(await kit.subscriptions.resumeSubscription({ subscriptionId: id })).toMatchObject({
        subscription: { state: ACTIVE },
      });
    });
  });

  describe("pings (R-X271)", () => {
    it("are events of their own, with one attempt, listed with what came back", async () => {
      await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      const [ping] = await pings();
      if (ping === undefined) throw new Error("No ping was sent.");
      const headers = Object.fromEntries(ping.headers.map(({ name, value }) => [name, value]));
      expect({ headers, body: ping.body }).toMatchEventContract();
      expect(JSON.parse(ping.body.toString())).toMatchObject({
        id: ping.eventId,
        type: "webhook.ping",
        entity: { type: "subscription", id },
        data: { subscriptionId: id, label: "marigold" },
      });
      await kit.record(ping, { httpStatus: 503 });
      const answer = await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      expect(answer.ping?.state).toBe("DELIVERY_STATE_PENDING");
      expect(await kit.deliveries()).toMatchObject([
        { eventType: "webhook.ping", state: "exhausted", attempts: ["refused"] },
        { eventType: "webhook.ping", state: "pending" },
      ]);
    });

    it("another request while one is under way gets its outcome", async () => {
      const asked = Array.from({ length: 3 }, () =>
        kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 }),
      );
      const ids = (await Promise.all(asked)).map(({ ping }) => ping?.id);
      expect(new Set(ids).size).toBe(1);
      expect(await pings()).toHaveLength(1);
    });

    it("another request gets no outcome of an endpoint that was replaced without a ping", async () => {
      const ask = () => kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      const before = await ask();
      const [ofBefore] = await pings();
      if (ofBefore === undefined) throw new Error("No ping was sent.");
      const endpointUrl = "https://other.example/in";
      await change({ endpointUrl, skipPing: true });
      const after = await ask();
      expect(after.ping?.id).not.toBe(before.ping?.id);
      await kit.record(ofBefore, { httpStatus: 204 });
      expect((await pings()).map((ping) => [ping.endpointUrl, ping.deliveryId])).toEqual([
        [endpointUrl, after.ping?.id],
      ]);
    });

    it("cannot be subscribed to, and * does not match them", async () => {
      expect(await fieldsOf(change({ eventTypes: ["webhook.ping"] }))).toEqual(["event_types[0]"]);
      expect(await fieldsOf(change({ eventTypes: ["webhook.*"] }))).toEqual(["event_types[0]"]);
      const other = await kit.subscribe();
      await kit.subscriptions.pingSubscription({ subscriptionId: other.id, waitMs: 0 });
      expect((await pings()).map(({ subscriptionId }) => subscriptionId)).toEqual([other.id]);
    });

    it("are in no feed", async () => {
      await kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 });
      await kit.emit();
      await kit.relay();
      expect((await readAll(kit, id, 10)).map(({ type }) => type)).toEqual(["user.updated"]);
    });

    it("wait at most half a minute", async () => {
      const asked = kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 30_001 });
      expect(await fieldsOf(asked)).toEqual(["wait_ms"]);
    });
  });

  describe("pull-only subscriptions (R-X275)", () => {
    beforeEach(async () => {
      ({ id } = await kit.subscribe({ label: "puller", endpointUrl: "", ...options({ pingFirst: true }) }));
    });

    it("need no ping, and their events are skipped as pull_only", async () => {
      expect(await shown()).toMatchObject({ state: ACTIVE, endpointUrl: "", secrets: [{ number: 1 }] });
      await kit.emit();
      await kit.relay();
      const own = (await kit.deliveries()).filter(({ subscriptionId }) => subscriptionId === id);
      expect(own).toMatchObject([{ state: "skipped", reason: "pull_only", attempts: [] }]);
      await expect(kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: 0 })).rejects.toMatchObject({
        reason: "subscription_pull_only",
      });
    });

    it("get an endpoint, which has to acknowledge a ping, and lose it again with what waits", async () => {
      expect((await change({ endpointUrl: "https://new.example/" })).subscription?.state).toBe(PENDING);
      await change({ endpointUrl: "https://new.example/in", skipPing: true });
      await kit.emit();
      await kit.relay();
      expect((await change({ endpointUrl: "" })).subscription?.state).toBe(ACTIVE);
      expect((await kit.claim()).filter(({ subscriptionId }) => subscriptionId === id)).toEqual([]);
      const own = (await kit.deliveries()).filter(
        (one) => one.subscriptionId === id && one.eventType === "user.updated",
      );
      expect(own).toMatchObject([{ state: "skipped", reason: "pull_only" }]);
    });
  });

  describe("DeleteSubscription (R-X277)", () => {
    const remove = () => kit.subscriptions.deleteSubscription({ subscriptionId: id });

    it("cancels what waits, however much, and nothing matches it any more", async () => {
      await kit.record(await kit.claimOne());
      for (let batch = 0; batch < 6; batch++) await kit.emit(...Array.from({ length: 100 }, () => ({})));
      await kit.relay();
      expect((await remove()).subscription).toMatchObject({ label: "marigold", secrets: [{ number: 1 }] });
      await kit.emit();
      await kit.relay();
      expect(await kit.claim()).toEqual([]);
      const rows = await kit.tables.selectFrom("webhooks_settled").select(["state", "reason"]).execute();
      expect(rows).toHaveLength(601);
      expect(new Set(rows.map(({ state, reason }) => `${state} ${reason}`))).toEqual(
        new Set(["cancelled subscription_deleted"]),
      );
    });

    it("lets an attempt under way end, and makes no other", async () => {
      const claimed = await kit.claimOne();
      await remove();
      expect(await kit.record(claimed)).toBe(1);
      kit.clock.step(2 * 60_000);
      expect(await kit.claim()).toEqual([]);
      expect(await kit.deliveries()).toMatchObject([
        { state: "cancelled", reason: "subscription_deleted", attempts: ["refused"], subscriptionLabel: "marigold" },
      ]);
    });

    it("erases what is secret, frees the label, and the subscription is unknown", async () => {
      await change({
        endpointUrl: "https://new.example/canary?token=canary",
        description: "canary",
        extraHeaders: [header("x-canary", "canary")],
        skipPing: true,
      });
      await remove();
      const stored = await kit.tables.selectFrom("webhooks_subscriptions").selectAll().executeTakeFirstOrThrow();
      expect(JSON.stringify(stored)).not.toContain("canary");
      expect(await kit.tables.selectFrom("webhooks_signing_secrets").selectAll().execute()).toEqual([]);
      await expect(remove()).rejects.toMatchObject({ code: "NOT_FOUND", reason: "subscription_not_found" });
      expect((await kit.operator.listSubscriptions({ states: [] })).subscriptions).toEqual([]);
      await kit.subscribe({ label: "marigold" });
    });

    it("shows only the origin of where its attempts went, and no query was ever recorded", async () => {
      await change({ endpointUrl: "https://new.example/canary-path?token=canary-query", skipPing: true });
      await kit.record(await kit.claimOne());
      const recorded = await kit.tables.selectFrom("webhooks_queue").select("made").executeTakeFirstOrThrow();
      expect(recorded.made).toContain("https://new.example/canary-path");
      expect(recorded.made).not.toContain("canary-query");
      kit.clock.step(2 * 60_000);
      const [underWay] = await kit.claim();
      await remove();
      const listed = async () => {
        const { deliveries } = await kit.operator.listDeliveries({ states: [], limit: 0 });
        return deliveries.flatMap(({ attempts }) => attempts.map(({ endpoint }) => endpoint));
      };
      expect(await listed()).toEqual(["https://new.example", "https://new.example"]);
      await kit.record(present(underWay));
      expect(await listed()).toEqual(["https://new.example", "https://new.example"]);
      const settled = await kit.tables.selectFrom("webhooks_settled").selectAll().execute();
      expect(JSON.stringify(settled)).not.toContain("canary-query");
    });

    it("a subscription that never existed is not found", async () => {
      id = newId("subscription", systemRandom);
      await expect(remove()).rejects.toMatchObject({ reason: "subscription_not_found" });
      id = "x'; drop table";
      await expect(remove()).rejects.toThrow("There is no subscription of this id.");
    });
  });
});
