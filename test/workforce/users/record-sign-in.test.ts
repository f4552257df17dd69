import { operations } from "../../../generated/operations/gateway.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
  });

  const status = async (userId: string) => {
    const { rows } = await workforce.raw(`select status from workforce_users where id = '${userId}'`);
    return (rows[0] as { status: string }).status;
  };

  describe("RecordSignInEverywhere (R-S19, R-X162)", () => {
    const MAREN = "maren@example.com";

    it("makes the INVITED users of every instance ACTIVE, each with one user.updated; a repetition changes nothing", async () => {
      const elsewhere = await workforce.instance("North America");
      const tenants = [await workforce.tenant(instanceId), await workforce.tenant(elsewhere)];
      const users = await Promise.all(tenants.map(({ id }) => workforce.user(id, MAREN)));
      const another = await workforce.user(there(tenants[0]).id, "other@example.com");
      await workforce.events();
      const { personId } = { personId: there(users[0]).person.id };
      await workforce.signsEverywhere(personId);
      const events = await workforce.events();
      expect(events.map(({ eventType, entity }) => [eventType, entity.id]).toSorted()).toEqual(
        users.map(({ id }) => ["user.updated", id]).toSorted(),
      );
      expect(await Promise.all([...users, another].map(({ id }) => status(id)))).toEqual([
        "ACTIVE",
        "ACTIVE",
        "INVITED",
      ]);
      await workforce.signsEverywhere(personId);
      expect(await workforce.events()).toEqual([]);
    });

    it("makes them ACTIVE all together or not at all", async () => {
      const elsewhere = await workforce.instance("North America");
      const tenants = [await workforce.tenant(instanceId), await workforce.tenant(elsewhere)];
      const users = await Promise.all(tenants.map(({ id }) => workforce.user(id, MAREN)));
      await workforce.events();
      const personId = there(users[0]).person.id;
      await workforce.raw("alter table outbox_entries rename to outbox_elsewhere");
      const failed = await workforce.signsEverywhere(personId).catch(() => "failed");
      await workforce.raw("alter table outbox_elsewhere rename to outbox_entries");
      expect([failed, ...(await Promise.all(users.map(({ id }) => status(id))))]).toEqual([
        "failed",
        "INVITED",
        "INVITED",
      ]);
    });

    it("of several at once, one makes the change and emits it (I9)", async () => {
      const elsewhere = await workforce.instance("North America");
      const tenants = [await workforce.tenant(instanceId), await workforce.tenant(elsewhere)];
      const users = await Promise.all(tenants.map(({ id }) => workforce.user(id, MAREN)));
      await workforce.events();
      const personId = there(users[0]).person.id;
      const signs = () => workforce.signsEverywhere(personId);
      await Promise.all([
        signs(),
        workforce.signs(personId, instanceId),
        signs(),
        workforce.signs(personId, elsewhere),
      ]);
      expect((await workforce.events()).map(({ entity }) => entity.id).toSorted()).toEqual(
        users.map(({ id }) => id).toSorted(),
      );
    });

    it("ignores disabled people, those who signed in before that, and unknown ids", async () => {
      const user = await workforce.user((await workforce.tenant(instanceId)).id, MAREN);
      await workforce.events();
      await workforce.raw(`update workforce_people set disabled = 1 where id = '${user.person.id}'`);
      await workforce.signsEverywhere(user.person.id);
      await workforce.signsEverywhere("person_AAAAAAAAAAAAAAAAAAAAA");
      await workforce.signsEverywhere("nobody");
      expect([await status(user.id), await workforce.events()]).toEqual(["INVITED", []]);
    });
  });

  describe("RecordSignIn (R-S19)", () => {
    it("makes the INVITED users of that instance ACTIVE, each with one user.updated", async () => {
      const elsewhere = await workforce.instance("North America");
      const here = [await workforce.tenant(instanceId), await workforce.tenant(instanceId)];
      const users = await Promise.all(here.map(({ id }) => workforce.user(id, "maren@example.com")));
      const abroad = await workforce.user((await workforce.tenant(elsewhere)).id, "maren@example.com");
      await workforce.events();
      const revisions = () => Promise.all(here.map(({ id }) => workforce.revision("workforce_tenants", id)));
      const before = await revisions();

      const membership = await workforce.signs(there(users[0]).person.id, instanceId);

      const events = await workforce.events();
      expect(await revisions()).toEqual(before.map((revision) => revision + 1));
      expect(membership).toBe("MEMBERSHIP_MEMBER");
      expect(events.map(({ eventType, entity }) => [eventType, entity.id]).toSorted()).toEqual(
        users.map(({ id }) => ["user.updated", id]).toSorted(),
      );
      expect(await Promise.all([...users, abroad].map(({ id }) => status(id)))).toEqual([
        "ACTIVE",
        "ACTIVE",
        "INVITED",
      ]);
    });

    it("writes a snapshot in the wire's words whose link leaves the receiver's own id open (spec §6.2, R-E14)", async () => {
      const tenant = await workforce.tenant(instanceId);
      const owner = await workforce.user(tenant.id, "owner@example.com", {
        roleName: "Owner",
        firstName: "Aiko",
        lastName: "Marsh",
      });
      await workforce.signs(owner.person.id, instanceId);
      const user = await workforce.user(tenant.id, " Maren.Dahl@Example.com ", {
        firstName: "Maren",
        roleName: "Admin",
      });
      await workforce.events();

      await workforce.signs(user.person.id, instanceId);

      const role = there(user.role);
      expect(await workforce.events()).toEqual([
        {
          eventType: "user.updated",
          entity: { type: "user", id: user.id },
          instanceId,
          tenantId: tenant.id,
          data: {
            userId: user.id,
            clientId: tenant.id,
            email: "Maren.Dahl@Example.com",
            firstName: "Maren",
            lastName: null,
            fullName: "Maren",
            status: "ACTIVE",
            manager: {
              id: owner.id,
              firstName: "Aiko",
              lastName: "Marsh",
              fullName: "Aiko Marsh",
              email: "owner@example.com",
            },
            role: { id: String(role.id), name: "Admin" },
            createdAt: there(user.createdAt).toISOString(),
          },
          selfPath: operations.getUser.path.replace("{clientId}", tenant.id).replace("{userId}", user.id),
        },
      ]);
    });

    it("neither changes nor emits anything the second time (I9)", async () => {
      const tenant = await workforce.tenant(instanceId);
      const { person } = await workforce.user(tenant.id, "maren@example.com");
      await workforce.signs(person.id, instanceId);
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", tenant.id);

      const membership = await workforce.signs(person.id, instanceId);

      expect(membership).toBe("MEMBERSHIP_MEMBER");
      expect(await workforce.events()).toEqual([]);
      expect(await workforce.revision("workforce_tenants", tenant.id)).toBe(before);
    });

    it("emits once when many sign in at the same time, over several connections (I9)", async () => {
      const tenant = await workforce.tenant(instanceId);
      const user = await workforce.user(tenant.id, "maren@example.com");
      await workforce.events();
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));

      const answers = await Promise.all(
        racers.flatMap((one) => [1, 2, 3].map(() => one.signs(user.person.id, instanceId))),
      );

      expect(new Set(answers)).toEqual(new Set(["MEMBERSHIP_MEMBER"]));
      expect((await workforce.events()).map(({ entity }) => entity.id)).toEqual([user.id]);
    });

    it("causes no conflict with itself over several tenants, or with a deletion", async () => {
      const tenants = [];
      for (let made = 0; made < 6; made++) tenants.push(await workforce.tenant(instanceId));
      const users = await Promise.all(tenants.map(({ id }) => workforce.user(id, "maren@example.com")));
      await workforce.events();
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const { person } = there(users[0]);

      await Promise.all([
        ...racers.map((one) => one.signs(person.id, instanceId)),
        ...users.slice(0, 3).map(({ id }) => workforce.platform.deleteUser({ requestId: "", userId: id })),
      ]);

      const events = await workforce.events();
      const told = (id: string) => events.filter(({ entity }) => entity.id === id).map(({ data }) => data.status);
      expect(users.slice(0, 3).map(({ id }) => told(id).at(-1))).toEqual(["DELETED", "DELETED", "DELETED"]);
      expect(users.slice(3).map(({ id }) => told(id))).toEqual([["ACTIVE"], ["ACTIVE"], ["ACTIVE"]]);
      expect(users.slice(0, 3).filter(({ id }) => told(id).length > 2)).toEqual([]);
    });

    it.each([
      ["an unknown person", "person_AAAAAAAAAAAAAAAAAAAAA"],
      ["what is no id", "'; drop table workforce_people; --"],
      ["an id of another kind", "user_AAAAAAAAAAAAAAAAAAAAA"],
    ])("finds no membership for %s (R-S7)", async (_, personId) => {
      expect(await workforce.signs(personId, instanceId)).toBe("MEMBERSHIP_NONE");
    });

    it("finds no membership on another instance, for an INACTIVE or a DELETED user (R-S7)", async () => {
      const elsewhere = await workforce.instance("North America");
      const tenant = await workforce.tenant(instanceId);
      const user = await workforce.user(tenant.id, "maren@example.com");
      expect(await workforce.signs(user.person.id, elsewhere)).toBe("MEMBERSHIP_NONE");
      await workforce.signs(user.person.id, instanceId);
      await workforce.platform.disableUser({ requestId: "", userId: user.id });
      expect(await workforce.signs(user.person.id, instanceId)).toBe("MEMBERSHIP_NONE");
      await workforce.platform.deleteUser({ requestId: "", userId: user.id });
      expect(await workforce.signs(user.person.id, instanceId)).toBe("MEMBERSHIP_NONE");
    });

    it("leaves a disabled person's users INVITED", async () => {
      const tenant = await workforce.tenant(instanceId);
      const user = await workforce.user(tenant.id, "maren@example.com");
      await workforce.raw("update workforce_people set disabled = 1");
      expect(await workforce.signs(user.person.id, instanceId)).toBe("MEMBERSHIP_DISABLED");
      expect(await status(user.id)).toBe("INVITED");
    });
  });
});
