import fc from "fast-check";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { type FuzzRequest, gatewayRequests, type Known, toBytes } from "../../fuzz/gateway-requests.ts";
import { type RawConnection, rawConnection } from "../../fuzz/raw-connection.ts";
import { faultsOf } from "../../fuzz/verdict.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore } from "../../support/stores.ts";
import { furnish, type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce } from "../workforce-fixture.ts";

/** `make fuzz` sends a hundred thousand to a running product. The seed of a failure is printed; give it here to see it again. */
const SEED = process.env.GATEHOUSE_SEED;
const RUNS = 400;

eachStore((_, open) => {
  let gateway: Gateway;
  let known: Known;
  let connection: RawConnection;

  beforeAll(async () => {
    const workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    const have = await furnish(workforce);
    const list = `/v2/instance-integrations/${have.connectionId}/clients/${have.tenant.id}/workers?limit=1`;
    const answer = await gateway.get(list, have.secret);
    known = {
      goodKeys: [have.secret, have.theirs.secret],
      badKeys: ["", newApiKey(seededRandom())],
      ids: {
        instanceIntegrationId: [have.connectionId, have.connectionId, have.unconfiguredId, have.theirs.connectionId],
        clientId: [have.tenant.id, have.tenant.id, have.bare.id, have.foreignTenant.id],
        userId: [have.user.id, have.nameless.id, have.foreignUser.id],
        workerId: [have.worker.id, have.plain.id, have.foreignWorker.id],
      },
      tags: [answer.headers.get("etag") ?? ""],
      cursors: [/cursor=([^>]+)/.exec(answer.headers.get("link") ?? "")?.[1] ?? ""],
    };
    connection = rawConnection(Number(new URL(gateway.baseUrl).port));
  });
  afterAll(async () => {
    connection.close();
    await gateway.stop();
  });

  it("answers any request within the contract, never with 5xx, and reveals no internals (R-G1, S40, S43)", async () => {
    const statuses = new Set<number>();
    const answered = async (request: FuzzRequest) => {
      const answer = await connection.exchange(toBytes(request), request.method, 10_000);
      statuses.add(answer.status);
      expect(faultsOf(request, answer, known)).toEqual([]);
    };
    const options = { numRuns: RUNS, ...(SEED !== undefined && { seed: Number(SEED) }) };
    await fc.assert(fc.asyncProperty(gatewayRequests(known), answered), options);
    // The requests reach what is behind the refusals.
    expect([...statuses]).toEqual(expect.arrayContaining([200, 400, 401, 404, 405]));
  });
});
