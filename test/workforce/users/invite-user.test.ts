import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
  });

  const owner = async (email: string) => {
    const user = await workforce.user(tenantId, email, { roleName: "Owner" });
    await workforce.signs(user.person.id, instanceId);
    return user;
  };
  const invite = (more = {}) =>
    workforce.platform.inviteUser({
      requestId: "",
      tenantId,
      email: "maren@example.com",
      emailVerified: false,
      ...more,
    });

  describe("InviteUser", () => {
    it("makes an INVITED user with the role asked for", async () => {
      const user = await workforce.user(tenantId, "maren@example.com", { roleName: "Admin", firstName: "Maren" });
      expect(user).toMatchObject({
        id: expect.stringMatching(/^user_/),
        tenantId,
        status: "USER_STATUS_INVITED",
        managerId: null,
        role: { name: "Admin" },
        person: { email: "maren@example.com", emailVerified: false, firstName: "Maren", lastName: null },
        createdAt: workforce.clock.now(),
      });
    });

    it("emits one user.created with the default manager and the role asked for (R-G17, R-E1)", async () => {
      const manager = await owner("owner@example.com");
      await workforce.events();
      const user = await workforce.user(tenantId, "maren@example.com", { roleName: "Admin", firstName: "Maren" });
      expect(await workforce.events()).toEqual([
        {
          eventType: "user.created",
          entity: { type: "user", id: user.id },
          instanceId,
          tenantId,
          data: {
            userId: user.id,
            clientId: tenantId,
            email: "maren@example.com",
            firstName: "Maren",
            lastName: null,
            fullName: "Maren",
            status: "INVITED",
            manager: { id: manager.id, firstName: null, lastName: null, fullName: null, email: "owner@example.com" },
            role: { id: String(user.role?.id), name: "Admin" },
            createdAt: workforce.clock.now().toISOString(),
          },
          selfPath: `/v1/instance-integrations/{instanceIntegrationId}/clients/${tenantId}/users/${user.id}`,
        },
      ]);
    });

    it("uses the person who has the address, compared as R-D2 says, and keeps their names", async () => {
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const first = await workforce.user(elsewhere, "maren@example.com", { firstName: "Maren", lastName: "Dahl" });
      const { person } = await workforce.user(tenantId, " MAREN@example.com", {
        firstName: "Somebody",
        emailVerified: true,
      });
      expect(person).toEqual({ ...first.person, emailVerified: true });
    });

    it("gives no names to a person who is there without any, as onboarding would (R-D2)", async () => {
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const first = await workforce.user(elsewhere, "maren@example.com");
      const { person } = await workforce.user(tenantId, "maren@example.com", { firstName: "Maren", lastName: "Dahl" });
      expect(person).toEqual(first.person);
      expect(person).toMatchObject({ firstName: null, lastName: null });
    });

    it("keeps an address verified when a later invitation does not verify it (R-S8)", async () => {
      const elsewhere = (await workforce.tenant(instanceId)).id;
      await workforce.user(elsewhere, "maren@example.com", { emailVerified: true });
      const { person } = await workforce.user(tenantId, "maren@example.com");
      expect(person.emailVerified).toBe(true);
    });

    it("gives one person to two parallel invitations of a new address", async () => {
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const racers = (await workforce.opened.racers(2)).map((one) => workforceOver(one, workforce.clock));
      const users = await Promise.all([
        there(racers[0]).user(tenantId, "new@example.com"),
        there(racers[1]).user(elsewhere, "new@example.com"),
      ]);
      expect(new Set(users.map(({ person }) => person.id)).size).toBe(1);
    });

    it("refuses a second seat in the tenant, and accepts the address again once the first is deleted (R-G17)", async () => {
      const first = await workforce.user(tenantId, "maren@example.com");
      expect(await refusal(invite())).toMatchObject({ code: "ALREADY_EXISTS", reason: "user_exists" });
      await workforce.platform.deleteUser({ requestId: "", userId: first.id });
      const second = await workforce.user(tenantId, "maren@example.com");
      expect(second.id).not.toBe(first.id);
      expect(second.person.id).toBe(first.person.id);
    });

    it("answers a repeat with the first answer, also when both arrive at once (R-G18)", async () => {
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const request = { requestId: "invite-maren", tenantId, email: "maren@example.com", emailVerified: false };
      const answers = await Promise.all(
        racers.flatMap(({ platform }) => [platform.inviteUser(request), platform.inviteUser(request)]),
      );
      expect(new Set(answers.map(({ user }) => user?.id)).size).toBe(1);
    });

    it("refuses an unknown tenant, role and inviting user, each with its reason", async () => {
      expect(await refusal(invite({ tenantId: "client_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "tenant_not_found",
      });
      expect(await refusal(invite({ roleName: "Boss" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "access_role_not_found",
        message: "The tenant has no access role of that name. It has: Owner, Admin, Member.",
      });
      expect(await refusal(invite({ invitedByUserId: "user_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "user_not_found",
      });
    });

    it("stores nothing of a refused invitation", async () => {
      await refusal(invite({ email: "new@example.com", invitedByUserId: "user_AAAAAAAAAAAAAAAAAAAAA" }));
      await refusal(invite({ email: "new@example.com", roleName: "Boss" }));
      expect(await workforce.signIn.findPerson({ email: "new@example.com" })).toMatchObject({ personId: null });
    });

    it("names every wrong field at once", async () => {
      const wrong = { tenantId: "client_", email: "maren", firstName: "x".repeat(101), invitedByUserId: "me" };
      expect((await refusal(invite(wrong))).violations.map(({ field }) => field)).toEqual([
        "tenant_id",
        "email",
        "first_name",
        "invited_by_user_id",
      ]);
    });
  });

  describe("the default manager (R-G17)", () => {
    it("is the inviting user of the same tenant", async () => {
      await owner("owner@example.com");
      const inviter = await workforce.user(tenantId, "inviter@example.com");
      const user = await workforce.user(tenantId, "maren@example.com", { invitedByUserId: inviter.id });
      expect(user.managerId).toBe(inviter.id);
    });

    it("is the oldest ACTIVE Owner when a user of another tenant invites", async () => {
      const invited = await workforce.user(tenantId, "invited-owner@example.com", { roleName: "Owner" });
      const oldest = await owner("owner@example.com");
      await owner("younger@example.com");
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const inviter = await workforce.user(elsewhere, "inviter@example.com");
      const user = await workforce.user(tenantId, "maren@example.com", { invitedByUserId: inviter.id });
      expect([user.managerId, invited.status]).toEqual([oldest.id, "USER_STATUS_INVITED"]);
    });

    it("is absent without an ACTIVE Owner", async () => {
      await workforce.user(tenantId, "owner@example.com", { roleName: "Owner" });
      expect((await workforce.user(tenantId, "maren@example.com")).managerId).toBeNull();
    });

    it("is never a user that is deleted at the same time", async () => {
      const manager = await owner("owner@example.com");
      const [one, two] = (await workforce.opened.racers(2)).map((racer) => workforceOver(racer, workforce.clock));
      await Promise.all([
        there(one).platform.deleteUser({ requestId: "", userId: manager.id }),
        ...["a", "b", "c", "d"].map((name) => there(two).user(tenantId, `${name}@example.com`)),
      ]);
      const { rows } = await workforce.raw(`select id from workforce_users where manager_id = '${manager.id}'`);
      expect(rows).toEqual([]);
    });
  });
});
