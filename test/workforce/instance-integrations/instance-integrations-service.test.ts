import type { PageStart } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce, withKey, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
  });

  const connect = (integrationId: string, more = {}) =>
    workforce.operator.connectIntegration({ requestId: "", integrationId, instanceId, configured: false, ...more });

  it("connects an integration with an instance once, however many callers ask at the same time (R-G5)", async () => {
    const { integrationId } = await workforce.integration();
    const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
    const request = { requestId: "", integrationId, instanceId, configured: true };
    const outcomes = await Promise.all(
      racers.map(({ operator }) =>
        operator.connectIntegration(request).then(
          () => "connected",
          ({ reason }) => reason as string,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual([
      "connected",
      "instance_integration_exists",
      "instance_integration_exists",
      "instance_integration_exists",
    ]);
  });

  it("marks an instance integration that is not configured yet as configured, once, and keeps its id (R-G5, R-X32)", async () => {
    const { integrationId } = await workforce.integration();
    const { operator } = workforce;
    const request = { requestId: "", integrationId, instanceId, configured: false };
    const { instanceIntegration: made } = await operator.connectIntegration(request);
    const refused = await operator.connectIntegration(request).catch(({ reason }) => reason as string);
    expect(refused).toBe("instance_integration_exists");
    const { instanceIntegration: configured } = await operator.connectIntegration({ ...request, configured: true });
    const again = await operator
      .connectIntegration({ ...request, configured: true })
      .catch(({ reason }) => reason as string);
    expect(configured).toMatchObject({ id: made?.id, configured: true });
    expect(again).toBe("instance_integration_exists");
  });

  it("raises the revision of the integration, which lists its instance integrations (R-G10)", async () => {
    const { integrationId } = await workforce.integration();
    const before = await workforce.revision("workforce_integrations", integrationId);
    await connect(integrationId);
    expect(await workforce.revision("workforce_integrations", integrationId)).toBe(before + 1);
    await refusal(connect(integrationId));
    expect(await workforce.revision("workforce_integrations", integrationId)).toBe(before + 1);
  });

  it("lists an integration's own ones only, oldest first, those not configured included (R-G5)", async () => {
    const other = await workforce.instance("North America");
    const mine = await workforce.integration(other);
    workforce.clock.step(1);
    const { instanceIntegration } = await connect(mine.integrationId);
    const theirs = await workforce.integration(instanceId);
    const { instanceIntegrations } = await workforce.gateway.listInstanceIntegrations({}, withKey(mine.secret));
    expect(instanceIntegrations.map(({ id, configured, instance }) => [id, configured, instance?.name])).toEqual([
      [mine.connectionId, true, "North America"],
      [there(instanceIntegration).id, false, "Europe"],
    ]);
    const { integrations } = await workforce.operator.listIntegrations({ after: null });
    expect(
      integrations
        .map(({ integration, instanceIntegrations }) => [integration?.id, instanceIntegrations.map(({ id }) => id)])
        .toSorted(),
    ).toEqual(
      [
        [mine.integrationId, [mine.connectionId, there(instanceIntegration).id]],
        [theirs.integrationId, [theirs.connectionId]],
      ].toSorted(),
    );
  });

  it("lists all integrations in pages, each with its own connections (R-G9)", async () => {
    const made: (readonly string[])[] = [];
    for (let count = 0; count < 3; count++) {
      workforce.clock.step(1);
      const { integrationId, connectionId } = await workforce.integration(instanceId);
      made.push([integrationId, connectionId]);
    }
    const page = async (limit: number, after: PageStart | null) => {
      const { integrations, next } = await workforce.operator.listIntegrations({ limit, after });
      const ids = integrations.map(({ integration, instanceIntegrations }) => [
        integration?.id,
        ...instanceIntegrations.map(({ id }) => id),
      ]);
      return { ids, next };
    };
    const first = await page(2, null);
    expect(first).toEqual({ ids: made.slice(0, 2), next: { createdAt: expect.any(Date), id: made[1]?.[0] } });
    expect(await page(2, first.next)).toEqual({ ids: made.slice(2), next: null });
    expect((await refusal(page(1_001, null))).violations).toEqual([expect.objectContaining({ field: "limit" })]);
  });

  it("returns the integration and instance to webhooks, and NOT_FOUND for an unknown id (R-E14)", async () => {
    const { integrationId, connectionId } = await workforce.integration(instanceId);
    const { connections } = workforce;
    expect(await connections.getInstanceIntegration({ instanceIntegrationId: connectionId, tenantIds: [] })).toEqual({
      instanceIntegrationId: connectionId,
      integrationId,
      instanceId,
      configured: true,
      unknownTenantIds: [],
    });
    for (const instanceIntegrationId of ["installation_AAAAAAAAAAAAAAAAAAAAA", "", "x"])
      expect(await refusal(connections.getInstanceIntegration({ instanceIntegrationId, tenantIds: [] }))).toMatchObject(
        {
          code: "NOT_FOUND",
          reason: "instance_integration_not_found",
        },
      );
  });

  it("names to webhooks the tenants that the instance does not have: another instance's, erased and made-up ones (R-X354)", async () => {
    const { connectionId } = await workforce.integration(instanceId);
    const { id: own } = await workforce.tenant(instanceId);
    const { id: erased } = await workforce.tenant(instanceId);
    const { id: foreign } = await workforce.tenant(await workforce.instance("Elsewhere"));
    await workforce.raw(`update workforce_tenants set erased_at = 1 where id = '${erased}'`);
    const tenantIds = [foreign, own, "client_AAAAAAAAAAAAAAAAAAAAA", erased];
    const answer = await workforce.connections.getInstanceIntegration({
      instanceIntegrationId: connectionId,
      tenantIds,
    });
    expect(answer.unknownTenantIds).toEqual([foreign, "client_AAAAAAAAAAAAAAAAAAAAA", erased]);
  });

  it("names to webhooks the ids of a filter that are not the integration's own; an erased tenant is (R-X298)", async () => {
    const { integrationId, connectionId } = await workforce.integration(instanceId);
    const { id: own } = await workforce.tenant(instanceId);
    const { id: erased } = await workforce.tenant(instanceId);
    await workforce.raw(`update workforce_tenants set erased_at = 1 where id = '${erased}'`);
    const elsewhere = await workforce.instance("Elsewhere");
    const theirs = await workforce.integration(elsewhere);
    const { id: foreign } = await workforce.tenant(elsewhere);
    const nobodys = ["client_AAAAAAAAAAAAAAAAAAAAA", "installation_AAAAAAAAAAAAAAAAAAAAA"] as const;
    const asked = {
      integrationId,
      formerInstanceIds: [],
      tenantIds: [foreign, own, nobodys[0], erased],
      instanceIntegrationIds: [theirs.connectionId, connectionId, nobodys[1]],
    };
    const { connections } = workforce;
    expect(await connections.listForeign(asked)).toEqual({
      tenantIds: [foreign, nobodys[0]],
      instanceIntegrationIds: [theirs.connectionId, nobodys[1]],
    });
    expect((await connections.listForeign({ ...asked, formerInstanceIds: [elsewhere] })).tenantIds).toEqual([
      nobodys[0],
    ]);
    const none = { ...asked, tenantIds: [], instanceIntegrationIds: [] };
    expect(await connections.listForeign(none)).toEqual({ tenantIds: [], instanceIntegrationIds: [] });
  });

  it("refuses unknown integrations and instances, each with its reason", async () => {
    const { integrationId } = await workforce.integration();
    expect(await refusal(connect("integration_AAAAAAAAAAAAAAAAAAAAA"))).toMatchObject({
      code: "NOT_FOUND",
      reason: "integration_not_found",
    });
    expect(await refusal(connect(integrationId, { instanceId: "instance_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "instance_not_found",
    });
    expect((await refusal(connect("x", { instanceId: "y" }))).violations.map(({ field }) => field)).toEqual([
      "integration_id",
      "instance_id",
    ]);
  });
});
