import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import type { CallInit } from "../../support/http.ts";
import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";
const FORM = /^"[A-Za-z0-9_-]{22}"$/;

/** Each write of a subscription: method, what follows its address, the body. */
const WRITES = [
  ["PATCH", "", { description: "of a writer" }],
  ["POST", "/pause", undefined],
  ["POST", "/resume", undefined],
  ["POST", "/enable", undefined],
  ["POST", "/ping", undefined],
  ["POST", "/secrets", {}],
  ["DELETE", "/secrets/1", undefined],
  ["DELETE", "", undefined],
] as const;

eachStore((_, open) => {
  describe("the entity tag of a subscription (R-X423)", () => {
    let api: IntegratorApi;
    let id: string;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
      id = await api.subscribe();
    });
    afterEach(() => api.gateway.stop());

    const ask = (method: string, behind: string, init: Pick<CallInit, "json" | "headers"> = {}) =>
      api.ask(method, `${PATH}/${id}${behind}`, { secret: api.mine.secret, ...init });
    const tagOf = async (headers: Record<string, string> = {}) =>
      (await ask("GET", "", { headers })).headers.get("etag") ?? "";
    const patch = (ifMatch: string, json: object) => ask("PATCH", "", { json, headers: { "if-match": ifMatch } });

    it("is in each answer that shows it, and the same there", async () => {
      const json = { instanceIntegrationId: api.mine.instanceIntegrationId, eventTypes: ["*"], asymmetric: true };
      const headers = { extraHeaders: [{ name: "x-a", value: "1" }], endpointUrl: "https://hooks.example/in" };
      const made = await api.ask("POST", PATH, { secret: api.mine.secret, json: { ...json, ...headers } });
      ({ id } = made.json<{ subscription: { id: string } }>().subscription);
      const answers = [made.headers.get("etag"), await tagOf()];
      for (const [method, behind, body] of [
        ["PATCH", "", { description: "x", extraHeaders: [{ name: "x-a", value: "2" }] }],
        ["POST", "/pause", undefined],
        ["POST", "/resume", undefined],
        ["POST", "/enable", undefined],
      ] as const) {
        const answer = await ask(method, behind, body && { json: body });
        answers.push(answer.headers.get("etag"), await tagOf());
      }
      expect(answers).toEqual(answers.map(() => expect.stringMatching(FORM)));
      expect(answers.filter((__, at) => at % 2 === 0)).toEqual(answers.filter((__, at) => at % 2 === 1));
      const list = await api.mineOf<{ data: object[] }>("GET", PATH);
      expect(list.data.map((one) => Object.keys(one).includes("entityTag"))).toEqual([false, false]);
    });

    it("changes with all that a read shows, with a header's value and with a new secret, though the clock shows the same", async () => {
      const tags = [await tagOf()];
      const afterwards = async (change: () => Promise<unknown>) => {
        await change();
        tags.push(await tagOf());
      };
      const change = (json: object) => afterwards(() => api.mineOf("PATCH", `${PATH}/${id}`, json));
      await change({ description: "x" });
      await change({ eventTypes: ["user.*"] });
      await change({ clientIds: [api.mine.tenantId] });
      await change({ extraHeaders: [{ name: "x-a", value: "1" }] });
      await change({ extraHeaders: [{ name: "x-a", value: "2" }] });
      await change({ endpointUrl: "https://hooks.example/in", extraHeaders: [] });
      await afterwards(() => api.mineOf("POST", `${PATH}/${id}/pause`));
      // What is as it was before, at the same instant, has the same tag.
      api.clock.step(1);
      await afterwards(() => api.mineOf("POST", `${PATH}/${id}/resume`));
      await afterwards(() => api.mineOf("POST", `${PATH}/${id}/secrets`, {}));
      await afterwards(() => api.kit.subscriptions.pauseSubscription({ subscriptionId: id }));
      await afterwards(() =>
        api.workforce.raw(`update webhooks_subscriptions set state = 'disabled', phase = null,
        state_reason = 'gone' where id = '${id}'`),
      );
      expect(new Set(tags).size).toBe(tags.length);
    });

    it("stays while nothing changes: a change without a difference, a test event, a secret that ends", async () => {
      await api.mineOf("POST", `${PATH}/${id}/secrets`, {});
      const tag = await tagOf();
      await api.mineOf("PATCH", `${PATH}/${id}`, { description: "" });
      await api.mineOf("POST", `${PATH}/${id}/test-events`, { type: "user.updated" });
      await api.mineOf("DELETE", `${PATH}/${id}/secrets/1`);
      api.clock.step(1_000);
      expect(await tagOf()).toBe(tag);
    });

    it("is another one for each subscription, and one for every key of the integration", async () => {
      const tag = await tagOf();
      const second = await api.key(api.mine.integrationId, [ApiKeyScope.WEBHOOKS], "second");
      const shown = await api.ask("GET", `${PATH}/${id}`, { secret: second.secret });
      expect(shown.headers.get("etag")).toBe(tag);
      id = await api.subscribe();
      expect(await tagOf()).not.toBe(tag);
    });

    it.each(WRITES)("%s …%s is not done where If-Match names another tag", async (method, behind, json) => {
      const before = await ask("GET", "");
      const secrets = await ask("GET", "/secrets");
      const entries = await api.audit(id);
      const tag = before.headers.get("etag") ?? "";
      for (const condition of ['"another"', `W/${tag}`, "", tag.replaceAll('"', ""), tag.slice(0, -2)]) {
        const answer = await ask(method, behind, { ...(json && { json }), headers: { "if-match": condition } });
        expect([answer.status, answer.json()]).toEqual([
          412,
          expect.objectContaining({
            code: "precondition_failed",
            detail: "The subscription has none of the entity tags in If-Match.",
          }),
        ]);
        expect([answer.headers.get("etag"), answer.headers.get("cache-control")]).toEqual([null, "no-store"]);
      }
      const after = await ask("GET", "");
      expect([after.text, after.headers.get("etag")]).toEqual([before.text, tag]);
      expect([(await ask("GET", "/secrets")).text, await api.audit(id)]).toEqual([secrets.text, entries]);
    });

    it.each(WRITES)("%s …%s is answered as without it where If-Match names the tag", async (method, behind, json) => {
      const twins = [await api.subscribe(), await api.subscribe(), await api.subscribe(), await api.subscribe()];
      const statuses: number[] = [];
      const conditions = [undefined, (tag: string) => tag, (tag: string) => `"x", ${tag}`, () => "*"];
      for (const [at, condition] of conditions.entries()) {
        id = twins[at] ?? "";
        const headers = condition === undefined ? {} : { "if-match": condition(await tagOf()) };
        statuses.push((await ask(method, behind, { ...(json && { json }), headers })).status);
      }
      expect(new Set(statuses).size).toBe(1);
      expect(statuses).not.toContain(412);
    });

    it("lets one of many parallel writers with one tag succeed, and the tag of its answer goes on", async () => {
      const tag = await tagOf();
      const answers = await Promise.all(Array.from({ length: 8 }, (__, at) => patch(tag, { description: `${at}` })));
      expect(answers.map(({ status }) => status).toSorted()).toEqual([200, ...Array(7).fill(412)]);
      const [won] = answers.filter(({ status }) => status === 200);
      expect((await ask("GET", "")).json()).toEqual(won?.json());
      expect((await patch(won?.headers.get("etag") ?? "", { description: "next" })).status).toBe(200);
      expect((await patch(tag, { description: "late" })).status).toBe(412);
    });

    it("makes one new secret of many parallel requests with one tag", async () => {
      const headers = { "if-match": await tagOf() };
      const asked = Array.from({ length: 4 }, () => ask("POST", "/secrets", { json: {}, headers }));
      const statuses = (await Promise.all(asked)).map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([201, 412, 412, 412]);
    });

    it("does not let a writer undo what the operator did meanwhile", async () => {
      const tag = await tagOf();
      await api.kit.subscriptions.pauseSubscription({ subscriptionId: id });
      expect((await ask("POST", "/resume", { headers: { "if-match": tag } })).status).toBe(412);
      expect((await ask("GET", "")).json()).toMatchObject({ state: "paused" });
    });

    it("is compared after the key, the request and the address are checked", async () => {
      const headers = { "if-match": '"another"' };
      const [foreign, unknown] = [
        await api.ask("PATCH", `${PATH}/${id}`, { secret: api.theirs.secret, headers, json: { description: "x" } }),
        await api.ask("DELETE", `${PATH}/subscription_AAAAAAAAAAAAAAAAAAAAA`, { secret: api.mine.secret, headers }),
      ];
      expect([foreign.status, unknown.status]).toEqual([404, 404]);
      expect((await api.ask("PATCH", `${PATH}/${id}`, { headers, json: {} })).status).toBe(401);
      expect((await ask("PATCH", "", { headers, json: { foo: 1 } })).status).toBe(400);
      expect((await ask("DELETE", "", { headers: { "if-match": await tagOf() } })).status).toBe(204);
      expect((await ask("DELETE", "", { headers: { "if-match": "*" } })).status).toBe(404);
    });

    it("answers a read with 304, or with 412, as its conditions say", async () => {
      const tag = await tagOf();
      const get = async (headers: Record<string, string>, method = "GET") => {
        const answer = await ask(method, "", { headers });
        return [answer.status, answer.headers.get("etag"), answer.text === ""];
      };
      for (const condition of [tag, `W/${tag}`, `"x", ${tag}`, "*"])
        expect(await get({ "if-none-match": condition })).toEqual([304, tag, true]);
      expect(await get({ "if-none-match": '"x"' })).toEqual([200, tag, false]);
      expect(await get({ "if-match": tag })).toEqual([200, tag, false]);
      expect(await get({ "if-match": tag, "if-none-match": tag })).toEqual([304, tag, true]);
      for (const condition of ['"x"', `W/${tag}`, ""])
        expect(await get({ "if-match": condition, "if-none-match": tag })).toEqual([412, null, false]);
      expect(await get({ "if-match": '"x"' }, "HEAD")).toEqual([412, null, true]);
    });

    it("has a form for each coding, and each of them is good for a write", async () => {
      // Long enough to be compressed.
      const eventTypes = JSON.stringify(Array.from({ length: 100 }, () => "organization_unit_type.created"));
      await api.workforce.raw(`update webhooks_subscriptions set event_types = '${eventTypes}' where id = '${id}'`);
      const plain = await tagOf({ "accept-encoding": "identity" });
      const packed = await tagOf({ "accept-encoding": "br" });
      expect(packed).toBe(`${plain.slice(0, -1)}-br"`);
      const unchanged = await ask("GET", "", { headers: { "accept-encoding": "gzip", "if-none-match": packed } });
      expect([unchanged.status, unchanged.headers.get("etag")]).toEqual([304, packed]);
      expect((await ask("GET", "", { headers: { "accept-encoding": "br", "if-match": plain } })).status).toBe(412);
      expect((await patch(packed, { description: "y" })).status).toBe(200);
    });
  });
});
