import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const UNKNOWN = "client_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, tenantId } = await openTenant(open));
    await workforce.events();
  });

  const create = async (name: string, permissions: string[] = [], more = {}) => {
    const request = { requestId: "", tenantId, name, permissions, ...more };
    return there((await workforce.platform.createAccessRole(request)).role);
  };
  const update = async (accessRoleId: number, updateMask: string[], more = {}) => {
    const request = { requestId: "", tenantId, accessRoleId, updateMask, name: "", permissions: [], ...more };
    return there((await workforce.platform.updateAccessRole(request)).role);
  };
  const list = async () => (await workforce.platform.listAccessRolesOfTenant({ tenantId })).roles;
  const revision = () => workforce.revision("workforce_tenants", tenantId);

  it("a tenant begins with three roles without permissions, in their order", async () => {
    expect((await list()).map(({ role, kind, permissions }) => [role?.name, kind, permissions])).toEqual([
      ["Owner", "ACCESS_ROLE_KIND_OWNER", []],
      ["Admin", "ACCESS_ROLE_KIND_ADMIN", []],
      ["Member", "ACCESS_ROLE_KIND_MEMBER", []],
    ]);
  });

  it("CreateAccessRole makes a custom one, its permissions sorted by code point; no user's answer changes yet (R-X48)", async () => {
    const before = await revision();
    const made = await create(" Payroll ", ["payroll.write", "payroll.read", "payroll:read", "2fa-reset", "_x"]);
    expect(made).toEqual({
      role: { id: expect.any(Number), name: "Payroll" },
      tenantId,
      kind: "ACCESS_ROLE_KIND_CUSTOM",
      permissions: ["2fa-reset", "_x", "payroll.read", "payroll.write", "payroll:read"],
    });
    expect((await list()).at(-1)).toEqual(made);
    expect([await revision(), await workforce.events()]).toEqual([before, []]);
  });

  it("lists roles in pages, and names the field of a limit that is out of bounds (R-G9)", async () => {
    const { role: payroll } = await create("Payroll", ["payroll.read"]);
    const page = async (limit: number, after?: number | null) => {
      const asked = { tenantId, limit, after };
      const { roles, next } = await workforce.platform.listAccessRolesOfTenant(asked);
      return { names: roles.map(({ role }) => role?.name), next };
    };
    const first = await page(2);
    expect(first).toEqual({ names: ["Owner", "Admin"], next: expect.any(Number) });
    expect(await page(2, first.next)).toEqual({ names: ["Member", "Payroll"], next: null });
    expect(await page(4)).toEqual({ names: ["Owner", "Admin", "Member", "Payroll"], next: null });
    expect((await page(2, payroll?.id)).names).toEqual([]);
    for (const limit of [0, 1_001])
      expect(await refusal(page(limit))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [expect.objectContaining({ field: "limit" })],
      });
  });

  it("a page of roles without a limit has 1000, though each is as large as it may be", async () => {
    const permissions = Array.from({ length: 200 }, (__, index) => `${"x".repeat(96)}.${100 + index}`);
    await create("Largest", permissions);
    await workforce.raw(
      `insert into workforce_access_roles (tenant_id, kind, name, permissions)
       with recursive numbers (n) as (select 1 union all select n + 1 from numbers where n < 1700)
       select '${tenantId}', 'CUSTOM', 'Role ' || n, '${JSON.stringify(permissions)}' from numbers`,
    );
    const { roles, next } = await workforce.platform.listAccessRolesOfTenant({ tenantId });
    expect([roles.length, next]).toEqual([1_000, roles.at(-1)?.role?.id]);
  });

  it("CreateAccessRole refuses a name that is taken, also when two ask for it at once, and accepts it in another tenant", async () => {
    expect(await refusal(create("Admin"))).toMatchObject({ code: "ALREADY_EXISTS", reason: "access_role_exists" });
    const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
    const outcomes = await Promise.all(
      racers.map(({ platform }) =>
        platform.createAccessRole({ requestId: "", tenantId, name: "Payroll", permissions: [] }).then(
          () => "made",
          ({ reason }) => reason,
        ),
      ),
    );
    expect(outcomes.toSorted()).toEqual(["access_role_exists", "access_role_exists", "access_role_exists", "made"]);
    const other = (await workforce.tenant(await workforce.instance())).id;
    expect((await create("Payroll", [], { tenantId: other })).tenantId).toBe(other);
  });

  it("permissions have a form and a limit, and are returned once each", async () => {
    const violations = async (permissions: string[]) =>
      (await refusal(create("Payroll", permissions))).violations.map(({ field }) => field);
    expect(await violations(["payroll.read", "Payroll", "a..b", ".a", "a.", "a b", ""])).toEqual([
      "permissions[6]",
      "permissions[1]",
      "permissions[2]",
      "permissions[3]",
      "permissions[4]",
      "permissions[5]",
    ]);
    expect(await violations(["a", "b", "a"])).toEqual(["permissions"]);
    expect(await violations(["x".repeat(101)])).toEqual(["permissions[0]"]);
    const many = Array.from({ length: 201 }, (_unused, index) => `p${index}`);
    expect(await violations(many)).toEqual(["permissions"]);
    expect((await create("Payroll", many.slice(1))).permissions).toHaveLength(200);
    expect((await create("Longest", ["x".repeat(100)])).permissions).toHaveLength(1);
  });

  it("UpdateAccessRole renames for every user: the tenant's revision rises, no event is emitted (R-G17)", async () => {
    const { role } = await create("Payroll", ["payroll.read"]);
    const { id } = await workforce.user(tenantId, "maren@example.com", { roleName: "Payroll" });
    await workforce.events();
    const before = await revision();
    const renamed = await update(there(role).id, ["name"], {
      name: "Wages",
      permissions: ["not.looked-at", "NOR THIS"],
    });
    expect(renamed).toMatchObject({ role: { id: role?.id, name: "Wages" }, permissions: ["payroll.read"] });
    expect((await workforce.platform.readUser({ userId: id })).user?.role).toEqual({ id: role?.id, name: "Wages" });
    expect([await revision(), await workforce.events()]).toEqual([before + 1, []]);
  });

  it("UpdateAccessRole changes permissions, which no read shows, of standard roles too", async () => {
    const admin = there((await list())[1]?.role);
    const before = await revision();
    expect((await update(admin.id, ["permissions"], { permissions: ["b", "a"] })).permissions).toEqual(["a", "b"]);
    expect((await update(admin.id, ["permissions"])).permissions).toEqual([]);
    expect(await revision()).toBe(before);
  });

  it("UpdateAccessRole refuses a taken name, an unknown role, one of another tenant, an unknown tenant", async () => {
    const payroll = there((await create("Payroll")).role);
    expect(await refusal(update(payroll.id, ["name"], { name: "Owner" }))).toMatchObject({
      code: "ALREADY_EXISTS",
      reason: "access_role_exists",
    });
    expect((await update(payroll.id, ["name"], { name: "Payroll" })).role?.name).toBe("Payroll");
    const other = (await workforce.tenant(await workforce.instance())).id;
    const unknownRole = { code: "NOT_FOUND", reason: "access_role_not_found" };
    expect(await refusal(update(4711, ["name"], { name: "x" }))).toMatchObject(unknownRole);
    expect(await refusal(update(payroll.id, ["name"], { name: "x", tenantId: other }))).toMatchObject(unknownRole);
    const unknownTenant = { code: "NOT_FOUND", reason: "tenant_not_found" };
    expect(await refusal(update(payroll.id, ["name"], { name: "x", tenantId: UNKNOWN }))).toMatchObject(unknownTenant);
    expect(await refusal(create("x", [], { tenantId: UNKNOWN }))).toMatchObject(unknownTenant);
    expect(await refusal(workforce.platform.listAccessRolesOfTenant({ tenantId: UNKNOWN }))).toMatchObject(
      unknownTenant,
    );
    expect((await refusal(update(payroll.id, ["kind"]))).violations.map(({ field }) => field)).toContain("update_mask");
  });
});
