import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
  });

  const list = (more: Partial<Parameters<typeof workforce.platform.listUsersOfTenant>[0]> = {}) =>
    workforce.platform.listUsersOfTenant({ tenantId, after: null, includeDeleted: false, ...more });
  const seats = async (count: number) => {
    const ids: string[] = [];
    for (let index = 0; index < count; index++) ids.push((await workforce.user(tenantId, `u${index}@example.com`)).id);
    return ids;
  };

  it("ReadUser returns one by id, deleted ones too", async () => {
    const user = await workforce.user(tenantId, "maren@example.com", { roleName: "Admin" });
    const read = async () => (await workforce.platform.readUser({ userId: user.id })).user;
    expect(await read()).toEqual(user);
    await workforce.platform.deleteUser({ requestId: "", userId: user.id });
    expect(await read()).toEqual({ ...user, status: "USER_STATUS_DELETED" });
  });

  it("ListUsersOfTenant lists the tenant's own, oldest first, deleted ones when asked for", async () => {
    const ids = await seats(3);
    await workforce.user((await workforce.tenant(instanceId)).id, "foreign@example.com");
    await workforce.platform.deleteUser({ requestId: "", userId: ids[1] ?? "" });
    expect((await list()).users.map(({ id }) => id)).toEqual([ids[0], ids[2]]);
    const all = await list({ includeDeleted: true });
    expect(all.users.map(({ id, status }) => [id, status])).toEqual([
      [ids[0], "USER_STATUS_INVITED"],
      [ids[1], "USER_STATUS_DELETED"],
      [ids[2], "USER_STATUS_INVITED"],
    ]);
    expect(all.next).toBeNull();
  });

  it("goes from page to page by creation time and id, with each user once", async () => {
    const ids = await seats(5);
    const seen: string[] = [];
    let after: Awaited<ReturnType<typeof list>>["next"] = null;
    do {
      const { users, next }: Awaited<ReturnType<typeof list>> = await list({ limit: 2, after });
      seen.push(...users.map(({ id }) => id));
      after = next;
    } while (after !== null);
    expect(seen).toEqual(ids);
  });

  it("a page without a limit has 1000 entries", async () => {
    const [id] = await seats(1);
    const { person_id } = (await workforce.raw(`select person_id from workforce_users where id = '${id}'`)).rows[0] as {
      person_id: string;
    };
    await workforce.raw(
      `insert into workforce_users (id, tenant_id, person_id, status, created_at)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1000)
       select 'user_' || (1000 + n), '${tenantId}', '${person_id}', 'DELETED', 0 from numbers`,
    );
    const { users, next } = await list({ includeDeleted: true });
    expect([users.length, next?.id]).toEqual([1_000, "user_2000"]);
  });

  it("refuses unknown users and tenants, and impossible pages", async () => {
    expect(await refusal(workforce.platform.readUser({ userId: "user_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "user_not_found",
    });
    expect(await refusal(list({ tenantId: "client_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
      code: "NOT_FOUND",
      reason: "tenant_not_found",
    });
    for (const limit of [0, 1_001, -1])
      expect((await refusal(list({ limit }))).violations.map(({ field }) => field)).toEqual(["limit"]);
  });
});
