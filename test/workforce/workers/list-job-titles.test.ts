import type { ListJobTitlesRequest } from "../../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import type { TenantId, WorkerId } from "../../../src/runtime/basis/ids.ts";
import type { GatewayCall } from "../../../src/workforce/integrations/caller.ts";
import type { Reach } from "../../../src/workforce/integrations/reach.ts";
import type { PageStart } from "../../../src/workforce/page.ts";
import { type WorkerRepository, workerRepository } from "../../../src/workforce/workers/worker-repository.ts";
import { listJobTitles } from "../../../src/workforce/workers/workers-service.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";
import { crowd } from "../crowd.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

/** Three parts of the workers that are read at once. */
const COUNT = 5_000;

describe("the parts in which job titles are read", () => {
  const start: PageStart<WorkerId> = { createdAt: new Date(0), id: "worker_1" as WorkerId };
  const reach: Reach = {
    integrationRevision: 1,
    connection: { configured: true, instance: {} as never, tenant: { id: "client_1" as TenantId, revision: 7 } },
  };

  /** Reads three parts, and notes them and the turns of others; `eachTurn` is done in each of these. */
  const readParts = async (signal: AbortSignal, eachTurn: () => void = () => undefined) => {
    const happened: string[] = [];
    const parts = [start, start];
    const workers = {
      listJobTitles: async () => {
        happened.push("part");
        setImmediate(() => {
          happened.push("turn");
          eachTurn();
        });
        return { combinations: [["Baker"], ["Baker", "Driver"]], next: parts.shift() ?? null };
      },
    } as unknown as WorkerRepository;
    const request = { knownRevision: null } as unknown as ListJobTitlesRequest;
    const answer = listJobTitles({ workers })(request, { reach, signal } as GatewayCall);
    return { happened, answered: await answer.catch((error: unknown) => error) };
  };

  it("let other requests through between them", async () => {
    const { happened, answered } = await readParts(new AbortController().signal);
    expect(answered).toEqual({ jobTitles: ["Baker", "Driver"], revision: 7, unchanged: false });
    expect(happened).toEqual(["part", "turn", "part", "turn", "part"]);
  });

  it("end when their reader has gone", async () => {
    const reader = new AbortController();
    const { happened, answered } = await readParts(reader.signal, () => reader.abort());
    expect(answered).toMatchObject({ code: "CANCELLED" });
    expect(happened).toEqual(["part", "turn"]);
  });
});

eachStore((dialect, open) => {
  describe("the job titles of many workers", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let tenantId: string;
    let get: (path: string) => ReturnType<Gateway["get"]>;

    beforeAll(async () => {
      workforce = await openWorkforce(open);
      gateway = await startGateway(workforce.registrations);
      const instanceId = await workforce.instance();
      const { secret, connectionId } = await workforce.integration(instanceId);
      ({ id: tenantId } = await workforce.tenant(instanceId));
      // Seven of one instant, so that parts end between workers of the same age.
      const instants = Array.from({ length: COUNT }, (_, index) => 1_000_000 + Math.floor(index / 7));
      await crowd(workforce, tenantId, instants);
      get = (path) => gateway.get(`/v1/instance-integrations${path.replace("*", connectionId)}`, secret);
    });
    afterAll(() => gateway.stop());

    const allTitles = async (): Promise<string[]> => {
      const { rows } = await workforce.raw(`select distinct job_titles from workforce_workers`);
      return (rows as { job_titles: string }[]).flatMap(({ job_titles }) => JSON.parse(job_titles) as string[]).sort();
    };

    it("come from all of them, each once", async () => {
      const numbered = {
        sqlite: "'[\"Baker ' || (rowid % 3000) || '\"]'",
        postgres: "'[\"Baker ' || (abs(hashtext(id)) % 3000) || '\"]'",
      }[dialect];
      await workforce.raw(`update workforce_workers set job_titles = ${numbered} where tenant_id = '${tenantId}'`);
      const titles = await allTitles();
      expect(titles.length).toBeGreaterThan(2_000);
      expect((await get(`/*/clients/${tenantId}/job-titles`)).json()).toEqual(titles);
    });

    it("come from all parts, also where one ends between workers of the same age", async () => {
      await workforce.raw(`update workforce_workers set job_titles = '["' || id || '"]'`);
      const workers = workerRepository(workforce.db, 2_000);
      const parts: (readonly string[])[][] = [];
      for (let after: PageStart<WorkerId> | null | undefined; after !== null; ) {
        const { combinations, next } = await workers.listJobTitles(tenantId as TenantId, after ?? null);
        parts.push([...combinations]);
        after = next;
      }
      expect(parts).toHaveLength(3);
      expect([...new Set(parts.flat(2))].sort()).toEqual(await allTitles());
    });

    it("are read of 2,000 workers at a time on the embedded store, and of more on PostgreSQL (R-X332)", async () => {
      await workforce.raw(`update workforce_tenants set revision = revision + 1 where id = '${tenantId}'`);
      const asked = await watchStatements(async () => {
        expect((await get(`/*/clients/${tenantId}/job-titles`)).status).toBe(200);
      });
      expect(asked.filter((statement) => statement.includes("job_titles"))).toHaveLength(
        { sqlite: 3, postgres: 1 }[dialect],
      );
    });
  });
});
