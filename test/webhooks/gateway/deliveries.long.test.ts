import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { eachStore } from "../../support/stores.ts";
import { clientCreated, userUpdated } from "../webhooks-kit.ts";
import { type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

const PATH = "/v1/webhooks/deliveries";

interface Listed {
  readonly id: string;
  readonly eventId: string;
  readonly eventType: string;
  readonly state: string;
  readonly subscriptionId: string;
}

interface Page {
  readonly data: readonly Listed[];
  readonly next?: string;
}

eachStore((_, open) => {
  describe("an integration's own deliveries (R-X298)", () => {
    let api: IntegratorApi;
    let one: string;
    let other: string;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
      one = await api.subscribe();
      other = await api.subscribe(api.mine, { eventTypes: ["client.created"] });
      await api.subscribe(api.theirs);
    });
    afterEach(() => api.gateway.stop());

    const list = (query = "") => api.mineOf<Page>("GET", `${PATH}${query}`);
    const emit = async (...types: readonly ("user" | "client")[]) => {
      for (const type of types) {
        api.clock.step(60_000);
        const { instanceId, tenantId } = api.mine;
        const made = type === "user" ? userUpdated(tenantId as never) : clientCreated(tenantId as never);
        await api.kit.emit({ ...made, instanceId: instanceId as never });
        await api.kit.relay();
      }
    };

    it("are listed newest first with their attempts, none of another integration's", async () => {
      await emit("user", "client");
      const { data } = await list();
      expect(data.map(({ eventType, subscriptionId }) => [eventType, subscriptionId]).toSorted()).toEqual(
        [
          ["client.created", one],
          ["client.created", other],
          ["user.updated", one],
        ].toSorted(),
      );
      expect(data.at(-1)).toMatchObject({
        eventType: "user.updated",
        state: "skipped",
        reason: "pull_only",
        attempts: [],
      });
      const theirs = await api.ask("GET", PATH, { secret: api.theirs.secret });
      expect(theirs.json<Page>().data).toEqual([]);
    });

    it("are those of subscriptions that exist, however many younger ones were deleted", async () => {
      await emit("user");
      const kept = (await list()).data;
      const row = await api.kit.tables
        .selectFrom("webhooks_subscriptions")
        .selectAll()
        .where("id", "=", other)
        .executeTakeFirstOrThrow();
      const at = api.clock.now().getTime() + 1;
      // As a pipeline leaves them that makes a subscription for each of its runs, and deletes it.
      const deleted = Array.from({ length: 200 }, (_, index) => ({
        ...row,
        ...{ id: `subscription_${index}`, label: `subscription_${index}`, former_label: `run-${index}` },
        ...{ created_at: at, deleted_at: at, phase: "deleted", state: "disabled", event_types: "[]" },
      }));
      await api.kit.tables.insertInto("webhooks_subscriptions").values(deleted).execute();
      expect(kept).toHaveLength(1);
      expect((await list()).data).toEqual(kept);
    });

    it("are read one by one", async () => {
      await emit("user");
      const [listed] = (await list()).data;
      expect(await api.mineOf("GET", `${PATH}/${listed?.id}`)).toEqual(listed);
      const foreign = await api.ask("GET", `${PATH}/${listed?.id}`, { secret: api.theirs.secret });
      const unknown = await api.ask("GET", `${PATH}/delivery_AAAAAAAAAAAAAAAAAAAAA`, { secret: api.theirs.secret });
      expect([foreign, unknown].map((answer) => [answer.status, answer.json<{ code: string }>().code])).toEqual([
        [404, "delivery_not_found"],
        [404, "delivery_not_found"],
      ]);
    });

    describe("with filters", () => {
      let from: string;
      beforeEach(async () => {
        await emit("user", "client");
        from = new Date(api.clock.now().getTime() + 30_000).toISOString();
        await emit("client", "user");
      });

      it.each([
        ["of a subscription", () => `?subscriptionId=${other}`, 2],
        ["in a state", () => "?state=skipped", 6],
        ["in another state", () => "?state=pending", 0],
        ["of a type", () => "?type=user.updated", 2],
        ["of a group of types (R-X356)", () => "?type=user.*", 2],
        ["of every type (R-X356)", () => "?type=*", 6],
        ["of operational types (R-X356)", () => "?type=subscription.*", 0],
        ["of pings (R-X356)", () => "?type=webhook.ping", 0],
        ["of a client", () => `?clientId=${api.mine.tenantId}`, 6],
        ["from a time on", () => `?from=${from}`, 3],
        ["until a time", () => `?to=${from}`, 3],
        [
          "of a type from a time on, of a subscription",
          () => `?type=client.created&from=${from}&subscriptionId=${one}`,
          1,
        ],
      ])("lists those %s", async (__, query, count) => {
        expect((await list(query())).data).toHaveLength(count);
      });

      it("refuses another integration's subscription like one that does not exist (R-X298)", async () => {
        const theirs = await api.subscribe(api.theirs);
        const unknown = "subscription_AAAAAAAAAAAAAAAAAAAAA";
        for (const list of [PATH, "/v1/webhooks/recoveries"]) {
          const [foreign, nobodys] = await Promise.all(
            [theirs, unknown].map((id) => api.ask("GET", `${list}?subscriptionId=${id}`, { secret: api.mine.secret })),
          );
          const errors = [
            {
              ...{ in: "query", name: "subscriptionId" },
              detail: "must be the id of a subscription of this integration",
            },
          ];
          expect([foreign?.status, foreign?.json()]).toMatchObject([400, { code: "invalid_request", errors }]);
          expect([nobodys?.status, nobodys?.json()]).toMatchObject([400, { code: "invalid_request", errors }]);
        }
      });

      /** The parameters that a filter is refused for. */
      const refusedFor = async (query: string, secret = api.mine.secret) => {
        const answer = await api.ask("GET", `${PATH}${query}`, { secret });
        const { code, errors } = answer.json<{ code: string; errors: { in: string; name: string }[] }>();
        return [answer.status, code, ...errors.map((error) => `${error.in} ${error.name}`)];
      };
      const clientRefused = [400, "invalid_request", "query clientId"];
      const eventRefused = [400, "invalid_request", "query eventId"];

      it("refuses a client of an instance that the integration does not reach, like one that does not exist (R-X298)", async () => {
        expect(await refusedFor(`?clientId=${api.theirs.tenantId}`)).toEqual(clientRefused);
        expect(await refusedFor("?clientId=client_AAAAAAAAAAAAAAAAAAAAA")).toEqual(clientRefused);
        const range = "&from=2026-07-02T00:00:00Z&to=2026-07-01T00:00:00Z";
        expect(await refusedFor(`?clientId=${api.theirs.tenantId}${range}`)).toEqual([...clientRefused, "query from"]);
        const both = `?clientId=${api.theirs.tenantId}&subscriptionId=subscription_AAAAAAAAAAAAAAAAAAAAA`;
        expect(await refusedFor(both)).toEqual([400, "invalid_request", "query subscriptionId", "query clientId"]);
      });

      it("lists those of a client that was erased, and of an instance whose connection was revoked (R-X298)", async () => {
        const { instanceIntegrationId, tenantId } = api.mine;
        await api.workforce.raw(`update workforce_tenants set erased_at = 1 where id = '${tenantId}'`);
        expect((await list(`?clientId=${tenantId}`)).data).toHaveLength(6);
        await api.workforce.operator.revokeInstanceIntegration({ requestId: "", instanceIntegrationId });
        expect((await list(`?clientId=${tenantId}`)).data).toHaveLength(6);
        await api.workforce.raw(`update workforce_tenants set erased_at = null where id = '${tenantId}'`);
      });

      it("finds nothing for a client of the integration's before it has a subscription", async () => {
        const instanceId = await api.workforce.instance("New");
        const { integrationId } = await api.workforce.integration(instanceId);
        const { id: tenantId } = await api.workforce.tenant(instanceId);
        const { secret } = await api.key(integrationId, [ApiKeyScope.WEBHOOKS]);
        const answer = await api.ask("GET", `${PATH}?clientId=${tenantId}`, { secret });
        expect([answer.status, answer.json()]).toEqual([200, { data: [] }]);
      });

      it("refuses an event that the integration could not have got, like one that does not exist (R-X298)", async () => {
        const { data } = await list("?type=client.created");
        const [{ eventId } = { eventId: "" }] = data;
        expect(await refusedFor(`?eventId=${eventId}`, api.theirs.secret)).toEqual(eventRefused);
        expect(await refusedFor("?eventId=event_AAAAAAAAAAAAAAAAAAAAA")).toEqual(eventRefused);
      });

      it("finds nothing for an event that no subscription matched, and in another state than its deliveries have", async () => {
        const { data } = await list("?type=client.created");
        const [{ eventId } = { eventId: "" }] = data;
        expect((await list(`?eventId=${eventId}&state=exhausted`)).data).toEqual([]);
        expect((await list(`?eventId=${eventId}&type=user.updated`)).data).toEqual([]);
        expect((await list(`?eventId=${eventId}&subscriptionId=${await api.subscribe()}`)).data).toEqual([]);
      });

      it("lists those of an event", async () => {
        const { data } = await list("?type=client.created");
        const [{ eventId } = { eventId: "" }] = data;
        expect((await list(`?eventId=${eventId}`)).data.map((delivery) => delivery.eventId)).toEqual([
          eventId,
          eventId,
        ]);
      });

      it.each(["", "&type=client.created"])("page by page gives each once, newest first%s (R-X297)", async (filter) => {
        const whole = (await list(`?limit=500${filter}`)).data.map(({ id }) => id);
        const seen: string[] = [];
        let cursor = "";
        do {
          const page = await list(`?limit=1${filter}${cursor}`);
          seen.push(...page.data.map(({ id }) => id));
          cursor = page.next === undefined ? "" : `&cursor=${page.next}`;
        } while (cursor !== "");
        expect(seen).toEqual(whole);
        expect(whole.length).toBeGreaterThan(3);
      });

      it.each([
        ["an unknown state", "?state=lost", "state"],
        ["a time that is none", "?from=yesterday", "from"],
        ["a leap second, which no clock of ours has", "?from=2026-06-30T23:59:60Z", "from"],
        ["a time with a space for its T (RFC 3339 §5.6)", "?from=2026-06-30%2009:00:00Z", "from"],
        ["a range that ends before it begins", "?from=2026-07-02T00:00:00Z&to=2026-07-01T00:00:00Z", "from"],
        ["an id of another kind", "?subscriptionId=delivery_AAAAAAAAAAAAAAAAAAAAA", "subscriptionId"],
        ["a filter that comes twice", "?type=a&type=b", "type"],
        ["a type that there is not (R-X356)", "?type=user.update", "type"],
        ["a group that there is not (R-X356)", "?type=webhook.*", "type"],
      ])("refuses %s by its name", async (__, query, name) => {
        const answer = await api.ask("GET", `${PATH}${query}`, { secret: api.mine.secret });
        expect([answer.status, answer.json<{ errors: { name: string }[] }>().errors.map((part) => part.name)]).toEqual([
          400,
          [name],
        ]);
      });
    });
  });
});
