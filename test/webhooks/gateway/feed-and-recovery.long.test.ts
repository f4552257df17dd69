import { createHmac } from "node:crypto";
import gatewayContract from "../../../generated/contracts/gateway.json" with { type: "json" };
import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { eventDepartures } from "../../support/event-contract.ts";
import { eventually } from "../../support/eventually.ts";
import { eachStore } from "../../support/stores.ts";
import { there } from "../../workforce/workforce-fixture.ts";
import { userUpdated } from "../webhooks-kit.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";

interface FeedPage {
  readonly data: readonly {
    readonly id: string;
    readonly type: string;
    readonly cursor: string;
    readonly headers: Record<string, string>;
    readonly body: string;
  }[];
  readonly next: string;
  readonly hasMore: boolean;
}

interface Explanation {
  readonly explanation: string;
  readonly rules: readonly { readonly rule: string; readonly explanation: string }[];
}

eachStore((_, open) => {
  let api: IntegratorApi;
  beforeEach(async () => {
    api = await openIntegratorApi(open);
  });
  afterEach(() => api.gateway.stop());

  const codeOf = (answer: Awaited<ReturnType<IntegratorApi["ask"]>>) => [
    answer.status,
    answer.json<{ code: string }>().code,
  ];
  const subscribe = async (more: object = {}) => {
    const json = { instanceIntegrationId: api.mine.instanceIntegrationId, eventTypes: ["*"], ...more };
    const made = await api.ask("POST", PATH, { secret: api.mine.secret, json });
    return made.json<{ subscription: { id: string }; signingSecret: string }>();
  };
  const trigger = (id: string, type = "user.updated") =>
    api.mineOf<{ eventId: string; deliveryId: string }>("POST", `${PATH}/${id}/test-events`, { type });

  describe("the feed over HTTP (R-X287, R-X296)", () => {
    it("has each event with headers that are signed as the standard has it", async () => {
      const { subscription, signingSecret } = await subscribe();
      const { eventId } = await trigger(subscription.id);
      const { data, hasMore } = await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events`);
      expect([data.map(({ id }) => id), hasMore]).toEqual([[eventId], false]);
      const { headers, body } = there(data[0]);
      // The bytes that the standard signs; its own verifier compares the time with that of the machine.
      const key = Buffer.from(signingSecret.slice("whsec_".length), "base64");
      const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
      const mac = createHmac("sha256", key).update(signed).digest("base64");
      expect(headers["webhook-signature"]).toBe(`v1,${mac}`);
      expect(JSON.parse(body)).toMatchObject({ id: eventId, type: "user.updated", test: true });
      expect(Object.keys(headers).toSorted()).toEqual([
        ...["content-type", "webhook-id", "webhook-signature", "webhook-timestamp"],
      ]);
    });

    it("goes on behind a cursor, and begins now", async () => {
      const { subscription } = await subscribe();
      await trigger(subscription.id);
      const now = await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events?after=now`);
      expect(now.data).toEqual([]);
      const second = await trigger(subscription.id, "user.created");
      for (const after of [
        now.next,
        (await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events?limit=1`)).next,
      ]) {
        const page = await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events?after=${after}`);
        expect(page.data.map(({ id }) => id)).toEqual([second.eventId]);
      }
    });

    it("waits for the first event, as long as it is asked to", async () => {
      const { subscription } = await subscribe();
      const waiting = api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events?wait=30`);
      const { eventId } = await trigger(subscription.id);
      expect((await waiting).data.map(({ id }) => id)).toEqual([eventId]);
      expect((await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events?after=now&wait=0`)).data).toEqual(
        [],
      );
    });

    it("gives nothing to a key that was revoked while it waited (R-X290)", async () => {
      const { subscription } = await subscribe();
      const { apiKeyId, secret } = await api.key(api.mine.integrationId, [ApiKeyScope.WEBHOOKS]);
      const address = `${PATH}/${subscription.id}/events?wait=30`;
      const asked = Array.from({ length: 11 }, () => api.ask("GET", address, { secret }));
      // One more than may wait: when it is refused, the others do.
      await Promise.race(asked);
      await api.workforce.operator.revokeApiKey({ apiKeyId });
      await trigger(subscription.id);
      const answers = (await Promise.all(asked)).map((answer) => codeOf(answer).join(" "));
      expect(answers.toSorted()).toEqual([...Array(10).fill("401 unauthorized"), "429 too_many_requests"]);
    });

    it("takes one request of the key's limit, however long it waits (R-X290)", async () => {
      const { subscription } = await subscribe();
      const { secret } = await api.key(api.mine.integrationId, [ApiKeyScope.WEBHOOKS]);
      const ask = async (query: string) => {
        const answer = await api.ask("GET", `${PATH}/${subscription.id}/events${query}`, { secret });
        return Number(/r=(\d+)/.exec(answer.headers.get("ratelimit") ?? "")?.[1]);
      };
      const before = await ask("");
      expect([await ask("?wait=1"), await ask("")]).toEqual([before - 1, before - 2]);
    });

    it("gives up the waits of clients that left, so that ten others can wait (R-X290)", async () => {
      const { subscription } = await subscribe();
      const address = `${PATH}/${subscription.id}/events`;
      const statusOf = async () => (await api.ask("GET", `${address}?wait=1`, { secret: api.mine.secret })).status;
      const leaving = new AbortController();
      const headers = { "x-api-key": api.mine.secret };
      let refused = 0;
      const asked = Array.from({ length: 20 }, async () => {
        const { status } = await fetch(`${api.gateway.baseUrl}${address}?wait=30`, { headers, signal: leaving.signal });
        if (status === 429) refused++;
      });
      const left = Promise.allSettled(asked);
      const refusals = await eventually(
        async () => refused,
        (count) => count === 10,
      );
      expect([refusals, await statusOf()]).toEqual([10, 429]);
      leaving.abort();
      expect((await left).filter(({ status }) => status === "rejected")).toHaveLength(10);
      expect(await eventually(statusOf, (status) => status === 200)).toBe(200);
      const counted = await api.gateway.metrics.getSingleMetricAsString("gatehouse_http_request_duration_seconds");
      expect(counted).not.toContain('operation="readEvents",status="503"');
    });

    it("ends waits when the listener stops, and says that they may be asked again", async () => {
      const { subscription } = await subscribe();
      const address = `${PATH}/${subscription.id}/events?wait=30`;
      const asked = Array.from({ length: 11 }, () => api.ask("GET", address, { secret: api.mine.secret }));
      // One more than may wait: when it is refused, the others do.
      await Promise.race(asked);
      await api.gateway.stop();
      const answers = await Promise.all(asked);
      const codes = answers.map((answer) => `${codeOf(answer).join(" ")}, ${answer.headers.get("retry-after")}`);
      expect(codes.toSorted()).toEqual([
        "429 too_many_requests, 1",
        ...Array.from({ length: 10 }, () => "503 unavailable, 2"),
      ]);
    });

    it.each([
      ["a cursor that is none", "after=x", "after"],
      ["a wait of 31 seconds", "wait=31", "wait"],
      ["a limit of 101", "limit=101", "limit"],
      ["a negative wait", "wait=-1", "wait"],
    ])("refuses %s by its name", async (__, query, name) => {
      const { subscription } = await subscribe();
      const answer = await api.ask("GET", `${PATH}/${subscription.id}/events?${query}`, { secret: api.mine.secret });
      const named = answer.json<{ errors: { name: string }[] }>().errors.map((part) => part.name);
      expect([answer.status, named]).toEqual([400, [name]]);
    });

    it("refuses a cursor of another subscription", async () => {
      const [one, other] = [await subscribe(), await subscribe()];
      await trigger(one.subscription.id);
      const { next } = await api.mineOf<FeedPage>("GET", `${PATH}/${one.subscription.id}/events`);
      const address = `${PATH}/${other.subscription.id}/events?after=${next}`;
      expect(codeOf(await api.ask("GET", address, { secret: api.mine.secret }))).toEqual([400, "invalid_request"]);
    });
  });

  describe("explanations over HTTP (R-X291)", () => {
    it("say why an event came, and why another did not, in the words of the API", async () => {
      const { subscription } = await subscribe();
      const { eventId } = await trigger(subscription.id);
      const came = await api.mineOf<object>("GET", `${PATH}/${subscription.id}/events/${eventId}/explanation`);
      expect(came).toMatchObject({ eventId, rules: [], delivery: { state: "skipped", reason: "pull_only" } });
      const narrow = await subscribe({ eventTypes: ["worker.*"] });
      const { instanceId, tenantId } = api.mine;
      await api.kit.emit({ ...userUpdated(tenantId as never), instanceId: instanceId as never });
      await api.kit.relay();
      const { data } = await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events`);
      const event = data.at(-1)?.id;
      const not = await api.mineOf<{ rules: { rule: string; fits: boolean }[] }>(
        "GET",
        `${PATH}/${narrow.subscription.id}/events/${event}/explanation`,
      );
      expect(not.rules.find(({ rule }) => rule === "event_type")?.fits).toBe(false);
      expect("delivery" in not).toBe(false);
    });

    it("speak of clients, as the contract does, and name rules that it lists", async () => {
      const { id: otherClient } = await api.workforce.tenant(api.mine.instanceId);
      const { subscription } = await subscribe({ clientIds: [otherClient] });
      const { instanceId, tenantId } = api.mine;
      await api.kit.emit({ ...userUpdated(tenantId as never), instanceId: instanceId as never });
      await api.kit.relay();
      const { data } = await api.mineOf<FeedPage>("GET", "/v1/webhooks/events?type=user.updated");
      const { explanation, rules } = await api.mineOf<Explanation>(
        "GET",
        `${PATH}/${subscription.id}/events/${data[0]?.id}/explanation`,
      );
      expect(explanation).toBe(`It did not match: The subscription lists clients, and ${tenantId} is not among them.`);
      expect(rules.filter(({ explanation: sentence }) => /tenant/i.test(sentence))).toEqual([]);
      const listed = gatewayContract.components.schemas.MatchingRule.properties.rule["x-extensible-enum"];
      expect(rules.map(({ rule }) => rule).toSorted()).toEqual(listed.toSorted());
    });
  });

  describe("sending again over HTTP (R-X280, R-X281)", () => {
    it("is refused where there is no endpoint", async () => {
      const { subscription } = await subscribe();
      const { deliveryId } = await trigger(subscription.id);
      const answer = await api.ask("POST", `/v1/webhooks/deliveries/${deliveryId}/resend`, { secret: api.mine.secret });
      expect(codeOf(answer)).toEqual([409, "subscription_pull_only"]);
    });

    it("is refused for a client that is not of the integration's, by its place (R-X298)", async () => {
      const { subscription } = await subscribe();
      const from = new Date(api.clock.now().getTime() - 60_000).toISOString();
      const clientIds = [api.mine.tenantId, api.theirs.tenantId, "client_AAAAAAAAAAAAAAAAAAAAA"];
      const json = { subscriptionId: subscription.id, from, clientIds, eventTypes: ["x.y"] };
      const answer = await api.ask("POST", "/v1/webhooks/recoveries", { secret: api.mine.secret, json });
      const pointers = answer.json<{ errors: { name: string }[] }>().errors.map(({ name }) => name);
      expect([answer.status, pointers]).toEqual([400, ["/clientIds/1", "/clientIds/2", "/eventTypes/0"]]);
    });

    const failed = async () => {
      const { subscription } = await subscribe();
      const { id } = subscription;
      await api.workforce.raw(
        `update webhooks_subscriptions set endpoint_url = 'https://hooks.example/in' where id = '${id}'`,
      );
      await api.mineOf("POST", `${PATH}/${id}/pause`);
      const { deliveryId } = await trigger(id);
      return { id, deliveryId };
    };

    it("is refused while the subscription is paused, then makes a second round", async () => {
      const { id, deliveryId } = await failed();
      const resend = () => api.ask("POST", `/v1/webhooks/deliveries/${deliveryId}/resend`, { secret: api.mine.secret });
      expect(codeOf(await resend())).toEqual([409, "subscription_paused"]);
      await api.mineOf("POST", `${PATH}/${id}/resume`);
      const answer = await resend();
      expect([answer.status, answer.json()]).toEqual([202, { deliveryId, round: 2 }]);
      expect(codeOf(await resend())).toEqual([409, "delivery_pending"]);
      const foreign = await api.ask("POST", `/v1/webhooks/deliveries/${deliveryId}/resend`, {
        secret: api.theirs.secret,
      });
      expect(codeOf(foreign)).toEqual([404, "delivery_not_found"]);
    });

    it("of a time range is a recovery, which is listed, paused, resumed and cancelled; another's is not found", async () => {
      const { id } = await failed();
      await api.mineOf("POST", `${PATH}/${id}/resume`);
      const from = new Date(api.clock.now().getTime() - 60_000).toISOString();
      api.clock.step(1_000);
      const started = await api.ask("POST", "/v1/webhooks/recoveries", {
        secret: api.mine.secret,
        json: { subscriptionId: id, from },
      });
      expect(started.status).toBe(201);
      const recovery = started.json<{ id: string }>();
      expect(recovery).toMatchObject({ subscriptionId: id, state: "running", states: ["exhausted", "skipped"] });
      const again = await api.ask("POST", "/v1/webhooks/recoveries", {
        secret: api.mine.secret,
        json: { subscriptionId: id, from },
      });
      expect(codeOf(again)).toEqual([409, "recovery_not_over"]);
      const at = `/v1/webhooks/recoveries/${recovery.id}`;
      expect(started.headers.get("location")).toBe(`https://gateway.example.com${at}`);
      const states = [];
      for (const verb of ["pause", "resume", "cancel"])
        states.push((await api.mineOf<{ state: string }>("POST", `${at}/${verb}`)).state);
      expect(states).toEqual(["paused", "running", "cancelled"]);
      expect(codeOf(await api.ask("POST", `${at}/resume`, { secret: api.mine.secret }))).toEqual([
        409,
        "recovery_cancelled",
      ]);
      const { data } = await api.mineOf<{ data: object[] }>("GET", `/v1/webhooks/recoveries?subscriptionId=${id}`);
      expect(data).toEqual([await api.mineOf("GET", at)]);
      for (const [method, path] of [
        ["GET", at],
        ["POST", `${at}/pause`],
        ["POST", `${at}/resume`],
        ["POST", `${at}/cancel`],
      ] as const)
        expect(codeOf(await api.ask(method, path, { secret: api.theirs.secret }))).toEqual([404, "recovery_not_found"]);
      const theirs = await api.ask("GET", "/v1/webhooks/recoveries", { secret: api.theirs.secret });
      expect(theirs.json<{ data: object[] }>().data).toEqual([]);
    });

    it("of all subscriptions is a recovery of each; the others are named with the reason (R-X360)", async () => {
      const { id: paused } = await failed();
      const { id: running } = await failed();
      await api.mineOf("POST", `${PATH}/${running}/resume`);
      const from = new Date(api.clock.now().getTime() - 60_000).toISOString();
      api.clock.step(1_000);
      const json = { from, states: ["skipped"], clientIds: [api.mine.tenantId] };
      const startAll = (more: object = {}, secret = api.mine.secret) =>
        api.ask("POST", "/v1/webhooks/subscription-recoveries", { secret, json: { ...json, ...more } });
      type Answer = { started: { id: string; subscriptionId: string }[]; notStarted: { subscriptionId: string }[] };
      const answer = await startAll();
      const { started, notStarted } = answer.json<Answer>();
      expect(answer.status).toBe(201);
      expect(started.find(({ subscriptionId }) => subscriptionId === running)).toMatchObject({
        ...{ state: "running", states: ["skipped"], clientIds: [api.mine.tenantId] },
      });
      expect(notStarted.find(({ subscriptionId }) => subscriptionId === paused)).toEqual({
        subscriptionId: paused,
        reason: "subscription_paused",
        detail: "The subscription is paused. Resume it first.",
      });
      const again = (await startAll()).json<Answer>();
      expect(again.started).toEqual([]);
      expect(again.notStarted).toContainEqual(
        expect.objectContaining({ subscriptionId: running, reason: "recovery_not_over" }),
      );
      const theirs = (await startAll({ clientIds: [] }, api.theirs.secret)).json<Answer>();
      expect([theirs.started, theirs.notStarted]).toEqual([[], []]);
      for (const { id } of started) await api.mineOf("POST", `/v1/webhooks/recoveries/${id}/cancel`);
    });

    it("of all subscriptions, of more than a hundred, goes on at a cursor of its own (R-X360)", async () => {
      const instanceId = await api.workforce.instance("Many");
      const { integrationId, connectionId: instanceIntegrationId } = await api.workforce.integration(instanceId);
      const { secret } = await api.key(integrationId, [ApiKeyScope.WEBHOOKS]);
      const of = { ...api.mine, integrationId, instanceIntegrationId, secret };
      const ids: string[] = [];
      for (let count = 0; count < 100; count++) ids.push(await api.subscribe(of));
      // An integration makes a hundred itself; operators make more.
      const { subscription } = await api.kit.operator.createSubscription({
        ...{ label: "one-more", instanceIntegrationId, endpointUrl: "", eventTypes: ["*"], tenantIds: [] },
      });
      ids.push(there(subscription).id);
      const from = new Date(api.clock.now().getTime() - 60_000).toISOString();
      const ask = (cursor: string | undefined, by = secret) =>
        api.ask("POST", "/v1/webhooks/subscription-recoveries", { secret: by, json: { from, cursor } });
      type Part = { notStarted: { subscriptionId: string }[]; next?: string };
      const first = (await ask(undefined)).json<Part>();
      const second = (await ask(first.next)).json<Part>();
      const named = [...first.notStarted, ...second.notStarted].map(({ subscriptionId }) => subscriptionId);
      expect([first.notStarted.length, second.notStarted.length, second.next]).toEqual([100, 1, undefined]);
      expect(named.toSorted()).toEqual(ids.toSorted());
      for (const [cursor, by] of [
        [first.next, api.mine.secret],
        ["x", secret],
      ]) {
        const refused = await ask(cursor, by);
        const parts = refused.json<{ errors: object[] }>().errors;
        expect([refused.status, parts]).toMatchObject([400, [{ in: "body", name: "/cursor" }]]);
      }
    });

    it.each([
      ["a range of 32 days", { from: "2026-05-01T00:00:00Z", to: "2026-06-02T00:00:00Z" }, "/from"],
      ["a range that ends before it begins", { from: "2026-05-02T00:00:00Z", to: "2026-05-01T00:00:00Z" }, "/from"],
      [
        "an unknown type",
        { from: "2026-05-01T00:00:00Z", to: "2026-05-02T00:00:00Z", eventTypes: ["x"] },
        "/eventTypes/0",
      ],
      ["a time that is none", { from: "yesterday" }, "/from"],
      ["a leap second, which no clock of ours has", { from: "2026-06-30T23:59:60Z" }, "/from"],
      ["a time whose offset has no colon (RFC 3339 §5.6)", { from: "2026-06-30T09:00:00+0200" }, "/from"],
      [
        "a time whose year in UTC is none of RFC 3339, and would be shown by the answer",
        { from: "0000-01-01T00:00:00+14:00", to: "0000-01-10T00:00:00Z" },
        "/from",
      ],
      ["a state that cannot be recovered", { from: "2026-05-01T00:00:00Z", states: ["delivered"] }, "/states/0"],
    ])("refuses %s by a pointer", async (__, json, name) => {
      const { subscription } = await subscribe();
      const answer = await api.ask("POST", "/v1/webhooks/recoveries", {
        secret: api.mine.secret,
        json: { subscriptionId: subscription.id, ...json },
      });
      const named = answer.json<{ errors: { name: string }[] }>().errors.map((part) => part.name);
      expect([answer.status, named]).toEqual([400, [name]]);
    });
  });

  describe("test events over HTTP (R-X317)", () => {
    it.each([...EVENT_TYPES])("%s keeps the contract", async (type) => {
      // By its name, since `*` leaves operational events out.
      const { subscription } = await subscribe({ eventTypes: [type] });
      await trigger(subscription.id, type);
      const { data } = await api.mineOf<FeedPage>("GET", `${PATH}/${subscription.id}/events`);
      const { headers, body } = there(data[0]);
      expect(
        eventDepartures({ headers: { ...headers, "user-agent": "Gatehouse/1.2.3" }, body: Buffer.from(body) }),
      ).toEqual([]);
    });

    it("of a type that the subscription does not ask for are refused", async () => {
      const { subscription } = await subscribe({ eventTypes: ["worker.*"] });
      const json = { type: "user.updated" };
      const answer = await api.ask("POST", `${PATH}/${subscription.id}/test-events`, { secret: api.mine.secret, json });
      expect(codeOf(answer)).toEqual([409, "event_type_not_subscribed"]);
    });

    it("of an unknown type are refused by a pointer", async () => {
      const { subscription } = await subscribe();
      const json = { type: "user.exploded" };
      const answer = await api.ask("POST", `${PATH}/${subscription.id}/test-events`, { secret: api.mine.secret, json });
      expect([answer.status, answer.json<{ errors: object[] }>().errors]).toEqual([
        400,
        [expect.objectContaining({ in: "body", name: "/type" })],
      ]);
    });
  });
});
