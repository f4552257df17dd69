import { ErasureService } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { collect } from "../../support/collect.ts";
import { eachStore } from "../../support/stores.ts";
import { crowd } from "../crowd.ts";
import { refusal, type Workforce, withKey, workforceOver } from "../workforce-fixture.ts";

/** Four batches. */
const ENTRIES = 1_600;

const instants = Array.from({ length: ENTRIES }, (_, index) => 1_000_000 + index);

interface Reached {
  readonly workforce: Workforce;
  readonly instanceId: string;
  readonly connectionId: string;
  readonly tenantId: string;
  readonly apiKeyId: string;
  readonly integrationId: string;
}

const LISTS = ["listTenants", "listUsers", "listWorkers", "listPlacedWorkers"] as const;

const revokeKey = ({ workforce, apiKeyId }: Reached) => workforce.operator.revokeApiKey({ apiKeyId });

/** What may end what a list shows, and how the integration's next request is refused. */
const ENDS: readonly (readonly [string, string, (reached: Reached) => Promise<unknown>])[] = [
  ["its key is revoked", "unauthenticated", revokeKey],
  ["its key has expired", "unauthenticated", async ({ workforce }) => workforce.clock.step(60_000)],
  [
    "its instance integration is unconfigured",
    "instance_integration_not_configured",
    ({ workforce, connectionId: instanceIntegrationId }) =>
      workforce.operator.configureInstanceIntegration({ requestId: "", instanceIntegrationId, configured: false }),
  ],
  [
    "its instance integration is revoked",
    "instance_integration_not_found",
    ({ workforce, connectionId: instanceIntegrationId }) =>
      workforce.operator.revokeInstanceIntegration({ requestId: "", instanceIntegrationId }),
  ],
  [
    "its tenant is erased",
    "tenant_not_found",
    ({ workforce, tenantId }) => {
      const { registrations } = workforce;
      const { connect } = inProcessCarrier({ peer: "platform", registrations, interceptors: quietBoundary() });
      return connect(ErasureService).erase({ target: { id: { $case: "tenantId", value: tenantId } } });
    },
  ],
];

eachStore((_, open) => {
  describe("a list that is being read (R-X427)", () => {
    let workforce: Workforce;
    let instanceId: string;
    let tenantId: string;

    beforeEach(async () => {
      workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
      instanceId = await workforce.instance();
      tenantId = (await workforce.tenant(instanceId)).id;
      await crowd(workforce, tenantId, instants);
      const rows = instants.map((at) => `('client_${String(at).padStart(21, "0")}', '${instanceId}', 'N', 1, ${at})`);
      await workforce.raw(
        `insert into workforce_tenants (id, instance_id, name, revision, created_at) values ${rows.join(", ")}`,
      );
    });

    /** One of the lists, of which one batch is read; and what its integration reaches. */
    const begin = async (list: (typeof LISTS)[number]) => {
      const { connectionId, integrationId } = await workforce.integration(instanceId);
      const expiresAt = new Date(workforce.clock.now().getTime() + 60_000);
      const issued = await workforce.operator.issueApiKey({
        integrationId,
        label: "test",
        expiresAt,
        rateLimit: null,
        scopes: [],
      });
      const tenant = { tenantId: list === "listTenants" ? "" : tenantId };
      const request = { instanceIntegrationId: connectionId, ...tenant, limit: null, after: null };
      const batches: AsyncIterable<unknown> = workforce.gateway[list](request, withKey(issued.secret));
      const rest = batches[Symbol.asyncIterator]();
      expect((await rest.next()).done).toBe(false);
      const apiKeyId = issued.apiKey?.id ?? "";
      const reached: Reached = { workforce, instanceId, connectionId, tenantId, apiKeyId, integrationId };
      return { reached, rest: { [Symbol.asyncIterator]: () => rest } };
    };

    it.each(ENDS)("shows no further batch once %s: %s", async (__, reason, end) => {
      const { reached, rest } = await begin("listWorkers");
      await end(reached);
      expect(await refusal(rest)).toMatchObject({ reason });
    });

    it.each(ENDS.filter(([end]) => end.startsWith("its instance integration")))(
      "shows no further batch of tenants once %s: %s",
      async (__, reason, end) => {
        const { reached, rest } = await begin("listTenants");
        await end(reached);
        expect(await refusal(rest)).toMatchObject({ reason });
      },
    );

    it.each(LISTS)("shows no further batch of %s once its key is revoked", async (list) => {
      const { reached, rest } = await begin(list);
      await revokeKey(reached);
      expect(await refusal(rest)).toMatchObject({ code: "UNAUTHENTICATED" });
    });

    it("is read to its end while another key of its integration is revoked", async () => {
      const { reached, rest } = await begin("listWorkers");
      const { apiKey } = await workforce.operator.issueApiKey({
        integrationId: reached.integrationId,
        label: "other",
        rateLimit: null,
        scopes: [],
      });
      await revokeKey({ ...reached, apiKeyId: apiKey?.id ?? "" });
      expect(await collect(rest)).toHaveLength(3);
    });
  });
});
