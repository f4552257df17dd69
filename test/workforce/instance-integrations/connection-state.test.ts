import type { OutboxEntry } from "../../../src/runtime/outbox/outbox.ts";
import { collect } from "../../support/collect.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce, withKey, workforceOver } from "../workforce-fixture.ts";

const UNKNOWN = "installation_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  describe("an instance integration's state (R-G5, R-E14)", () => {
    let workforce: Workforce;
    let instanceId: string;
    let integrationId: string;
    let id: string;
    let secret: string;

    beforeEach(async () => {
      workforce = await openWorkforce(open);
      instanceId = await workforce.instance();
      ({ integrationId, connectionId: id, secret } = await workforce.integration(instanceId));
    });

    const configure = (configured: boolean, more = {}) =>
      workforce.operator.configureInstanceIntegration({
        requestId: "",
        instanceIntegrationId: id,
        configured,
        ...more,
      });
    const revoke = (more = {}) =>
      workforce.operator.revokeInstanceIntegration({ requestId: "", instanceIntegrationId: id, ...more });
    const revision = () => workforce.revision("workforce_integrations", integrationId);
    const read = () => collect(workforce.gateway.listTenants({ instanceIntegrationId: id }, withKey(secret)));
    const listed = async () =>
      (await workforce.gateway.listInstanceIntegrations({}, withKey(secret))).instanceIntegrations;
    const told = (state: string, atRevision: number) => ({
      internal: true,
      eventType: "instanceIntegration.standing",
      entity: { type: "instanceIntegration", id },
      instanceId,
      tenantId: null,
      data: { state: `INSTANCE_INTEGRATION_STATE_${state}`, revision: atRevision },
      selfPath: "",
    });
    const audited = async () => {
      const { rows } = await workforce.raw(`select action from audit_entries where object = '${id}' order by sequence`);
      return (rows as { action: string }[]).map(({ action }) => action);
    };

    it("can be un-configured and configured again: the gateway follows, and webhooks receives each change", async () => {
      const before = await revision();
      workforce.clock.step(1);
      const { instanceIntegration: off } = await configure(false);
      expect(off).toMatchObject({ id, configured: false, updatedAt: workforce.clock.now() });
      expect(await refusal(read())).toMatchObject({ reason: "instance_integration_not_configured" });
      expect((await listed()).map((one) => [one.id, one.updatedAt])).toEqual([[id, workforce.clock.now()]]);
      workforce.clock.step(1);
      expect((await configure(true)).instanceIntegration).toMatchObject({ id, configured: true });
      expect(await read()).toMatchObject([{ tenants: [] }]);
      expect(await revision()).toBe(before + 2);
      expect(await workforce.events()).toEqual([told("UNCONFIGURED", before + 1), told("CONFIGURED", before + 2)]);
      expect(await audited()).toEqual([
        "instanceIntegration.create",
        "instanceIntegration.unconfigure",
        "instanceIntegration.configure",
      ]);
    });

    it("stays as it is, without an entry, when the change asks for the present state", async () => {
      const before = await revision();
      workforce.clock.step(1);
      const { instanceIntegration } = await configure(true);
      expect(instanceIntegration).toMatchObject({ configured: true });
      expect(instanceIntegration?.updatedAt).not.toEqual(workforce.clock.now());
      expect([await revision(), await workforce.events()]).toEqual([before, []]);
      expect(await audited()).toEqual(["instanceIntegration.create"]);
    });

    it("reaches webhooks when connecting again configures it", async () => {
      await configure(false);
      await workforce.operator.connectIntegration({ requestId: "", integrationId, instanceId, configured: true });
      expect(await workforce.events()).toEqual([
        told("UNCONFIGURED", (await revision()) - 1),
        told("CONFIGURED", await revision()),
      ]);
    });

    it("is final when it is revoked: no read finds it, and webhooks receives the change", async () => {
      const before = await revision();
      const { instanceIntegration: was } = await revoke();
      expect(was).toMatchObject({ id, configured: true });
      expect(await refusal(read())).toMatchObject({ reason: "instance_integration_not_found" });
      expect(await listed()).toEqual([]);
      const found = workforce.connections.getInstanceIntegration({ instanceIntegrationId: id, tenantIds: [] });
      expect(await refusal(found)).toMatchObject({ code: "NOT_FOUND", reason: "instance_integration_not_found" });
      expect(await revision()).toBe(before + 1);
      expect(await workforce.events()).toEqual([told("REVOKED", before + 1)]);
      expect(await refusal(revoke())).toMatchObject({ code: "NOT_FOUND", reason: "instance_integration_not_found" });
      expect(await refusal(configure(true))).toMatchObject({ reason: "instance_integration_not_found" });
      expect(await audited()).toEqual(["instanceIntegration.create", "instanceIntegration.revoke"]);
    });

    it("starts again, under another id, when the two are connected again (R-X57)", async () => {
      await revoke();
      const request = { requestId: "", integrationId, instanceId, configured: true };
      const { instanceIntegration } = await workforce.operator.connectIntegration(request);
      expect(there(instanceIntegration).id).not.toBe(id);
      expect((await listed()).map((one) => one.id)).toEqual([there(instanceIntegration).id]);
    });

    it("a repeated request gets the first answer (R-G18)", async () => {
      const request = { requestId: "revoke-1" };
      expect(await revoke(request)).toEqual(await revoke(request));
      expect(await workforce.events()).toHaveLength(1);
    });

    it("malformed and unknown ids are refused", async () => {
      expect((await refusal(configure(true, { instanceIntegrationId: "x" }))).violations).toHaveLength(1);
      expect((await refusal(revoke({ instanceIntegrationId: "x" }))).violations).toHaveLength(1);
      expect(await refusal(configure(true, { instanceIntegrationId: UNKNOWN }))).toMatchObject({ code: "NOT_FOUND" });
    });

    it("reaches webhooks with rising revisions, even when two callers change it at the same time", async () => {
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const requests = racers.flatMap(({ operator }) => [
        operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId: id, configured: false }),
        operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId: id, configured: true }),
      ]);
      await Promise.all(requests);
      const entries: readonly Omit<OutboxEntry, "eventId" | "occurredAt">[] = await workforce.events();
      const revisions = entries.map(({ data }) => Number(data.revision));
      expect(new Set(revisions).size).toBe(revisions.length);
      const last = entries.find(({ data }) => data.revision === Math.max(...revisions));
      const { rows } = await workforce.raw(`select configured from workforce_instance_integrations where id = '${id}'`);
      const state = (rows as { configured: number }[])[0]?.configured === 1 ? "CONFIGURED" : "UNCONFIGURED";
      expect(last?.data.state).toBe(`INSTANCE_INTEGRATION_STATE_${state}`);
    });
  });
});
