import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore } from "../../support/stores.ts";
import { crowd } from "../crowd.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

const COUNT = 50_000;

eachStore((_, open) => {
  describe("a list of 50,000 workers", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let secret: string;
    let instanceId: string;
    let connectionId: string;
    let path: string;
    let ids: readonly string[];

    beforeAll(async () => {
      workforce = await openWorkforce(open);
      gateway = await startGateway(workforce.registrations);
      instanceId = await workforce.instance();
      ({ secret, connectionId } = await workforce.integration(instanceId));
      const tenant = await workforce.tenant(instanceId);
      path = `instance-integrations/${connectionId}/clients/${tenant.id}`;
      // Seven of one instant, so that batches end between entries of the same age.
      const instants = Array.from({ length: COUNT }, (__, index) => 1_000_000 + Math.floor(index / 7));
      const made = await crowd(workforce, tenant.id, instants);
      const inOrder = made.toSorted((a, b) => a.createdAt - b.createdAt || (a.workerId < b.workerId ? -1 : 1));
      ids = inOrder.map(({ workerId }) => workerId);
    }, 120_000);
    afterAll(() => gateway.stop());

    it.each(["v1", "v2"])(
      "comes whole and in order, each worker once, in one call, and keeps the contract (%s)",
      async (version) => {
        gateway.takeCalls();
        const answer = await gateway.get(`/${version}/${path}/workers`, secret);
        expect([answer.status, gateway.takeCalls().length]).toEqual([200, 1]);
        expect([answer.headers.get("transfer-encoding"), answer.headers.get("content-length")]).toEqual([
          "chunked",
          null,
        ]);
        const entries = answer.json<{ id: string }[]>();
        expect(entries.map(({ id }) => id)).toEqual(ids);
        expect(answer.text === JSON.stringify(entries)).toBe(true);
      },
      120_000,
    );

    it("is not read when the integrator has the current copy (R-G10)", async () => {
      const { headers } = await gateway.get(`/v1/${path}/workers`, secret, { method: "HEAD" });
      const again = await gateway.get(`/v1/${path}/workers`, secret, {
        headers: { "if-none-match": headers.get("etag") ?? "" },
      });
      expect([again.status, again.text]).toEqual([304, ""]);
    });
  });

  it("lists 1,100 clients (spec §4.2)", async () => {
    const workforce = await openWorkforce(open);
    const gateway = await startGateway(workforce.registrations);
    const instanceId = await workforce.instance();
    const { secret, connectionId } = await workforce.integration(instanceId);
    const random = seededRandom();
    const made = Array.from({ length: 1_100 }, (__, index) => ({
      id: `client_${newApiKey(random).slice(4, 25)}`,
      at: Math.floor(index / 3),
    }));
    const rows = made.map(({ id, at }) => `('${id}', '${instanceId}', 'Nº ${at} Ærlig', 1, ${at})`);
    await workforce.raw(
      `insert into workforce_tenants (id, instance_id, name, revision, created_at) values ${rows.join(", ")}`,
    );
    const answer = await gateway.get(`/v1/instance-integrations/${connectionId}/clients`, secret);
    const inOrder = made.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
    expect(answer.json<{ id: string }[]>().map(({ id }) => id)).toEqual(inOrder.map(({ id }) => id));
    await gateway.stop();
  });
});
