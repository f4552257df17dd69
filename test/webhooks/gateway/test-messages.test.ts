import { Webhook } from "standardwebhooks";
import { EVENT_TYPES } from "../../../generated/event-types.ts";
import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { eventDepartures } from "../../support/event-contract.ts";
import { eachStore } from "../../support/stores.ts";
import { there } from "../../workforce/workforce-fixture.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

interface Message {
  readonly id: string;
  readonly type: string;
  readonly body: string;
  readonly signed: readonly Readonly<Record<string, string>>[];
}

const idsIn = (text: string): readonly string[] => text.match(/\b[a-z]+_[A-Za-z0-9]{21}\b/g) ?? [];

eachStore((_, open) => {
  describe("signed test messages over HTTP (R-X362)", () => {
    let api: IntegratorApi;
    let path: string;
    let secret: string;
    beforeAll(async () => {
      api = await openIntegratorApi(open);
    });
    afterAll(() => api.gateway.stop());
    beforeEach(async () => {
      api.clock.step(60_000);
      const { instanceIntegrationId } = api.mine;
      const made = await api.mineOf<{ signingSecret: string; subscription: { id: string } }>(
        "POST",
        "/v1/webhooks/subscriptions",
        { instanceIntegrationId, eventTypes: ["worker.*"] },
      );
      secret = made.signingSecret;
      path = `/v1/webhooks/subscriptions/${made.subscription.id}`;
    });
    afterEach(() => api.ask("DELETE", path, { secret: api.mine.secret }));

    const ask = (messages: readonly object[], more: { readonly secret?: string } = {}) =>
      api.ask("POST", `${path}/test-messages`, { secret: api.mine.secret, ...more, json: { messages } });
    const sign = async (...messages: readonly object[]): Promise<readonly Message[]> => {
      const answer = await ask(messages);
      expect(answer.status).toBe(200);
      return answer.json<{ data: Message[] }>().data;
    };
    const nowSeconds = () => Math.floor(api.clock.now().getTime() / 1_000);

    it.each(EVENT_TYPES)("%s keeps the contract, and verifies by the subscription's secret", async (type) => {
      const [message] = await sign({ type, signedSecondsFromNow: [0, -360, 360] });
      const { id, body, signed } = there(message);
      for (const [index, fromNow] of [0, -360, 360].entries()) {
        const headers = there(signed[index]);
        const timestamp = nowSeconds() + fromNow;
        expect(headers).toEqual({
          "content-type": "application/json",
          "webhook-id": id,
          "webhook-timestamp": `${timestamp}`,
          "webhook-signature": new Webhook(secret).sign(id, new Date(timestamp * 1_000), body),
        });
        const sent = { ...headers, "user-agent": "Gatehouse/1.2.3" };
        expect(eventDepartures({ headers: sent, body: Buffer.from(body) })).toEqual([]);
      }
      expect(JSON.parse(body)).toMatchObject({ id, type, test: true, occurredAt: api.clock.now().toISOString() });
    });

    it("are not sent, not stored, and not in the feed; the audit log says how many", async () => {
      await sign({ type: "user.created" }, { type: "user.updated" });
      const [, , , subscriptionId] = path.split("/").slice(1);
      expect((await api.mineOf<{ data: object[] }>("GET", `${path}/events`)).data).toEqual([]);
      expect((await api.mineOf<{ data: object[] }>("GET", "/v1/webhooks/deliveries")).data).toEqual([]);
      expect((await api.audit(there(subscriptionId))).at(-1)).toEqual({
        actor: expect.stringMatching(/^integration:/),
        action: "subscription.signTestMessages",
      });
      expect((await api.kit.audit()).at(-1)).toMatchObject({ facts: JSON.stringify({ messages: 2 }) });
    });

    it("of a type that there is not has the content of client.created, and an unknown member where one is asked for", async () => {
      const [message] = await sign({ type: "user.greeted", unknownMember: true });
      expect(JSON.parse(there(message).body)).toMatchObject({
        ...{ type: "user.greeted", test: true, entity: { type: "client" } },
        tide: { height: 2.5 },
      });
    });

    it("written with line breaks and an escape is the same event, and has its own signature", async () => {
      const [message] = await sign({ type: "user.created", layout: "spread" });
      const { id, body, signed } = there(message);
      expect(body).toContain('"type": "\\u0075ser.created"');
      expect(body.split("\n").length).toBeGreaterThan(10);
      expect(JSON.parse(body)).toMatchObject({ id, type: "user.created", test: true });
      expect(there(signed[0])["webhook-signature"]).toBe(
        new Webhook(secret).sign(id, new Date(nowSeconds() * 1_000), body),
      );
    });

    it("have new ids of the kinds that are asked for, the same in all; and otherwise the example's", async () => {
      const newIds = ["client", "user"];
      const [client, user, plain, again] = await sign(
        { type: "client.created", newIds },
        { type: "user.created", newIds },
        { type: "user.created" },
        { type: "user.updated", newIds: ["user"] },
      );
      const data = (message: Message | undefined) => JSON.parse(there(message).body).data;
      expect(data(user).clientId).toBe(data(client).clientId);
      expect(data(user).links.self).toContain(`${data(client).clientId}/users/${data(user).userId}`);
      expect(idsIn(there(plain).body)).not.toEqual(expect.arrayContaining([data(user).userId]));
      expect(data(plain).clientId).not.toBe(data(client).clientId);
      expect([data(again).userId, data(again).clientId]).toEqual([data(user).userId, data(plain).clientId]);
      const [next] = await sign({ type: "user.created", newIds });
      expect(data(next).userId).not.toBe(data(user).userId);
    });

    it("that happened before are older by time and sequence", async () => {
      const [now, before] = await sign({ type: "user.updated" }, { type: "user.updated", occurredSecondsAgo: 60 });
      const [newer, older] = [now, before].map((message) => JSON.parse(there(message).body));
      expect(Date.parse(newer.occurredAt) - Date.parse(older.occurredAt)).toBe(60_000);
      expect(older.sequence).toBeLessThan(newer.sequence);
    });

    it.each([
      ["none", [], "/messages"],
      ["more than a hundred", Array.from({ length: 101 }, () => ({ type: "user.created" })), "/messages"],
      ["a ping", [{ type: "webhook.ping" }], "/messages/0/type"],
      ["a type with nothing between full stops", [{ type: "user..created" }], "/messages/0/type"],
      ["a type that cannot be one", [{ type: "User created" }], "/messages/0/type"],
      ["content of the caller's", [{ type: "user.created", data: { userId: "x" } }], "/messages/0/data"],
      ["an id of the caller's", [{ type: "user.created", id: "event_8WcHn3GvKp6YtJ1XsB4Zq" }], "/messages/0/id"],
      ["no mark of a test", [{ type: "user.created", test: false }], "/messages/0/test"],
      [
        "an instant too far away",
        [{ type: "user.created", signedSecondsFromNow: [601] }],
        "/messages/0/signedSecondsFromNow/0",
      ],
      ["a kind that is none", [{ type: "user.created", newIds: ["person"] }], "/messages/0/newIds/0"],
    ])("refuses %s by a pointer", async (__, messages, name) => {
      const answer = await ask(messages);
      const named = answer.json<{ errors: { name: string }[] }>().errors.map((part) => part.name);
      expect([answer.status, named]).toEqual([400, [name]]);
    });

    it("is not for a key without the scope, nor for another integration", async () => {
      const { secret: reading } = await api.key(api.mine.integrationId, [ApiKeyScope.READ], "reads");
      const codes = [];
      for (const by of [reading, api.theirs.secret]) {
        const answer = await ask([{ type: "user.created" }], { secret: by });
        codes.push([answer.status, answer.json<{ code: string }>().code]);
      }
      expect(codes).toEqual([
        [403, "scope_missing"],
        [404, "subscription_not_found"],
      ]);
    });

    it("is counted by messages: a thousand in a minute, then 429 with the time to wait", async () => {
      const hundred = Array.from({ length: 100 }, () => ({ type: "user.created" }));
      for (let count = 0; count < 10; count++) await sign(...hundred);
      const answer = await ask([{ type: "user.created" }]);
      expect([answer.status, answer.headers.get("retry-after")]).toEqual([429, expect.stringMatching(/^\d+$/)]);
      api.clock.step(60_000);
      await sign({ type: "user.created" });
    });

    it("signs with every secret and key pair that signs now", async () => {
      await api.mineOf("POST", `${path}/secrets`, { overlapSeconds: 3_600 });
      const [message] = await sign({ type: "user.created" });
      expect(there(there(message).signed[0])["webhook-signature"]?.split(" ")).toHaveLength(2);
    });
  });
});
