import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
  });

  const audited = async () =>
    (await workforce.raw("select action from audit_entries where action like 'person.%able' order by sequence")).rows;

  it("a disabled person is a member of no instance until enabled, and users keep their status (R-S7, R-X47)", async () => {
    const { id, person } = await workforce.user(tenantId, "maren@example.com", { signedInBefore: true });
    await workforce.events();
    const request = { requestId: "", personId: person.id };
    const before = await workforce.revision("workforce_tenants", tenantId);

    expect((await workforce.platform.disablePerson(request)).person).toEqual({ ...person, disabled: true });
    expect(await workforce.signs(person.id, instanceId)).not.toBe("MEMBERSHIP_MEMBER");
    expect(await workforce.signIn.findPerson({ email: person.email })).toMatchObject({ disabled: true });
    expect((await workforce.platform.readUser({ userId: id })).user?.status).toBe("USER_STATUS_ACTIVE");

    expect((await workforce.platform.enablePerson(request)).person).toEqual(person);
    expect(await workforce.signs(person.id, instanceId)).toBe("MEMBERSHIP_MEMBER");
    expect(await workforce.events()).toEqual([]);
    expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
  });

  it("disabling again changes nothing; each change is audited once", async () => {
    const { person } = await workforce.user(tenantId, "maren@example.com");
    const request = { requestId: "", personId: person.id };
    await workforce.platform.enablePerson(request);
    await workforce.platform.disablePerson(request);
    expect((await workforce.platform.disablePerson(request)).person?.disabled).toBe(true);
    await workforce.platform.enablePerson(request);
    expect(await audited()).toEqual([{ action: "person.disable" }, { action: "person.enable" }]);
  });

  it("a repeat gets the first answer (R-G18)", async () => {
    const { person } = await workforce.user(tenantId, "maren@example.com");
    const request = { requestId: "once", personId: person.id };
    const first = await workforce.platform.disablePerson(request);
    await workforce.platform.enablePerson({ requestId: "", personId: person.id });
    expect(await workforce.platform.disablePerson(request)).toEqual(first);
  });

  it("an unknown person is refused", async () => {
    const request = { requestId: "", personId: "person_AAAAAAAAAAAAAAAAAAAAA" };
    for (const method of ["disablePerson", "enablePerson"] as const)
      expect(await refusal(workforce.platform[method](request))).toMatchObject({
        code: "NOT_FOUND",
        reason: "person_not_found",
      });
  });
});
