import { watchStatements } from "../../support/asked-statements.ts";
import { eachStore } from "../../support/stores.ts";
import { openTenant, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;
  let elsewhere: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    elsewhere = (await workforce.tenant(await workforce.instance("North America"))).id;
  });

  const update = async (personId: string, updateMask: string[], more = {}) => {
    const request = { requestId: "", personId, updateMask, email: "", emailVerified: false, ...more };
    return there((await workforce.platform.updatePerson(request)).person);
  };
  const rename = (personId: string, more = {}) =>
    update(personId, ["first_name", "last_name"], { firstName: "Maren", lastName: "Berg", ...more });
  const end = (workerId: string) => workforce.raw(`update workforce_workers set ended_at = 1 where id = '${workerId}'`);
  const told = async () =>
    (await workforce.events())
      .map(({ eventType, entity, data }) => [eventType, entity.id, data.fullName, data.email])
      .toSorted();

  describe("UpdatePerson", () => {
    it("emits an event for every user but DELETED ones and for every worker, ended ones too; each tenant's revision rises once (R-D2)", async () => {
      const email = "maren@example.com";
      const user = await workforce.user(tenantId, email, { firstName: "Maren", lastName: "Dahl" });
      const abroad = await workforce.user(elsewhere, email, { signedInBefore: true });
      const worker = await workforce.worker(tenantId, email);
      const former = await workforce.worker(elsewhere, email);
      await end(former.id);
      const third = (await workforce.tenant(instanceId)).id;
      const deleted = await workforce.user(third, email);
      await workforce.platform.deleteUser({ requestId: "", userId: deleted.id });
      const untouched = (await workforce.tenant(instanceId)).id;
      const tenants = [tenantId, elsewhere, third, untouched];
      const revisions = () => Promise.all(tenants.map((id) => workforce.revision("workforce_tenants", id)));
      const before = await revisions();
      await workforce.events();

      const person = await rename(user.person.id);

      expect(person).toEqual({ ...user.person, firstName: "Maren", lastName: "Berg" });
      const shown = ["Maren Berg", email];
      expect(await told()).toEqual(
        [
          ["user.updated", user.id, ...shown],
          ["user.updated", abroad.id, ...shown],
          ["worker.updated", worker.id, ...shown],
          ["worker.updated", former.id, ...shown],
        ].toSorted(),
      );
      const raised = (await revisions()).map((revision, index) => revision - (before[index] ?? 0));
      expect(raised).toEqual([1, 1, 1, 0]);
    });

    it("asks for the tenants that show the person in as many questions for four as for one", async () => {
      const ofTenants = async (email: string, count: number) => {
        const persons: string[] = [];
        for (let seat = 0; seat < count; seat++)
          persons.push((await workforce.user((await workforce.tenant(instanceId)).id, email)).person.id);
        const asked = await watchStatements(() => rename(persons[0] ?? ""));
        return asked.filter((text) => /^select (?!1).* from "workforce_tenants"/s.test(text));
      };
      const one = await ofTenants("one@example.com", 1);
      expect(one).not.toEqual([]);
      expect(await ofTenants("four@example.com", 4)).toEqual(one);
    });

    it("emits snapshots as the gateway shows them, to the tenant's instance (R-E1)", async () => {
      const user = await workforce.user(tenantId, "maren@example.com", { roleName: "Admin" });
      await workforce.events();
      await rename(user.person.id);
      expect(await workforce.events()).toEqual([
        {
          eventType: "user.updated",
          entity: { type: "user", id: user.id },
          instanceId,
          tenantId,
          data: {
            userId: user.id,
            clientId: tenantId,
            email: "maren@example.com",
            firstName: "Maren",
            lastName: "Berg",
            fullName: "Maren Berg",
            status: "INVITED",
            manager: null,
            role: { id: String(user.role?.id), name: "Admin" },
            createdAt: workforce.clock.now().toISOString(),
          },
          selfPath: `/v1/instance-integrations/{instanceIntegrationId}/clients/${tenantId}/users/${user.id}`,
        },
      ]);
    });

    it("emits no event for reports of a renamed manager, though reads of them change (R-G17)", async () => {
      const manager = await workforce.user(tenantId, "manager@example.com");
      await workforce.user(tenantId, "report@example.com", { invitedByUserId: manager.id });
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);
      await rename(manager.person.id);
      expect((await told()).map(([, id]) => id)).toEqual([manager.id]);
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
    });

    it("changes the address, which is unverified afterwards unless the update verifies it (R-S8)", async () => {
      const { id, person } = await workforce.user(tenantId, "maren@example.com", { emailVerified: true });
      await workforce.events();
      const changed = await update(person.id, ["email"], { email: " Berg@Example.com " });
      expect(changed).toMatchObject({ email: "Berg@Example.com", emailVerified: false });
      expect(await told()).toEqual([["user.updated", id, null, "Berg@Example.com"]]);
      const same = await update(person.id, ["email", "email_verified"], {
        email: "berg@example.com",
        emailVerified: true,
      });
      expect(same).toMatchObject({ email: "berg@example.com", emailVerified: true });
      expect((await workforce.signIn.findPerson({ email: "BERG@example.com" })).personId).toBe(person.id);
      expect((await workforce.signIn.findPerson({ email: "maren@example.com" })).personId).toBeNull();
    });

    it("emits no event when an address becomes verified: users and workers do not show it", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);
      expect(await update(person.id, ["email_verified"], { emailVerified: true })).toMatchObject({
        emailVerified: true,
      });
      expect(await told()).toEqual([]);
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
    });

    it("neither changes nor emits anything when every value is the present one", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com", { firstName: "Maren", lastName: "Berg" });
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenantId);
      expect(await rename(person.id)).toEqual(person);
      expect(await told()).toEqual([]);
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before);
    });

    it("removes names from a person who was never a worker, and refuses it for present and former workers (R-D2)", async () => {
      const names = { firstName: "Maren", lastName: "Dahl" };
      const { person } = await workforce.user(tenantId, "maren@example.com", names);
      const nameless = await update(person.id, ["first_name", "last_name"], { firstName: "", lastName: " " });
      expect([nameless.firstName, nameless.lastName]).toEqual([null, null]);
      const worker = await workforce.worker(tenantId, "ines@example.com");
      const refused = { code: "FAILED_PRECONDITION", reason: "names_needed" };
      expect(await refusal(update(worker.person.id, ["last_name"]))).toMatchObject(refused);
      await end(worker.id);
      expect(await refusal(update(worker.person.id, ["first_name"]))).toMatchObject(refused);
    });

    it("refuses an address that another person has, compared as R-D2 says", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      await workforce.user(tenantId, "taken@example.com");
      await workforce.events();
      expect(await refusal(update(person.id, ["email"], { email: "TAKEN@example.com" }))).toMatchObject({
        code: "ALREADY_EXISTS",
        reason: "person_exists",
      });
      expect(await told()).toEqual([]);
    });

    it("gives an address to one of several people who ask for it at once", async () => {
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      // Seats in different tenants: only the address keeps them apart.
      const people: string[] = [];
      for (const index of racers.keys()) {
        const alone = (await workforce.tenant(instanceId)).id;
        people.push((await workforce.user(alone, `p${index}@example.com`)).person.id);
      }
      const outcomes = await Promise.all(
        racers.map(({ platform }, index) =>
          platform
            .updatePerson({
              requestId: "",
              personId: people[index] ?? "",
              updateMask: ["email"],
              email: "wanted@example.com",
              emailVerified: false,
            })
            .then(
              () => "taken",
              ({ reason }) => reason,
            ),
        ),
      );
      expect(outcomes.toSorted()).toEqual(["person_exists", "person_exists", "person_exists", "taken"]);
    });

    it("leaves no seat with a former name, however many are made at the same time", async () => {
      const email = "maren@example.com";
      const { person } = await workforce.user(tenantId, email, { firstName: "Maren", lastName: "Dahl" });
      const tenants = [elsewhere];
      for (let count = 0; count < 5; count++) tenants.push((await workforce.tenant(instanceId)).id);
      await workforce.events();
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const [one, two, three, four] = racers.map(({ platform }) => platform);
      const name = (platform: typeof one, lastName: string) =>
        there(platform).updatePerson({
          requestId: "",
          personId: person.id,
          updateMask: ["last_name"],
          email: "",
          lastName,
          emailVerified: false,
        });
      await Promise.all([
        name(one, "Berg"),
        name(two, "Holm"),
        ...tenants.map((id) => there(three).inviteUser({ requestId: "", tenantId: id, email, emailVerified: true })),
        ...tenants.map((id) =>
          there(four).inviteUser({
            requestId: "",
            tenantId: id,
            email: `x@${id.slice(7, 20)}.example`,
            emailVerified: true,
          }),
        ),
      ]);
      const last = there(
        (await workforce.platform.readPerson({ key: { $case: "personId", value: person.id } })).person,
      );
      const lastNames = new Map(
        (await workforce.events())
          .filter(({ data }) => data.email === email)
          .map(({ entity, data }) => [entity.id, data.lastName]),
      );
      expect(lastNames.size).toBe(1 + tenants.length);
      expect(new Set(lastNames.values())).toEqual(new Set([last.lastName]));
    });

    it("refuses an unknown person, an empty mask, unknown names in it, and wrong values of what it names", async () => {
      const unknown = "person_AAAAAAAAAAAAAAAAAAAAA";
      expect(await refusal(rename(unknown))).toMatchObject({ code: "NOT_FOUND", reason: "person_not_found" });
      const fields = async (mask: string[], more = {}) =>
        (await refusal(update(unknown, mask, more))).violations.map(({ field }) => field);
      expect(await fields([])).toEqual(["update_mask"]);
      expect(await fields(["last_name", "disabled"])).toEqual(["update_mask"]);
      expect(await fields(["email", "first_name"], { email: "maren", firstName: "x".repeat(101) })).toEqual([
        "email",
        "first_name",
      ]);
    });
  });

  describe("ReadPerson", () => {
    it("returns a person by id and by address, compared as R-D2 says", async () => {
      const { person } = await workforce.user(tenantId, "maren@example.com");
      const read = async (key: Parameters<typeof workforce.platform.readPerson>[0]["key"]) =>
        (await workforce.platform.readPerson({ key })).person;
      expect(await read({ $case: "personId", value: person.id })).toEqual(person);
      expect(await read({ $case: "email", value: " MAREN@example.com" })).toEqual(person);
    });

    it("refuses an empty request, and what is neither id nor address", async () => {
      const read = (key: Parameters<typeof workforce.platform.readPerson>[0]["key"]) =>
        refusal(workforce.platform.readPerson({ key }));
      const nobody = { code: "NOT_FOUND", reason: "person_not_found" };
      expect(await read({ $case: "personId", value: "person_AAAAAAAAAAAAAAAAAAAAA" })).toMatchObject(nobody);
      expect(await read({ $case: "email", value: "nobody@example.com" })).toMatchObject(nobody);
      expect((await read({ $case: "email", value: "nobody" })).violations).toHaveLength(1);
      expect((await read(null)).violations).toHaveLength(1);
    });
  });
});
