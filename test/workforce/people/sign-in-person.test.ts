import { eachStore } from "../../support/stores.ts";
import { openTenant, type Workforce } from "../workforce-fixture.ts";

const NOBODY = "person_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, tenantId } = await openTenant(open));
  });

  const get = (personId: string) => workforce.signIn.getPerson({ key: { $case: "personId", value: personId } });
  const change = (personId: string, email: string, emailVerified?: boolean) =>
    workforce.platform.updatePerson({
      requestId: "",
      personId,
      updateMask: ["email", ...(emailVerified === undefined ? [] : ["email_verified"])],
      email,
      firstName: null,
      lastName: null,
      emailVerified: emailVerified ?? false,
    });
  const verified = async (personId: string) =>
    (await workforce.platform.readPerson({ key: { $case: "personId", value: personId } })).person?.emailVerified;

  describe("GetPerson", () => {
    it("returns the person by id or by address, without times of changes that never happened", async () => {
      const { person } = await workforce.user(tenantId, "Maren@example.com", { firstName: "Maren" });
      const expected = {
        personId: person.id,
        email: "Maren@example.com",
        firstName: "Maren",
        lastName: null,
        disabled: false,
        enabledAt: null,
        emailChangedAt: null,
        state: "0.0",
        erased: false,
      };
      expect(await get(person.id)).toEqual(expected);
      const byAddress = { $case: "email", value: " MAREN@example.com" } as const;
      expect(await workforce.signIn.getPerson({ key: byAddress })).toEqual(expected);
    });

    it("returns when the person was enabled again, and when the address changed; another spelling is no change", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      const request = { requestId: "", personId: person.id };
      await workforce.platform.enablePerson(request);
      await change(person.id, "MAREN@example.com");
      expect(await get(person.id)).toMatchObject({ enabledAt: null, emailChangedAt: null });
      await workforce.platform.disablePerson(request);
      expect(await get(person.id)).toMatchObject({ disabled: true, enabledAt: null });
      workforce.clock.step(5_000);
      const enabledAt = workforce.clock.now();
      await workforce.platform.enablePerson(request);
      workforce.clock.step(5_000);
      const emailChangedAt = workforce.clock.now();
      await change(person.id, "dahl@example.com");
      expect(await get(person.id)).toMatchObject({ disabled: false, enabledAt, emailChangedAt });
    });

    it.each([
      { $case: "personId", value: NOBODY },
      { $case: "personId", value: "maren" },
      { $case: "email", value: "nobody@example.com" },
      { $case: "email", value: "maren\0@example.com" },
      null,
    ] as const)("finds no person by %j", async (key) => {
      const refused = { code: "NOT_FOUND", reason: "person_not_found" };
      await expect(workforce.signIn.getPerson({ key })).rejects.toMatchObject(refused);
    });
  });

  describe("ConfirmEmail (R-S8)", () => {
    const confirm = (personId: string, obtainedAt: Date | null, state = "") =>
      workforce.signIn.confirmEmail({ personId, obtainedAt, state });
    const stateOf = async (value: string) =>
      (await workforce.signIn.getPerson({ key: { $case: "personId", value } })).state;

    it("verifies the address, once in the audit log, without an event", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      await workforce.events();
      const obtainedAt = workforce.clock.now();
      expect(await confirm(person.id, obtainedAt)).toEqual({ confirmed: true });
      expect(await confirm(person.id, obtainedAt)).toEqual({ confirmed: true });
      expect(await verified(person.id)).toBe(true);
      expect(await workforce.events()).toEqual([]);
      const { rows } = await workforce.raw(
        "select action, object from audit_entries where action = 'person.confirmEmail'",
      );
      expect(rows).toEqual([{ action: "person.confirmEmail", object: person.id }]);
    });

    it("verifies only the address that it was obtained for", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      const obtainedAt = workforce.clock.now();
      await confirm(person.id, obtainedAt);
      await change(person.id, "dahl@example.com");
      expect(await verified(person.id)).toBe(false);
      expect(await confirm(person.id, obtainedAt)).toEqual({ confirmed: false });
      expect(await confirm(person.id, null)).toEqual({ confirmed: false });
      expect(await verified(person.id)).toBe(false);
      workforce.clock.step(1);
      expect(await confirm(person.id, workforce.clock.now())).toEqual({ confirmed: true });
      expect(await verified(person.id)).toBe(true);
    });

    it("goes by what was changed, where it is told, and not by instants, which another process may have otherwise", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      const before = await stateOf(person.id);
      await change(person.id, "dahl@example.com");
      const after = await stateOf(person.id);
      const [early, late] = [-60_000, 60_000].map((ms) => new Date(workforce.clock.now().getTime() + ms)) as [
        Date,
        Date,
      ];
      expect(await confirm(person.id, late, before)).toEqual({ confirmed: false });
      expect(await verified(person.id)).toBe(false);
      expect(await confirm(person.id, early, after)).toEqual({ confirmed: true });
      expect(await verified(person.id)).toBe(true);
    });

    it.each([NOBODY, "maren"])("finds no person of id %s", async (personId) => {
      await expect(confirm(personId, new Date())).rejects.toMatchObject({ code: "NOT_FOUND" });
    });
  });

  it("a session from before a disabling leaves an INVITED user INVITED (R-X93, I9)", async () => {
    const instanceId = await workforce.instance("Elsewhere");
    const { id, person } = await workforce.user((await workforce.tenant(instanceId)).id, "ole@example.com");
    const before = workforce.clock.now();
    workforce.clock.step(1_000);
    await workforce.platform.disablePerson({ requestId: "", personId: person.id });
    await workforce.platform.enablePerson({ requestId: "", personId: person.id });
    expect(await workforce.signs(person.id, instanceId, before)).toBe("MEMBERSHIP_SIGNED_OUT");
    expect(await workforce.signs(person.id, instanceId, null)).toBe("MEMBERSHIP_SIGNED_OUT");
    expect((await workforce.platform.readUser({ userId: id })).user?.status).toBe("USER_STATUS_INVITED");
    expect(await workforce.signs(person.id, instanceId)).toBe("MEMBERSHIP_MEMBER");
    expect((await workforce.platform.readUser({ userId: id })).user?.status).toBe("USER_STATUS_ACTIVE");
  });
});
