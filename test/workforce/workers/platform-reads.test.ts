import type { PageStart } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let tenantId: string;
  let ids: string[];

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    const instanceId = await workforce.instance();
    tenantId = (await workforce.tenant(instanceId)).id;
    const other = (await workforce.tenant(instanceId)).id;
    await workforce.worker(other, "foreign@example.com");
    ids = [];
    for (const name of ["a", "b", "c", "d", "e"])
      ids.push((await workforce.worker(tenantId, `${name}@example.com`)).id);
    await workforce.platform.endWorker({ requestId: "", workerId: ids[1] ?? "" });
  });

  const pages = async (limit: number | null, includeEnded: boolean) => {
    const found: string[][] = [];
    for (let after: PageStart | null = null; ; ) {
      const { workers, next } = await workforce.platform.listWorkersOfTenant({ tenantId, limit, after, includeEnded });
      found.push(workers.map(({ id }) => id));
      if (next === null) return found;
      after = next;
    }
  };

  it("ListWorkersOfTenant lists current workers, oldest first, page by page", async () => {
    const [a, , c, d, e] = ids;
    expect(await pages(2, false)).toEqual([
      [a, c],
      [d, e],
    ]);
    expect(await pages(null, false)).toEqual([[a, c, d, e]]);
  });

  it("ListWorkersOfTenant lists ended ones too when asked for (R-G16)", async () => {
    const [a, b, c, d, e] = ids;
    expect(await pages(2, true)).toEqual([[a, b], [c, d], [e]]);
    const { workers } = await workforce.platform.listWorkersOfTenant({ tenantId, after: null, includeEnded: true });
    expect(workers.map(({ endedAt }) => endedAt !== null)).toEqual([false, true, false, false, false]);
  });

  it("ReadWorker returns a worker as it was onboarded", async () => {
    const { workers } = await workforce.platform.listWorkersOfTenant({ tenantId, after: null, includeEnded: false });
    expect(await workforce.platform.readWorker({ workerId: ids[0] ?? "" })).toEqual({ worker: workers[0] });
  });

  it("reads refuse unknown tenants, and impossible pages", async () => {
    const list = (more: object) =>
      refusal(workforce.platform.listWorkersOfTenant({ tenantId, after: null, includeEnded: false, ...more }));
    expect(await list({ tenantId: "client_AAAAAAAAAAAAAAAAAAAAA" })).toMatchObject({
      code: "NOT_FOUND",
      reason: "tenant_not_found",
    });
    for (const limit of [0, 1_001, -1])
      expect(await list({ limit })).toMatchObject({ code: "INVALID_ARGUMENT", violations: [{ field: "limit" }] });
  });
});
