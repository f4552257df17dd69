import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
  });

  const identity = async (personId: string, of = instanceId) =>
    there((await workforce.signIn.getIdentity({ personId, instanceId: of, authenticatedAt: null })).identity);
  const remember = (personId: string, tenantId: string, kind: "SEAT_KIND_USER" | "SEAT_KIND_WORKER") =>
    workforce.platform.setLastLoginContext({ requestId: "", personId, kind, tenantId });

  describe("GetIdentity", () => {
    it("lists ACTIVE users and current workers of the one instance, oldest first (R-S7)", async () => {
      const [first, second, third] = [
        await workforce.tenant(instanceId),
        await workforce.tenant(instanceId),
        await workforce.tenant(instanceId),
      ];
      const elsewhere = await workforce.tenant(await workforce.instance("North America"));
      const email = "maren@example.com";
      const user = await workforce.user(second.id, email, {
        firstName: "Maren",
        lastName: "Dahl",
        emailVerified: true,
      });
      const older = await workforce.user(first.id, email);
      await workforce.user(elsewhere.id, email);
      const worker = await workforce.worker(third.id, email);
      const ended = await workforce.worker(first.id, email);
      await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${ended.id}'`);
      const personId = user.person.id;
      await workforce.signs(personId, instanceId);
      const idle = await workforce.user(third.id, email);

      expect(await identity(personId)).toEqual({
        personId,
        workerProfileId: user.person.workerProfileId,
        email,
        emailVerified: true,
        firstName: "Maren",
        lastName: "Dahl",
        users: [
          { userId: user.id, tenantId: second.id },
          { userId: older.id, tenantId: first.id },
        ],
        workers: [{ workerId: worker.id, tenantId: third.id }],
        lastLoginContext: { kind: "SEAT_KIND_USER", tenantId: second.id },
      });
      expect(idle.status).toBe("USER_STATUS_INVITED");
    });

    it("has no last login context while every seat is INVITED", async () => {
      const tenant = await workforce.tenant(instanceId);
      const { person } = await workforce.user(tenant.id, "maren@example.com");
      expect(await identity(person.id)).toMatchObject({ users: [], workers: [], lastLoginContext: null });
    });

    it("returns nothing about a person without membership", async () => {
      const tenant = await workforce.tenant(instanceId);
      const { person } = await workforce.user(tenant.id, "maren@example.com");
      const request = {
        personId: person.id,
        instanceId: await workforce.instance("North America"),
        authenticatedAt: null,
      };
      expect(await workforce.signIn.getIdentity(request)).toEqual({ membership: "MEMBERSHIP_NONE", identity: null });
      await workforce.raw("update workforce_people set disabled = 1");
      expect(await workforce.signIn.getIdentity({ ...request, instanceId })).toEqual({
        membership: "MEMBERSHIP_DISABLED",
        identity: null,
      });
    });
  });

  describe("SetLastLoginContext (R-S22)", () => {
    it("is remembered per instance, and falls back to a default when the seat is no longer usable", async () => {
      const [one, two] = [await workforce.tenant(instanceId), await workforce.tenant(instanceId)];
      const elsewhere = await workforce.instance("North America");
      const abroad = await workforce.tenant(elsewhere);
      const email = "maren@example.com";
      const worker = await workforce.worker(one.id, email);
      await workforce.worker(abroad.id, email);
      const user = await workforce.user(two.id, email);
      const personId = user.person.id;
      await workforce.signs(personId, instanceId);
      const context = async () => (await identity(personId)).lastLoginContext;

      await remember(personId, one.id, "SEAT_KIND_WORKER");
      await remember(personId, abroad.id, "SEAT_KIND_WORKER");
      expect(await context()).toEqual({ kind: "SEAT_KIND_WORKER", tenantId: one.id });
      expect((await identity(personId, elsewhere)).lastLoginContext?.tenantId).toBe(abroad.id);
      await remember(personId, two.id, "SEAT_KIND_USER");
      expect(await context()).toEqual({ kind: "SEAT_KIND_USER", tenantId: two.id });
      await workforce.platform.disableUser({ requestId: "", userId: user.id });
      expect(await context()).toEqual({ kind: "SEAT_KIND_WORKER", tenantId: one.id });
      await workforce.platform.enableUser({ requestId: "", userId: user.id });
      expect(await context()).toEqual({ kind: "SEAT_KIND_USER", tenantId: two.id });
      await remember(personId, one.id, "SEAT_KIND_WORKER");
      await workforce.raw(`update workforce_workers set ended_at = 1 where id = '${worker.id}'`);
      expect(await context()).toEqual({ kind: "SEAT_KIND_USER", tenantId: two.id });
    });

    it("refuses a seat that the person cannot use, and says what to do", async () => {
      const tenant = await workforce.tenant(instanceId);
      const { person } = await workforce.user(tenant.id, "maren@example.com");
      expect(await refusal(remember(person.id, tenant.id, "SEAT_KIND_USER"))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "seat_not_usable",
        message: "The person has no ACTIVE user in this tenant. Name a seat that the person can use.",
      });
    });

    it("refuses unknown people, tenants and kinds", async () => {
      const tenant = await workforce.tenant(instanceId);
      const { person } = await workforce.user(tenant.id, "maren@example.com");
      const nobody = "person_AAAAAAAAAAAAAAAAAAAAA";
      const nowhere = "client_AAAAAAAAAAAAAAAAAAAAA";
      expect(await refusal(remember(nobody, tenant.id, "SEAT_KIND_USER"))).toMatchObject({
        reason: "person_not_found",
      });
      expect(await refusal(remember(person.id, nowhere, "SEAT_KIND_USER"))).toMatchObject({
        reason: "tenant_not_found",
      });
      const kindless = { requestId: "", personId: "", kind: "SEAT_KIND_UNSPECIFIED", tenantId: "" } as const;
      const { code, violations } = await refusal(workforce.platform.setLastLoginContext(kindless));
      expect([code, violations.map(({ field }) => field)]).toEqual([
        "INVALID_ARGUMENT",
        ["kind", "person_id", "tenant_id"],
      ]);
    });
  });
});
