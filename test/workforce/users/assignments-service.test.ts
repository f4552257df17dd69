import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const UNKNOWN_USER = "user_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
  });

  const assignManager = async (userId: string, managerId: string | null, more = {}) =>
    there((await workforce.platform.assignManager({ requestId: "", userId, managerId, ...more })).user);
  const assignRole = async (userId: string, roleName: string | null) =>
    there((await workforce.platform.assignRole({ requestId: "", userId, roleName })).user);
  const remove = (userId: string) => workforce.platform.deleteUser({ requestId: "", userId });
  const told = async () =>
    (await workforce.events()).map(({ eventType, data }) => [eventType, data.userId, data.manager, data.role]);
  const revision = () => workforce.revision("workforce_tenants", tenantId);
  /** Users of the tenant, each managed by the one before. */
  const chain = async (length: number) => {
    const ids: string[] = [];
    for (let index = 0; index < length; index++) {
      const { id } = await workforce.user(tenantId, `c${index}@example.com`, { firstName: `C${index}` });
      if (index > 0) await assignManager(id, ids[index - 1] ?? "");
      ids.push(id);
    }
    await workforce.events();
    return ids as [string, string, ...string[]];
  };

  describe("AssignManager", () => {
    it("sets a manager and removes it, each with one user.updated and a raised revision (spec §6.2)", async () => {
      const [manager, user] = [
        await workforce.user(tenantId, "owner@example.com", { firstName: "Aiko" }),
        await workforce.user(tenantId, "maren@example.com"),
      ];
      await workforce.events();
      const before = await revision();
      expect((await assignManager(user.id, manager.id)).managerId).toBe(manager.id);
      expect((await assignManager(user.id, null)).managerId).toBeNull();
      const shown = {
        id: manager.id,
        firstName: "Aiko",
        lastName: null,
        fullName: "Aiko",
        email: "owner@example.com",
      };
      expect(await told()).toEqual([
        ["user.updated", user.id, shown, null],
        ["user.updated", user.id, null, null],
      ]);
      expect(await revision()).toBe(before + 2);
    });

    it("neither changes nor emits anything when that is the manager already", async () => {
      const [top, user] = await chain(2);
      const before = await revision();
      expect((await assignManager(user, top)).managerId).toBe(top);
      expect((await assignManager(top, null)).managerId).toBeNull();
      expect([await told(), await revision()]).toEqual([[], before]);
    });

    it("refuses circles of any length", async () => {
      const ids = await chain(4);
      for (const below of ids)
        expect(await refusal(assignManager(ids[0], below))).toMatchObject({
          code: "FAILED_PRECONDITION",
          reason: "manager_cycle",
        });
      expect(await told()).toEqual([]);
      expect((await assignManager(ids[3] ?? "", ids[0])).managerId).toBe(ids[0]);
    });

    it("of two assignments at once that would close a circle, one is refused", async () => {
      const [one, other] = [
        await workforce.user(tenantId, "one@example.com"),
        await workforce.user(tenantId, "other@example.com"),
      ];
      const [left, right] = (await workforce.opened.racers(2)).map((store) => workforceOver(store, workforce.clock));
      const outcome = (call: Promise<unknown>) =>
        call.then(
          () => "assigned",
          ({ reason }) => reason,
        );
      const outcomes = await Promise.all([
        outcome(there(left).platform.assignManager({ requestId: "", userId: one.id, managerId: other.id })),
        outcome(there(right).platform.assignManager({ requestId: "", userId: other.id, managerId: one.id })),
      ]);
      expect(outcomes.toSorted()).toEqual(["assigned", "manager_cycle"]);
    });

    it("refuses managers that are unknown, deleted or of another tenant, and deleted users", async () => {
      const user = await workforce.user(tenantId, "maren@example.com");
      const gone = await workforce.user(tenantId, "gone@example.com");
      await remove(gone.id);
      const foreign = await workforce.user((await workforce.tenant(instanceId)).id, "foreign@example.com");
      const refused = async (userId: string, managerId: string) => {
        const { code, reason } = await refusal(assignManager(userId, managerId));
        return [code, reason];
      };
      expect(await refused(user.id, UNKNOWN_USER)).toEqual(["NOT_FOUND", "user_not_found"]);
      expect(await refused(UNKNOWN_USER, user.id)).toEqual(["NOT_FOUND", "user_not_found"]);
      expect(await refused(user.id, gone.id)).toEqual(["FAILED_PRECONDITION", "manager_not_eligible"]);
      expect(await refused(user.id, foreign.id)).toEqual(["FAILED_PRECONDITION", "manager_not_eligible"]);
      expect(await refused(gone.id, user.id)).toEqual(["FAILED_PRECONDITION", "user_status"]);
    });

    it("answers a repeat with the first answer (R-G18)", async () => {
      const [top, user] = await chain(2);
      const first = await assignManager(user, null, { requestId: "once" });
      await assignManager(user, top);
      expect(await assignManager(user, null, { requestId: "once" })).toEqual(first);
    });
  });

  describe("AssignRole", () => {
    it("sets a role and removes it, each with one user.updated and a raised revision (spec §6.2)", async () => {
      const { id } = await workforce.user(tenantId, "maren@example.com");
      await workforce.events();
      const before = await revision();
      const { role } = await assignRole(id, "Admin");
      expect(role?.name).toBe("Admin");
      expect((await assignRole(id, null)).role).toBeNull();
      expect(await told()).toEqual([
        ["user.updated", id, null, { id: String(role?.id), name: "Admin" }],
        ["user.updated", id, null, null],
      ]);
      expect(await revision()).toBe(before + 2);
    });

    it("neither changes nor emits anything when that is the role already", async () => {
      const { id } = await workforce.user(tenantId, "maren@example.com", { roleName: "Admin" });
      await workforce.events();
      const before = await revision();
      expect((await assignRole(id, "Admin")).role?.name).toBe("Admin");
      expect([await told(), await revision()]).toEqual([[], before]);
    });

    it("refuses unknown roles, those of another tenant, unknown and deleted users (R-X46)", async () => {
      const { id } = await workforce.user(tenantId, "maren@example.com");
      const other = (await workforce.tenant(instanceId)).id;
      await workforce.platform.createAccessRole({ requestId: "", tenantId: other, name: "Payroll", permissions: [] });
      expect(await refusal(assignRole(id, "Payroll"))).toMatchObject({
        code: "NOT_FOUND",
        reason: "access_role_not_found",
      });
      expect(await refusal(assignRole(UNKNOWN_USER, "Admin"))).toMatchObject({ reason: "user_not_found" });
      await remove(id);
      expect(await refusal(assignRole(id, "Admin"))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "user_status",
      });
    });
  });
});
