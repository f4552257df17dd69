import { type ApiKeyId, newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { sweepRefusals } from "../../../src/runtime/refusals/refusal-loop.ts";
import { gatewayRefusalRepository } from "../../../src/workforce/gateway-refusals/gateway-refusal-repository.ts";
import type { WorkforceTables } from "../../../src/workforce/tables.ts";
import { eventually } from "../../support/eventually.ts";
import type { Answer } from "../../support/http.ts";
import { eachStore } from "../../support/stores.ts";
import { badKeys } from "../gateway/bad-keys.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { there, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  describe("a refused request of the gateway (R-X199)", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let have: Furniture;

    beforeAll(async () => {
      ({ workforce, gateway, have } = await openFurnished(open));
    });
    afterAll(() => gateway.stop());

    const requestIdOf = ({ headers }: Answer): string => headers.get("x-request-id") ?? "";
    const explain = (requestId: string) => workforce.operator.explainGatewayRefusal({ requestId });
    const clientPath = (clientId = have.tenant.id) =>
      `/v1/instance-integrations/${have.connectionId}/clients/${clientId}`;

    it("by a key leaves its reason, the key and its integration, which the caller never learns", async () => {
      const keys = await badKeys(workforce, have.secret, have.instanceId);
      const found: unknown[] = [];
      for (const label of ["unknown", "revoked", "expired"]) {
        const { headers } = there(keys.find((key) => key.label === label));
        const answer = await gateway.get(clientPath(), undefined, { headers });
        const { check, apiKeyId, integrationName, ids } = await explain(requestIdOf(answer));
        found.push([answer.status, check, typeof apiKeyId, integrationName ?? null, ids]);
        expect(answer.text).not.toContain(check);
      }
      const ids = [have.connectionId, have.tenant.id];
      expect(found).toEqual([
        [401, "api_key.unknown", "object", null, ids],
        [401, "api_key.revoked", "string", "Payroll", ids],
        [401, "api_key.expired", "string", "Payroll", ids],
      ]);
    });

    it("by an unknown id leaves the ids, the key's label and what to do", async () => {
      const unknown = "client_AAAAAAAAAAAAAAAAAAAAA";
      const answer = await gateway.get(`${clientPath(unknown)}/users`, have.secret);
      expect(answer.status).toBe(404);
      expect(await explain(requestIdOf(answer))).toMatchObject({
        ...{ requestId: requestIdOf(answer), at: workforce.clock.now(), operation: "listUsers" },
        ...{ check: "tenant_not_found", apiKeyLabel: "test", ids: [have.connectionId, unknown] },
        advice: expect.stringContaining("Take ids from an earlier answer"),
      });
    });

    it("of an instance integration that is not configured leaves the whole command that configures it", async () => {
      const { connectionId } = have;
      const configure = (configured: boolean) =>
        workforce.operator.configureInstanceIntegration({
          ...{ requestId: "", instanceIntegrationId: connectionId, configured },
        });
      await configure(false);
      const answer = await gateway.get(clientPath(), have.secret);
      await configure(true);
      const { check, command } = await explain(requestIdOf(answer));
      expect([answer.status, check, command]).toEqual([
        404,
        "instance_integration_not_configured",
        ["integrations", "configure", connectionId],
      ]);
    });

    it("beyond the limit of its key leaves the key", async () => {
      const limited = await workforce.operator.issueApiKey({
        ...{ integrationId: have.integrationId, label: "slow", expiresAt: null },
        rateLimit: { perSecond: 1, burst: 1 },
        scopes: [],
      });
      await gateway.get(clientPath(), limited.secret);
      const answer = await gateway.get(clientPath(), limited.secret);
      expect(answer.status).toBe(429);
      expect(await explain(requestIdOf(answer))).toMatchObject({ check: "rate.limited", apiKeyLabel: "slow" });
    });

    it("is no request that went well, nor one without a key", async () => {
      for (const answer of [await gateway.get(clientPath(), have.secret), await gateway.get(clientPath())]) {
        await expect(explain(requestIdOf(answer))).rejects.toMatchObject({
          ...{ code: "NOT_FOUND", reason: "refusal_not_found" },
          message: expect.stringContaining("without a key"),
        });
      }
    });

    it("is none that breaks the contract, whose answer says why; the operator is told so, and does not look for a wrong key", async () => {
      const answer = await gateway.get(clientPath("client_x"), have.secret);
      expect([answer.status, answer.text]).toEqual([400, expect.stringContaining("must be client_ followed by")]);
      await expect(explain(requestIdOf(answer))).rejects.toMatchObject({
        ...{ code: "NOT_FOUND", reason: "refusal_not_found" },
        message: expect.stringMatching(
          /nor does one whose answer says itself what is wrong, as 400.* \(500, 503\) is in the log, by this id\.$/,
        ),
      });
    });

    it("is listed by its key and integration, newest first, by pages of any size (R-X418)", async () => {
      const db = workforce.opened.store.view<WorkforceTables>();
      const { integrationId } = have;
      const issued = await workforce.operator.issueApiKey({
        integrationId,
        label: "listed",
        rateLimit: null,
        scopes: [],
      });
      const apiKeyId = there(issued.apiKey).id as ApiKeyId;
      const rows = [
        ["req_a", 1_000, apiKeyId],
        ["req_B", 1_000, apiKeyId],
        ["req_C", 3_000, null],
        ["req_D", 2_000, apiKeyId],
      ] as const;
      const values = rows.map(([request_id, refused_at, api_key_id]) => ({
        ...{ request_id, refused_at, api_key_id, operation: "listUsers", check_name: "scope.missing", ids: "[]" },
      }));
      await db.insertInto("workforce_gateway_refusals").values(values).execute();
      const listed = async (limit: number, filter: object) => {
        const ids: string[] = [];
        let before: { at: Date | null; requestId: string } | null = null;
        for (;;) {
          const { refusals, more } = await workforce.operator.listGatewayRefusals({ limit, before, ...filter });
          ids.push(...refusals.map(({ requestId }) => requestId));
          const last = refusals.at(-1);
          if (!more || last === undefined) return ids;
          before = { at: last.at, requestId: last.requestId };
        }
      };
      const filters = [{ apiKeyId }, { integrationId }, { integrationId, apiKeyId }, {}];
      const other = { integrationId: newId("integration", systemRandom), apiKeyId };
      for (const limit of [1, 2, 500]) {
        const [ofKey, ofIntegration, ofBoth, all] = await Promise.all(filters.map((filter) => listed(limit, filter)));
        expect([ofKey, ofIntegration, ofBoth, all]).toEqual([
          ["req_D", "req_a", "req_B"],
          ["req_D", "req_a", "req_B"],
          ["req_D", "req_a", "req_B"],
          ["req_C", "req_D", "req_a", "req_B"],
        ]);
        expect(await listed(limit, other)).toEqual([]);
      }
      const { refusals } = await workforce.operator.listGatewayRefusals({ limit: 2, before: null });
      expect(refusals).toMatchObject([
        { requestId: "req_C", apiKeyId: null, integrationId: null },
        {
          ...{ requestId: "req_D", at: new Date(2_000), operation: "listUsers", check: "scope.missing" },
          ...{ apiKeyId, apiKeyLabel: "listed", integrationId, integrationName: "Payroll" },
        },
      ]);
      const wrong = { limit: -1, before: { at: null, requestId: "" }, apiKeyId: "x", integrationId: "y" };
      await expect(workforce.operator.listGatewayRefusals(wrong)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: ["api_key_id", "integration_id", "limit", "before"].map((field) =>
          expect.objectContaining({ field }),
        ),
      });
    });

    it("is written without the key, few of a flood, and deleted after a fortnight", async () => {
      const db = workforce.opened.store.view<WorkforceTables>();
      const stop = new AbortController();
      const loop = there(workforce.loops.find(({ name }) => name === "gateway-refusals")).run(stop.signal);
      const ids: string[] = [];
      for (let index = 0; index < 40; index++)
        ids.push(
          requestIdOf(await gateway.get(`${clientPath("client_BBBBBBBBBBBBBBBBBBBBB")}/job-titles`, have.secret)),
        );
      const rows = () =>
        db.selectFrom("workforce_gateway_refusals").selectAll().where("operation", "=", "listJobTitles").execute();
      await eventually(rows, (all) => all.length >= 30);
      stop.abort();
      await loop;
      expect(await rows()).toHaveLength(30);
      expect(JSON.stringify(await rows())).not.toContain(have.secret.slice(4));
      expect((await explain(there(ids[0]))).check).toBe("tenant_not_found");
      workforce.clock.step(15 * 86_400_000);
      const refusals = gatewayRefusalRepository(db);
      await sweepRefusals({ refusals, clock: workforce.clock }, new AbortController().signal);
      expect(await rows()).toEqual([]);
    });
  });
});
