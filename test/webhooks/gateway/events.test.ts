import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import type { OutboxEntry } from "../../../src/runtime/outbox/outbox.ts";
import { secretExpiring } from "../../../src/webhooks/operational/operational-event.ts";
import { eachStore } from "../../support/stores.ts";
import { there } from "../../workforce/workforce-fixture.ts";
import { clientCreated, userUpdated } from "../webhooks-kit.ts";
import { type Integrator, type IntegratorApi, openIntegratorApi } from "./integrator-kit.ts";

interface ListedEvent {
  readonly id: string;
  readonly type: string;
  readonly instanceIntegrationId: string;
  readonly clientId?: string;
}

interface EventPage {
  readonly data: readonly ListedEvent[];
  readonly next?: string;
}

eachStore((_, open) => {
  describe("an integration's events over HTTP (R-X339)", () => {
    let api: IntegratorApi;
    beforeEach(async () => {
      api = await openIntegratorApi(open);
    });
    afterEach(() => api.gateway.stop());

    const list = async (query = "", of: Integrator = api.mine): Promise<EventPage> => {
      const answer = await api.ask("GET", `/v1/webhooks/events${query}`, { secret: of.secret });
      expect(answer.status).toBe(200);
      return answer.json<EventPage>();
    };
    const typesOf = ({ data }: EventPage): readonly string[] => data.map(({ type }) => type);
    const updated = ({ tenantId, instanceId }: Integrator) => ({
      ...userUpdated(tenantId as never),
      instanceId: instanceId as never,
    });
    const created = ({ tenantId, instanceId }: Integrator) => ({
      ...clientCreated(tenantId as never),
      instanceId: instanceId as never,
    });
    const emit = async (...events: readonly Partial<Omit<OutboxEntry, "eventId" | "occurredAt">>[]) => {
      await api.kit.emit(...events);
      await api.kit.relay();
    };

    it("has what no subscription matched, which can be explained then", async () => {
      const subscription = await api.subscribe(api.mine, { eventTypes: ["worker.*"] });
      await emit(updated(api.mine), created(api.mine));
      const page = await list();
      expect(typesOf(page)).toEqual(["client.created", "user.updated"]);
      expect(page.data[1]).toEqual({
        id: expect.stringMatching(/^event_/),
        type: "user.updated",
        occurredAt: expect.any(String),
        sequence: expect.any(Number),
        instanceIntegrationId: api.mine.instanceIntegrationId,
        entity: { type: "user", id: expect.stringMatching(/^user_/) },
        clientId: api.mine.tenantId,
      });
      const path = `/v1/webhooks/subscriptions/${subscription}/events/${page.data[1]?.id}/explanation`;
      const { explanation } = await api.mineOf<{ explanation: string }>("GET", path);
      expect(explanation).toContain("The subscription is for worker.*, and the event is user.updated.");
    });

    it("filters by type, client and entity, a page at a time, with cursors of this list and key alone", async () => {
      await api.subscribe();
      const one = updated(api.mine);
      await emit(one, created(api.mine), one, updated(api.mine));
      const first = await list("?type=user.updated&limit=2");
      expect(typesOf(first)).toEqual(["user.updated", "user.updated"]);
      const rest = await list(`?type=user.updated&limit=2&cursor=${first.next}`);
      expect([typesOf(rest), "next" in rest]).toEqual([["user.updated"], false]);
      expect((await list(`?entityId=${one.entity.id}`)).data.length).toBe(2);
      expect((await list(`?clientId=${api.mine.tenantId}`)).data.length).toBe(4);
      for (const [path, secret] of [
        ["/v1/webhooks/events", api.theirs.secret],
        ["/v1/webhooks/deliveries", api.mine.secret],
      ] as const) {
        const refused = await api.ask("GET", `${path}?cursor=${first.next}`, { secret });
        const named = refused.json<{ errors: { name: string }[] }>().errors.map(({ name }) => name);
        expect([refused.status, named]).toEqual([400, ["cursor"]]);
      }
    });

    it("filters by what a subscription may name: a type, a group, everything but operational events (R-X356)", async () => {
      const subscription = await api.subscribe();
      const notice = secretExpiring({
        ...{ subscriptionId: subscription as never, label: "mine", number: 1, createdAt: api.clock.now() },
        ...{ expiresAt: api.clock.now(), instanceId: api.mine.instanceId as never },
        instanceIntegrationId: api.mine.instanceIntegrationId as never,
      });
      await emit(updated(api.mine), created(api.mine), notice);
      expect(typesOf(await list("?type=user.*"))).toEqual(["user.updated"]);
      expect(typesOf(await list("?type=*"))).toEqual(["client.created", "user.updated"]);
      expect(typesOf(await list("?type=secret.*"))).toEqual(["secret.expiring"]);
      expect(typesOf(await list("?type=worker.*"))).toEqual([]);
    });

    it.each(["user.update", "user*", "webhook.ping"])(
      "refuses the type %s and says which there are (R-X356)",
      async (type) => {
        const refused = await api.ask("GET", `/v1/webhooks/events?type=${type}`, { secret: api.mine.secret });
        expect([refused.status, refused.json<{ errors: object[] }>().errors]).toEqual([
          400,
          [
            {
              in: "query",
              name: "type",
              detail: expect.stringContaining("must be *, one of client.created, user.created, "),
            },
          ],
        ]);
      },
    );

    it("begins with the oldest subscription of an instance, and leaves other instances and integrations out", async () => {
      await emit(updated(api.mine));
      expect(typesOf(await list())).toEqual([]);
      await api.subscribe();
      await api.subscribe(api.theirs);
      expect(typesOf(await list())).toEqual([]);
      await emit(created(api.mine), updated(api.theirs), updated(api.theirs));
      expect([typesOf(await list()), typesOf(await list("", api.theirs))]).toEqual([
        ["client.created"],
        ["user.updated", "user.updated"],
      ]);
    });

    it("begins on each instance with that instance's own oldest subscription", async () => {
      const { integrationId, connectionIds } = await api.workforce.integration(
        api.mine.instanceId,
        api.theirs.instanceId,
      );
      const both = { ...api.mine, secret: (await api.key(integrationId, [ApiKeyScope.WEBHOOKS], "both")).secret };
      const subscribeTo = (index: number) =>
        api.subscribe({ ...both, instanceIntegrationId: there(connectionIds[index]) });
      await subscribeTo(0);
      await emit(updated(api.mine), updated(api.theirs));
      await subscribeTo(1);
      expect(typesOf(await list("", both))).toEqual(["user.updated"]);
      await emit(created(api.theirs));
      expect(typesOf(await list("", both))).toEqual(["client.created", "user.updated"]);
    });

    it("names of each event the key's own instance integration, of which it may have many (R-X350)", async () => {
      const { instanceId } = api.mine;
      const { integrationId, connectionIds } = await api.workforce.integration(instanceId, api.theirs.instanceId);
      const { secret } = await api.key(integrationId, [ApiKeyScope.WEBHOOKS], "both");
      for (const instanceIntegrationId of connectionIds)
        await api.subscribe({ ...api.mine, secret, instanceIntegrationId });
      await api.subscribe();
      await emit(updated(api.mine), created(api.theirs));
      const seenBy = async (of: Integrator) =>
        (await list("", of)).data.map(({ type, instanceIntegrationId }) => [type, instanceIntegrationId]);
      expect(await seenBy({ ...api.mine, secret })).toEqual([
        ["client.created", connectionIds[1]],
        ["user.updated", connectionIds[0]],
      ]);
      expect(await seenBy(api.mine)).toEqual([["user.updated", api.mine.instanceIntegrationId]]);
      const through = async (instanceIntegrationId: string | undefined) =>
        typesOf(await list(`?instanceIntegrationId=${instanceIntegrationId}`, { ...api.mine, secret }));
      expect(await through(connectionIds[0])).toEqual(["user.updated"]);
      expect(await through(connectionIds[1])).toEqual(["client.created"]);
    });

    it("refuses a filter by another integration's instance integration or client, like one that does not exist (R-X298)", async () => {
      await api.subscribe();
      const refusedFor = async (query: string) => {
        const answer = await api.ask("GET", `/v1/webhooks/events${query}`, { secret: api.mine.secret });
        return [answer.status, ...answer.json<{ errors: { name: string }[] }>().errors.map(({ name }) => name)];
      };
      const { tenantId, instanceIntegrationId } = api.theirs;
      for (const id of [tenantId, "client_AAAAAAAAAAAAAAAAAAAAA"])
        expect(await refusedFor(`?clientId=${id}`)).toEqual([400, "clientId"]);
      for (const id of [instanceIntegrationId, "installation_AAAAAAAAAAAAAAAAAAAAA"])
        expect(await refusedFor(`?instanceIntegrationId=${id}`)).toEqual([400, "instanceIntegrationId"]);
      expect(await refusedFor(`?instanceIntegrationId=${instanceIntegrationId}&clientId=${tenantId}`)).toEqual([
        400,
        "instanceIntegrationId",
        "clientId",
      ]);
    });

    it("names the newer of two instance integrations while the revocation of the older one is not known (R-X350)", async () => {
      await api.subscribe();
      const { integrationId, instanceId, instanceIntegrationId: older } = api.mine;
      const { operator } = api.workforce;
      await operator.revokeInstanceIntegration({ requestId: "", instanceIntegrationId: older });
      const again = { requestId: "", integrationId, instanceId, configured: true };
      const { id: instanceIntegrationId } = there((await operator.connectIntegration(again)).instanceIntegration);
      await api.subscribe({ ...api.mine, instanceIntegrationId });
      await emit(updated(api.mine));
      await api.workforce.raw("delete from webhooks_connections");
      expect((await list()).data.map((event) => event.instanceIntegrationId)).toEqual([instanceIntegrationId]);
    });

    it("has operational events about its own subscriptions alone", async () => {
      await api.subscribe();
      const notOfMine = await api.subscribe(api.theirs);
      const notice = (of: Integrator, label: string) =>
        secretExpiring({
          ...{ subscriptionId: notOfMine as never, label, number: 1, createdAt: api.clock.now() },
          ...{ expiresAt: api.clock.now(), instanceId: api.mine.instanceId as never },
          instanceIntegrationId: of.instanceIntegrationId as never,
        });
      await emit(notice(api.theirs, "theirs"), updated(api.mine));
      expect(typesOf(await list())).toEqual(["user.updated"]);
      await emit(notice(api.mine, "mine"));
      expect(typesOf(await list())).toEqual(["secret.expiring", "user.updated"]);
    });

    const connect = (state: string) =>
      api.workforce.raw(
        `insert into webhooks_connections (instance_integration_id, state, revision)
         values ('${api.mine.instanceIntegrationId}', '${state}', 9)`,
      );

    it.each(["revoked", "unconfigured"])("has nothing while the instance integration is %s", async (state) => {
      await api.subscribe();
      await emit(updated(api.mine));
      expect(typesOf(await list())).toEqual(["user.updated"]);
      await connect(state);
      expect(typesOf(await list())).toEqual([]);
      await api.workforce.raw("delete from webhooks_connections");
      expect(typesOf(await list())).toEqual(["user.updated"]);
    });

    it("has nothing more once the subscription is deleted", async () => {
      const subscription = await api.subscribe();
      await emit(updated(api.mine));
      await api.mineOf("DELETE", `/v1/webhooks/subscriptions/${subscription}`);
      expect(typesOf(await list())).toEqual([]);
    });

    it("ends where the oldest subscription begins, however many events are older", async () => {
      await emit(...Array.from({ length: 2_100 }, () => updated(api.theirs)));
      expect(await list()).toEqual({ data: [] });
      await api.subscribe();
      expect(await list()).toEqual({ data: [] });
      await emit(updated(api.mine));
      expect(await list()).toMatchObject({ data: [{ type: "user.updated" }] });
      expect("next" in (await list())).toBe(false);
    });

    it("needs the scope webhooks", async () => {
      const { secret } = await api.key(api.mine.integrationId, [], "reader");
      const answer = await api.ask("GET", "/v1/webhooks/events", { secret });
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([403, "scope_missing"]);
    });
  });
});
