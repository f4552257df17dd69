import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { eachStore } from "../../support/stores.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/subscriptions";

interface Shown {
  readonly id: string;
  readonly state: string;
  readonly endpointUrl?: string;
}

interface Page {
  readonly data: readonly Shown[];
  readonly next?: string;
}

eachStore((_, open) => {
  describe("subscriptions in an integration's own hands (R-X296)", () => {
    let api: IntegratorApi;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
    });
    afterEach(() => api.gateway.stop());

    const post = (json: object, secret = api.mine.secret) => api.ask("POST", PATH, { secret, json });
    const wanted = (more: object = {}) => ({
      instanceIntegrationId: api.mine.instanceIntegrationId,
      endpointUrl: "https://hooks.example/in",
      eventTypes: ["user.*"],
      ...more,
    });
    const errorsOf = (answer: Awaited<ReturnType<typeof post>>) => [
      answer.status,
      answer.json<{ errors?: { in: string; name: string }[] }>().errors?.map((one) => `${one.in} ${one.name}`),
    ];

    it("are created pending with an endpoint, and their secret is in that answer alone (S49, W19)", async () => {
      const answer = await post(wanted({ clientIds: [api.mine.tenantId], description: "Payroll" }));
      expect(answer.status).toBe(201);
      const { subscription, signingSecret } = answer.json<{ subscription: Shown; signingSecret: string }>();
      expect(subscription).toMatchObject({
        ...{ state: "pending", endpointUrl: "https://hooks.example/in", eventTypes: ["user.*"] },
        ...{ clientIds: [api.mine.tenantId], description: "Payroll", extraHeaders: [] },
      });
      expect(signingSecret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      const shown = await api.ask("GET", `${PATH}/${subscription.id}`, { secret: api.mine.secret });
      expect([shown.status, shown.text.includes(signingSecret)]).toEqual([200, false]);
      expect(shown.json()).toEqual(subscription);
    });

    it("are read at the address that their creation names (R-X296, RFC 9110 §15.3.2)", async () => {
      const answer = await post(wanted({ endpointUrl: undefined }));
      const { subscription } = answer.json<{ subscription: Shown }>();
      const location = answer.headers.get("location") ?? "";
      const { origin, pathname } = new URL(location);
      expect([origin, pathname]).toEqual(["https://gateway.example.com", `${PATH}/${subscription.id}`]);
      expect(await api.mineOf("GET", pathname)).toEqual(subscription);
    });

    it("without an endpoint are active at once, and have none in their answers", async () => {
      const id = await api.subscribe();
      const shown = await api.mineOf<Shown>("GET", `${PATH}/${id}`);
      expect([shown.state, "endpointUrl" in shown]).toEqual(["active", false]);
    });

    it("get a label that says nothing about those of others (R-X301)", async () => {
      const { subscription } = (await post(wanted())).json<{ subscription: { label: string } }>();
      expect(subscription.label).toMatch(/^api-[a-z0-9]{16}$/);
    });

    it.each([
      ["another scheme", { endpointUrl: "ftp://hooks.example/" }, "body /endpointUrl"],
      ["a user name", { endpointUrl: "https://user@hooks.example/" }, "body /endpointUrl"],
      ["a name with an empty part (R-X357)", { endpointUrl: "https://hooks..example/" }, "body /endpointUrl"],
      ["a private address", { endpointUrl: "https://10.0.0.1/" }, "body /endpointUrl"],
      ["a metadata address as a number", { endpointUrl: "https://2852039166/" }, "body /endpointUrl"],
      ["a mapped address", { endpointUrl: "https://[::ffff:10.0.0.1]/" }, "body /endpointUrl"],
      ["an unknown type", { eventTypes: ["user.*", "user.exploded"] }, "body /eventTypes/1"],
      ["no type", { eventTypes: [] }, "body /eventTypes"],
      ["a reserved header", { extraHeaders: [{ name: "Host", value: "x" }] }, "body /extraHeaders/0/name"],
      ["a header of the standard", { extraHeaders: [{ name: "webhook-id", value: "x" }] }, "body /extraHeaders/0/name"],
      [
        "a line break in a value",
        { extraHeaders: [{ name: "x-a", value: "a\r\nb: c" }] },
        "body /extraHeaders/0/value",
      ],
      ["a secret of another form", { signingSecret: "whsec_short" }, "body /signingSecret"],
      ["a client of another kind", { clientIds: ["user_AAAAAAAAAAAAAAAAAAAAA"] }, "body /clientIds/0"],
      ["a member that is none", { endpoint: "x" }, "body /endpoint"],
      ["a description of two lines", { description: "two\u2028lines" }, "body /description"],
      ["a description that turns the direction", { description: "a\u202eb" }, "body /description"],
    ])("refuse %s by a pointer, and nothing is made", async (__, more, pointer) => {
      expect(errorsOf(await post(wanted(more)))).toEqual([400, [pointer]]);
      expect((await api.mineOf<Page>("GET", PATH)).data).toEqual([]);
    });

    it("name clients of their instance; another one and one that there is not are refused alike (R-X354)", async () => {
      const clientIds = [api.mine.tenantId, api.theirs.tenantId, "client_AAAAAAAAAAAAAAAAAAAAA"];
      const id = await api.subscribe();
      const refused = [
        await post(wanted({ clientIds })),
        await api.ask("PATCH", `${PATH}/${id}`, { secret: api.mine.secret, json: { clientIds } }),
      ];
      expect(refused.map((answer) => answer.json<{ errors: object[] }>().errors)).toEqual(
        Array(2).fill(
          ["/clientIds/1", "/clientIds/2"].map((name) => ({
            ...{ in: "body", name, detail: "must be one of the subscription's instance" },
          })),
        ),
      );
      expect(await api.mineOf<Page>("GET", PATH)).toMatchObject({ data: [{ id, clientIds: [] }] });
    });

    it("names every wrong part of a body at once (R-G1)", async () => {
      const answer = await post({
        ...{ instanceIntegrationId: 1, eventTypes: 1, description: 3, foo: 1 },
        extraHeaders: [{ name: "x-a", value: "b", zip: 1 }],
      });
      const [status, parts] = errorsOf(answer) as [number, readonly string[]];
      expect([status, parts.toSorted()]).toEqual([
        400,
        [
          ...["body /description", "body /eventTypes", "body /extraHeaders/0/zip", "body /foo"],
          "body /instanceIntegrationId",
        ],
      ]);
    });

    it.each([
      ["\u{1f600}".repeat(200)],
      ["Team \u{1f469}\u200d\u{1f4bb}"],
      ["\u0645\u06cc\u200c\u062e\u0648\u0627\u0647\u0645"],
    ])("take the description %j as it is: length is in characters", async (description) => {
      const answer = await post(wanted({ description }));
      expect([answer.status, answer.json<{ subscription: Shown }>().subscription]).toMatchObject([
        201,
        { description },
      ]);
    });

    it("answer a body of another media type with 415 (S14)", async () => {
      const answer = await api.ask("POST", PATH, {
        secret: api.mine.secret,
        body: JSON.stringify(wanted()),
        headers: { "content-type": "text/plain" },
      });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([415, "unsupported_media_type"]);
      expect(errorsOf(await api.ask("POST", PATH, { secret: api.mine.secret }))).toEqual([
        400,
        ["header content-type"],
      ]);
      expect((await api.mineOf<Page>("GET", PATH)).data).toEqual([]);
    });

    it.each(["br", "gzip"])(
      "are listed in %s where the list is long, and never sent so with a secret (R-X62)",
      async (coding) => {
        // Whoever rejects identity gets short answers compressed too, so length does not matter here.
        const headers = { "accept-encoding": `${coding}, identity;q=0` };
        const { secret } = api.mine;
        const made = await api.ask("POST", PATH, { secret, headers, json: wanted() });
        const { id } = made.json<{ subscription: Shown }>().subscription;
        const rotated = await api.ask("POST", `${PATH}/${id}/secrets`, { secret, headers, json: {} });
        for (let more = 0; more < 9; more++) await post(wanted({ description: "x".repeat(200) }));
        const list = await api.ask("GET", PATH, { secret, headers: { "accept-encoding": coding } });
        const same = await api.ask("GET", PATH, { secret });
        expect([made, rotated, list, same].map((one) => [one.status, one.headers.get("content-encoding")])).toEqual([
          [201, null],
          [201, null],
          [200, coding],
          [200, null],
        ]);
        expect([made, rotated].map(({ text }) => text.includes("whsec_"))).toEqual([true, true]);
        expect(list.headers.get("vary")).toBe("x-api-key, Accept-Encoding");
        expect(list.text).toBe(same.text);
      },
    );

    it.each([
      ["file:///etc/passwd"],
      ["https://0xa.1/"],
      ["https://10.1/"],
      ["https://2852039166/"],
      ["https://[::ffff:10.0.0.1]/"],
      ["https://[fe80::1]/"],
      ["https://good.example@10.0.0.1/"],
      ["https://hooks.example/#x"],
      ["https://hooks..example/"],
      [""],
    ])("refuse the endpoint %j in a change too, and stay as they are (S44)", async (endpointUrl) => {
      const id = await api.subscribe();
      const before = await api.mineOf<Shown>("GET", `${PATH}/${id}`);
      const answer = await api.ask("PATCH", `${PATH}/${id}`, {
        secret: api.mine.secret,
        json: { endpointUrl, description: "y" },
      });
      expect(errorsOf(answer)).toEqual([400, ["body /endpointUrl"]]);
      expect(await api.mineOf<Shown>("GET", `${PATH}/${id}`)).toEqual(before);
    });

    it("are of an instance integration that belongs to the key; any other does not exist (R-G3)", async () => {
      const answer = await post(wanted({ instanceIntegrationId: api.theirs.instanceIntegrationId }));
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([404, "instance_integration_not_found"]);
    });

    it("may name an address that another integration has registered and not proven (R-X278)", async () => {
      const of = { instanceIntegrationId: api.theirs.instanceIntegrationId };
      const answers = [await post(wanted()), await post(wanted(of), api.theirs.secret)];
      const shown = answers.map((answer) => answer.json<{ subscription: Shown; signingSecret: string }>());
      expect(shown.map(({ subscription: { state, endpointUrl } }) => [state, endpointUrl])).toEqual(
        Array(2).fill(["pending", "https://hooks.example/in"]),
      );
      expect(shown[0]?.signingSecret).not.toBe(shown[1]?.signingSecret);
    });

    describe("whose endpoint another integration has proven (R-X278)", () => {
      const secretOf = { mine: () => api.mine.secret, theirs: () => api.theirs.secret };
      const proven = async (endpointUrl: string) => {
        const of = { instanceIntegrationId: api.theirs.instanceIntegrationId, endpointUrl };
        const { subscription } = (await post(wanted(of), secretOf.theirs())).json<{ subscription: Shown }>();
        await api.workforce.raw(
          `update webhooks_subscriptions set state = 'active', awaits_ping = 0 where id = '${subscription.id}'`,
        );
        return subscription.id;
      };
      const refused = [400, ["body /endpointUrl"]];

      it.each([
        ["as it is", "https://taken.example/in"],
        ["with another query", "https://taken.example/in?x=1"],
        ["with a slash more", "https://taken.example/in/"],
        ["in another spelling", "HTTPS://TAKEN.example:443/./in"],
        ["with a full stop behind the name", "https://taken.example./in"],
      ])("are refused %s, when they are made and when they are changed", async (__, endpointUrl) => {
        api.clock.step(60_000);
        const id = await proven("https://taken.example/in?key=7");
        expect(errorsOf(await post(wanted({ endpointUrl })))).toEqual(refused);
        const own = await api.subscribe();
        const changing = { secret: api.mine.secret, json: { endpointUrl } };
        expect(errorsOf(await api.ask("PATCH", `${PATH}/${own}`, changing))).toEqual(refused);
        await api.ask("DELETE", `${PATH}/${id}`, { secret: secretOf.theirs() });
        expect((await post(wanted({ endpointUrl }))).status).toBe(201);
      });

      it.each([
        ["of another path", "https://held.example/out"],
        ["of another host", "https://in.held.example/in"],
        ["of another port", "https://held.example:8443/in"],
      ])("are not refused %s", async (__, endpointUrl) => {
        api.clock.step(60_000);
        const id = await proven("https://held.example/in");
        expect((await post(wanted({ endpointUrl }))).status).toBe(201);
        await api.ask("DELETE", `${PATH}/${id}`, { secret: secretOf.theirs() });
      });

      it("are not refused while the other has acknowledged nothing, whatever else was done with it", async () => {
        api.clock.step(60_000);
        const of = { instanceIntegrationId: api.theirs.instanceIntegrationId, endpointUrl: "https://squat.example/in" };
        const { subscription } = (await post(wanted(of), secretOf.theirs())).json<{ subscription: Shown }>();
        await api.ask("POST", `${PATH}/${subscription.id}/pause`, { secret: secretOf.theirs() });
        expect((await post(wanted({ endpointUrl: "https://squat.example/in" }))).status).toBe(201);
      });

      it("cannot be tried out: each refusal counts as a ping", async () => {
        api.clock.step(60_000);
        await proven("https://secret.example/in");
        const tries: number[] = [];
        for (let count = 0; count < 11; count++)
          tries.push((await post(wanted({ endpointUrl: "https://secret.example/in" }))).status);
        expect(tries).toEqual([...Array(10).fill(400), 429]);
        api.clock.step(60_000);
      });

      it("are made by an operator, and are the integration's own as often as it likes", async () => {
        api.clock.step(60_000);
        await proven("https://shared.example/in");
        const { subscription } = await api.kit.operator.createSubscription({
          ...{ label: "by-operator", instanceIntegrationId: api.mine.instanceIntegrationId },
          ...{ endpointUrl: "https://shared.example/in", eventTypes: ["*"], tenantIds: [] },
        });
        expect(subscription?.endpointUrl).toBe("https://shared.example/in");
        const again = wanted({
          instanceIntegrationId: api.theirs.instanceIntegrationId,
          endpointUrl: "https://own.example/in",
        });
        await proven("https://own.example/in");
        expect((await post(again, secretOf.theirs())).status).toBe(201);
      });
    });

    it("change only in what is given", async () => {
      const id = await api.subscribe(api.mine, { description: "one" });
      const changed = await api.mineOf<object>("PATCH", `${PATH}/${id}`, { eventTypes: ["worker.*"] });
      expect(changed).toMatchObject({ description: "one", eventTypes: ["worker.*"], clientIds: [] });
      expect(await api.mineOf<object>("PATCH", `${PATH}/${id}`, { description: "" })).toMatchObject({
        description: "",
      });
    });

    it("become pull-only by a null endpoint", async () => {
      const { subscription } = (await post(wanted())).json<{ subscription: Shown }>();
      const changed = await api.mineOf<Shown>("PATCH", `${PATH}/${subscription.id}`, { endpointUrl: null });
      expect("endpointUrl" in changed).toBe(false);
    });

    it("are paused, resumed and deleted; each leaves an entry in the audit log that names key and integration", async () => {
      const id = await api.subscribe();
      const states = [
        (await api.mineOf<Shown>("POST", `${PATH}/${id}/pause`)).state,
        (await api.mineOf<{ subscription: Shown }>("POST", `${PATH}/${id}/resume`)).subscription.state,
      ];
      expect(states).toEqual(["paused", "active"]);
      await api.mineOf("DELETE", `${PATH}/${id}`);
      expect((await api.ask("GET", `${PATH}/${id}`, { secret: api.mine.secret })).status).toBe(404);
      const entries = await api.audit(id);
      expect(entries.map(({ action }) => action)).toEqual([
        ...["subscription.create", "subscription.pause", "subscription.resume", "subscription.delete"],
      ]);
      expect(new Set(entries.map(({ actor }) => actor))).toEqual(
        new Set([`integration:${api.mine.integrationId}:test`]),
      );
    });

    it("say what was skipped while they were paused", async () => {
      const id = await api.subscribe();
      await api.mineOf("POST", `${PATH}/${id}/pause`);
      await api.mineOf("POST", `${PATH}/${id}/test-events`, { type: "user.updated" });
      const { skipped } = await api.mineOf<{ skipped: { count: number } }>("POST", `${PATH}/${id}/resume`);
      expect(skipped.count).toBe(1);
    });

    it("are listed a page at a time; a cursor is good for its key alone (R-X297)", async () => {
      const ids = [await api.subscribe(), await api.subscribe(), await api.subscribe()];
      const first = await api.mineOf<Page>("GET", `${PATH}?limit=2`);
      const second = await api.mineOf<Page>("GET", `${PATH}?limit=2&cursor=${first.next}`);
      expect([...first.data, ...second.data].map(({ id }) => id)).toEqual(ids);
      expect(second.next).toBeUndefined();
      const { secret: other } = await api.key(api.mine.integrationId, [ApiKeyScope.WEBHOOKS]);
      const flipped = `${first.next?.startsWith("A") ? "B" : "A"}${first.next?.slice(1)}`;
      for (const [cursor, secret] of [
        [first.next, other],
        [first.next, api.theirs.secret],
        [flipped, api.mine.secret],
        ["x", api.mine.secret],
        [`${first.next}=`, api.mine.secret],
      ] as const)
        expect(errorsOf(await api.ask("GET", `${PATH}?cursor=${cursor}`, { secret }))).toEqual([400, ["query cursor"]]);
      const elsewhere = await api.ask("GET", `/v1/webhooks/deliveries?cursor=${first.next}`, {
        secret: api.mine.secret,
      });
      expect(errorsOf(elsewhere)).toEqual([400, ["query cursor"]]);
    });

    it.each(["0", "501", "1e2", "x", ""])("refuse the limit %s", async (limit) => {
      const answer = await api.ask("GET", `${PATH}?limit=${limit}`, { secret: api.mine.secret });
      expect(errorsOf(answer)).toEqual([400, ["query limit"]]);
    });

    it("show each integration its own", async () => {
      const mine = await api.subscribe();
      const theirs = await api.subscribe(api.theirs);
      const lists = await Promise.all(
        [api.mine, api.theirs].map(async ({ secret }) => (await api.ask("GET", PATH, { secret })).json<Page>().data),
      );
      expect(lists.map((list) => list.map(({ id }) => id))).toEqual([[mine], [theirs]]);
    });

    it("cannot be pinged without an endpoint", async () => {
      const answer = await api.ask("POST", `${PATH}/${await api.subscribe()}/ping`, { secret: api.mine.secret });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([409, "subscription_pull_only"]);
    });

    it("cannot be paused or resumed while they are disabled, and are enabled again", async () => {
      const id = await api.subscribe();
      await api.workforce.raw(
        `update webhooks_subscriptions set state = 'disabled', state_reason = 'gone' where id = '${id}'`,
      );
      const refused = [
        await api.ask("POST", `${PATH}/${id}/pause`, { secret: api.mine.secret }),
        await api.ask("POST", `${PATH}/${id}/resume`, { secret: api.mine.secret }),
      ];
      expect(refused.map((answer) => [answer.status, answer.json<{ code: string }>().code])).toEqual([
        [409, "subscription_disabled"],
        [409, "subscription_disabled"],
      ]);
      const enabled = await api.mineOf<{ subscription: Shown }>("POST", `${PATH}/${id}/enable`);
      expect(enabled.subscription.state).toBe("active");
    });

    describe("their secrets", () => {
      const OWN = `whsec_${Buffer.alloc(32, 5).toString("base64")}`;

      it("are rotated with an overlap, and both sign what is read", async () => {
        const id = await api.subscribe();
        const rotated = await api.mineOf<{ number: number; secret: string }>("POST", `${PATH}/${id}/secrets`, {
          overlapSeconds: 60,
        });
        expect(rotated).toEqual({ number: 2, secret: expect.stringMatching(/^whsec_/) });
        const { data } = await api.mineOf<{ data: { number: number; expiresAt?: string }[] }>(
          "GET",
          `${PATH}/${id}/secrets`,
        );
        expect(data.map(({ number, expiresAt }) => [number, expiresAt])).toEqual([
          [2, undefined],
          [1, new Date(api.clock.now().getTime() + 60_000).toISOString()],
        ]);
        await api.mineOf("POST", `${PATH}/${id}/test-events`, { type: "user.updated" });
        const feed = await api.mineOf<{ data: { headers: Record<string, string> }[] }>("GET", `${PATH}/${id}/events`);
        expect(feed.data[0]?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
      });

      it("may be one's own, which no answer shows", async () => {
        const id = await api.subscribe();
        expect(await api.mineOf("POST", `${PATH}/${id}/secrets`, { secret: OWN })).toEqual({ number: 2 });
      });

      it.each(["1.0", "1e0", "0x1", "%201", "+1", "01", "1%20"])(
        "are not revoked by the number %s, which is no decimal (R-G9)",
        async (number) => {
          const id = await api.subscribe();
          await api.mineOf("POST", `${PATH}/${id}/secrets`, {});
          expect(
            errorsOf(await api.ask("DELETE", `${PATH}/${id}/secrets/${number}`, { secret: api.mine.secret })),
          ).toEqual([400, ["path secretNumber"]]);
        },
      );

      it("are three at most, and are revoked at once; the current one stays", async () => {
        const id = await api.subscribe();
        for (let times = 0; times < 2; times++) await api.mineOf("POST", `${PATH}/${id}/secrets`, {});
        const fourth = await api.ask("POST", `${PATH}/${id}/secrets`, { secret: api.mine.secret, json: {} });
        expect([fourth.status, fourth.json<{ code: string }>().code]).toEqual([409, "too_many_secrets"]);
        const current = await api.ask("DELETE", `${PATH}/${id}/secrets/3`, { secret: api.mine.secret });
        expect([current.status, current.json<{ code: string }>().code]).toEqual([409, "current_secret"]);
        await api.mineOf("DELETE", `${PATH}/${id}/secrets/1`);
        const again = await api.ask("DELETE", `${PATH}/${id}/secrets/1`, { secret: api.mine.secret });
        expect([again.status, again.json<{ code: string }>().code]).toEqual([404, "secret_not_found"]);
      });

      it.each([
        ["of another form", { secret: "whsec_AAAA" }, "body /secret"],
        ["with an overlap of eight days", { overlapSeconds: 691_200 }, "body /overlapSeconds"],
        ["of another kind", { kind: "rsa" }, "body /kind"],
        ["with a negative overlap", { overlapSeconds: -1 }, "body /overlapSeconds"],
      ])("%s are refused by a pointer", async (__, json, pointer) => {
        const id = await api.subscribe();
        const answer = await api.ask("POST", `${PATH}/${id}/secrets`, { secret: api.mine.secret, json });
        expect(errorsOf(answer)).toEqual([400, [pointer]]);
      });
    });
  });
});
