import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, tenantId } = await openTenant(open));
  });

  const user = (email: string, roleName?: string) =>
    workforce.user(tenantId, email, roleName === undefined ? {} : { roleName });
  const edit = async (userId: string, permissions: string[], more = {}) => {
    const answer = await workforce.platform.editUserPermissions({ requestId: "", userId, permissions, ...more });
    return { user: there(answer.user), role: there(answer.role) };
  };
  const custom = async (name: string, permissions: string[] = []) =>
    there((await workforce.platform.createAccessRole({ requestId: "", tenantId, name, permissions })).role);
  const told = async () => (await workforce.events()).map(({ eventType, data }) => [eventType, data.userId, data.role]);
  const roles = async () => (await workforce.platform.listAccessRolesOfTenant({ tenantId })).roles;
  const revision = () => workforce.revision("workforce_tenants", tenantId);

  describe("EditUserPermissions (R-E3)", () => {
    it("replaces a standard role with a custom one, also when no other user has it, and emits that", async () => {
      const { id } = await user("maren@example.com", "Admin");
      await workforce.events();
      const [before, was] = [await roles(), await revision()];

      const edited = await edit(id, ["payroll.write", "payroll.read"]);

      expect(edited.role).toEqual({
        role: { id: expect.any(Number), name: "Admin (custom)" },
        tenantId,
        kind: "ACCESS_ROLE_KIND_CUSTOM",
        permissions: ["payroll.read", "payroll.write"],
      });
      expect(edited.user.role).toEqual(edited.role.role);
      expect((await workforce.platform.readUser({ userId: id })).user).toEqual(edited.user);
      expect(await roles()).toEqual([...before, edited.role]);
      expect(await told()).toEqual([
        ["user.updated", id, { id: String(edited.role.role?.id), name: "Admin (custom)" }],
      ]);
      expect(await revision()).toBe(was + 1);
    });

    it("leaves a custom role to the others who share it, and numbers the names that it makes up", async () => {
      const payroll = await custom("Payroll", ["payroll.read"]);
      const [one, two, three] = [
        await user("one@example.com", "Payroll"),
        await user("two@example.com", "Payroll"),
        await user("three@example.com", "Payroll"),
      ];
      await workforce.events();
      expect((await edit(one.id, [])).role.role?.name).toBe("Payroll (custom)");
      expect((await edit(two.id, ["x"])).role.role?.name).toBe("Payroll (custom 2)");
      expect((await workforce.platform.readUser({ userId: three.id })).user?.role).toEqual(payroll.role);
      expect((await told()).map(([type, id]) => [type, id])).toEqual([
        ["user.updated", one.id],
        ["user.updated", two.id],
      ]);
    });

    it("changes a custom role that only this user has, DELETED users aside; reads do not show that, so no event is emitted (R-X44)", async () => {
      const payroll = await custom("Payroll", ["payroll.read"]);
      const gone = await user("gone@example.com", "Payroll");
      await workforce.platform.deleteUser({ requestId: "", userId: gone.id });
      const { id } = await user("maren@example.com", "Payroll");
      await workforce.events();
      const was = await revision();
      expect((await edit(id, ["x"], { roleName: "Not needed" })).role).toEqual({ ...payroll, permissions: ["x"] });
      expect((await roles()).at(-1)).toEqual({ ...payroll, permissions: ["x"] });
      expect([await told(), await revision()]).toEqual([[], was]);
    });

    it("does nothing when these are the permissions already, in whatever order", async () => {
      const shared = await custom("Payroll", ["a", "b"]);
      const { id } = await user("maren@example.com", "Payroll");
      await user("other@example.com", "Payroll");
      await workforce.events();
      const was = await roles();
      expect((await edit(id, ["b", "a"])).role).toEqual(shared);
      expect([await told(), await roles()]).toEqual([[], was]);
    });

    it("accepts the name that is given, unless it is taken", async () => {
      const { id } = await user("maren@example.com", "Admin");
      await workforce.events();
      expect(await refusal(edit(id, ["x"], { roleName: "Owner" }))).toMatchObject({
        code: "ALREADY_EXISTS",
        reason: "access_role_exists",
      });
      expect(await told()).toEqual([]);
      expect((await edit(id, ["x"], { roleName: "Night shift" })).user.role?.name).toBe("Night shift");
    });

    it("refuses a user without a role, a deleted one and an unknown one", async () => {
      const { id } = await user("maren@example.com");
      expect(await refusal(edit(id, ["x"]))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "user_without_role",
        message: expect.stringContaining("Assign one first"),
      });
      await workforce.platform.deleteUser({ requestId: "", userId: id });
      expect(await refusal(edit(id, ["x"]))).toMatchObject({ code: "FAILED_PRECONDITION", reason: "user_status" });
      expect(await refusal(edit("user_AAAAAAAAAAAAAAAAAAAAA", ["x"]))).toMatchObject({ reason: "user_not_found" });
    });

    it("answers a repeat with the first answer and makes one role (R-G18)", async () => {
      const { id } = await user("maren@example.com", "Admin");
      const first = await edit(id, ["x"], { requestId: "once" });
      expect(await edit(id, ["x"], { requestId: "once" })).toEqual(first);
      expect(await roles()).toHaveLength(4);
    });
  });
});
