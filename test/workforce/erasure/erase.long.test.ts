import { ErasureService, type ErasureTarget } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import {
  allOf,
  ERASURES_CHANNEL,
  type Erasure,
  erasureMigrations,
  finishErasures,
  listPendingErasures,
} from "../../../src/runtime/erasure/erasures.ts";
import { Redactions } from "../../../src/runtime/erasure/redaction.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { patiently } from "../../support/patient-calls.ts";
import { dump } from "../../support/store-dump.ts";
import { eachStore } from "../../support/stores.ts";
import { bulkOver, idOf } from "../bulk/bulk-kit.ts";
import { refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const NEVER = new AbortController().signal;
const NOTHING = { people: 0, users: 0, workers: 0, units: 0, unitTypes: 0, locations: 0 };

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
    instanceId = await workforce.instance();
    tenantId = (await workforce.tenant(instanceId)).id;
  });

  const erasureOf = ({ registrations }: Workforce) =>
    patiently(
      inProcessCarrier({ peer: "platform", registrations, interceptors: quietBoundary(), hand: "encoded" }).connect(
        ErasureService,
      ),
    );
  const erase = async (id: ErasureTarget["id"]) => there((await erasureOf(workforce).erase({ target: { id } })).state);
  const read = async (id: ErasureTarget["id"]) =>
    there((await erasureOf(workforce).readErasure({ target: { id } })).state);
  const pending = (): Promise<readonly Erasure[]> => listPendingErasures(workforce.opened.store.view(), 1_000);
  const events = async () =>
    (await workforce.events()).map(({ eventType, entity, data }) => [eventType, entity.id, data.status ?? null]);
  const email = "maren@example.com";

  describe("Erase (R-X260)", () => {
    it.each<[string, NonNullable<ErasureTarget["id"]>["$case"], string]>([
      ["person", "personId", "person"],
      ["user", "userId", "user"],
      ["worker", "workerId", "worker"],
      ["tenant", "tenantId", "client"],
      ["unit", "unitId", "unit"],
      ["unit_type", "unitTypeId", "unittype"],
    ])("refuses an unknown %s and a text that is no id, as reading does", async (noun, $case, prefix) => {
      const unknown = { $case, value: `${prefix}_${"0".repeat(21)}` } as ErasureTarget["id"];
      const wrong = { $case, value: "Maren" } as ErasureTarget["id"];
      for (const call of [erase, read]) {
        expect(await refusal(call(unknown))).toMatchObject({ code: "NOT_FOUND", reason: `${noun}_not_found` });
        expect(await refusal(call(wrong))).toMatchObject({
          code: "INVALID_ARGUMENT",
          violations: [{ field: `target.${noun}_id` }],
        });
      }
    });

    it("refuses a request without a target", async () => {
      for (const target of [null, { id: null }]) {
        expect(await refusal(erasureOf(workforce).erase({ target }))).toMatchObject({
          code: "INVALID_ARGUMENT",
          violations: [{ field: "target", reason: "must name what is to be erased" }],
        });
      }
    });

    it("reads what would go, says what went, and does nothing the second time", async () => {
      const user = await workforce.user(tenantId, email, { firstName: "Maren", lastName: "Dahl" });
      await workforce.worker(tenantId, email);
      const id = { $case: "personId", value: user.person.id } as const;
      const counts = { ...NOTHING, people: 1, users: 1, workers: 1 };
      expect(await read(id)).toMatchObject({ ...counts, erasedAt: null, finishedAt: null });
      const at = workforce.clock.now();
      const { wake } = workforce.opened;
      const announced = wake.ticket(ERASURES_CHANNEL);
      expect(await erase(id)).toMatchObject({ ...counts, erasedAt: at });
      expect(wake.ticket(ERASURES_CHANNEL)).toBeGreaterThan(announced);
      await workforce.events();
      const revision = await workforce.revision("workforce_tenants", tenantId);
      workforce.clock.step(1_000);
      expect(await erase(id)).toMatchObject({ ...NOTHING, erasedAt: at, finishedAt: null });
      expect(await events()).toEqual([]);
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(revision);
      expect(await pending()).toHaveLength(1);
    });

    it("emits one event for each user and worker, those that had ended included, and raises each tenant once (R-X261)", async () => {
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const user = await workforce.user(tenantId, email, { signedInBefore: true });
      const deleted = await workforce.user(elsewhere, email);
      await workforce.platform.deleteUser({ requestId: "", userId: deleted.id });
      const worker = await workforce.worker(elsewhere, email);
      await workforce.platform.endWorker({ requestId: "", workerId: worker.id });
      const report = await workforce.user(tenantId, "report@example.com", { invitedByUserId: user.id });
      await workforce.events();
      const revisions = () =>
        Promise.all([tenantId, elsewhere].map((id) => workforce.revision("workforce_tenants", id)));
      const before = await revisions();

      await erase({ $case: "personId", value: user.person.id });

      expect((await events()).toSorted()).toEqual(
        [
          ["user.updated", user.id, "DELETED"],
          ["user.updated", deleted.id, "DELETED"],
          ["worker.updated", worker.id, null],
          ["user.updated", report.id, "INVITED"],
        ].toSorted(),
      );
      expect(await revisions()).toEqual(before.map((revision) => revision + 1));
      expect((await workforce.platform.readUser({ userId: report.id })).user).toMatchObject({ managerId: null });
    });

    it("redacts stored events of user and worker to what is shown of them from then on (R-X262, R-X264)", async () => {
      const manager = await workforce.user(tenantId, "manager@example.com");
      const { platform } = workforce;
      const { location } = await platform.createLocation({ requestId: "", tenantId, name: "Quay" });
      const { unitType } = await platform.createUnitType({ requestId: "", tenantId, name: "Team", units: [] });
      const { unit } = await platform.createUnit({
        ...{ requestId: "", tenantId, unitTypeId: there(unitType).id, name: "Ovens" },
      });
      await workforce.events();
      const user = await workforce.user(tenantId, email, { invitedByUserId: manager.id, roleName: "Admin" });
      await workforce.worker(tenantId, email, {
        ...{ jobTitles: ["Baker"], phone: "1", unitIds: [there(unit).id], primaryUnitId: there(unit).id },
        address: { city: "Rotterdam" },
        locationId: there(location).id,
      });
      const before = (await workforce.events()).filter(({ eventType }) => !eventType.endsWith(".updated"));

      await erase({ $case: "personId", value: user.person.id });

      const after = new Map((await workforce.events()).map(({ entity, data }) => [entity.id, data]));
      const redactions = new Redactions(allOf(await pending(), "redactions"));
      expect(before).toHaveLength(2);
      for (const { entity, data } of before) {
        const redacted = JSON.parse(there(redactions.redacted(JSON.stringify(data))));
        const { status, endedAt } = data;
        // These say how it was then, and nothing about somebody.
        expect(redacted).toEqual({ ...after.get(entity.id), ...(entity.type === "user" ? { status } : { endedAt }) });
      }
    });

    it("redacts stored events of users of an erased tenant likewise (R-X263, R-X264)", async () => {
      const manager = await workforce.user(tenantId, "manager@example.com");
      await workforce.events();
      await workforce.user(tenantId, email, { invitedByUserId: manager.id, roleName: "Admin" });
      const [created] = await workforce.events();
      await erase({ $case: "tenantId", value: tenantId });
      const redactions = new Redactions(allOf(await pending(), "redactions"));
      const redacted = JSON.parse(there(redactions.redacted(JSON.stringify(created?.data))));
      expect(redacted).toMatchObject({ fullName: "Erased person", manager: null, role: null, status: "INVITED" });
    });

    it("erases a tenant one of whose roles has the name that another one gets thereby (R-X262)", async () => {
      const { platform } = workforce;
      const { roles } = await platform.listAccessRolesOfTenant({ tenantId });
      const names = roles.map(({ role }) => `Erased role ${there(role).id}`);
      for (const name of names)
        await platform.createAccessRole({ requestId: "", tenantId, name, permissions: ["payroll.read"] });
      expect((await erase({ $case: "tenantId", value: tenantId })).erasedAt).toEqual(workforce.clock.now());
    });

    it("asks the store no more for a user who managed many than for one who managed two", async () => {
      const asked: (readonly string[])[] = [];
      for (const count of [2, 40]) {
        const { id } = await workforce.user(tenantId, `${count}@example.com`);
        for (let report = 0; report < count; report++)
          await workforce.user(tenantId, `${count}-${report}@example.com`, { invitedByUserId: id });
        await workforce.events();
        asked.push(await watchStatements(() => erase({ $case: "userId", value: id })));
        expect(await events()).toHaveLength(1 + count);
      }
      // A process that shares its store may ask a thing of its own meanwhile.
      expect(asked[1]?.length).toBeLessThan((asked[0]?.length ?? 0) + 10);
    });

    describe("of a seat alone (R-X261)", () => {
      it.each([
        [
          "USER",
          "an earlier, DELETED user",
          async () => {
            const earlier = await workforce.user(tenantId, email, { signedInBefore: true });
            await workforce.platform.deleteUser({ requestId: "", userId: earlier.id });
            const { person } = await workforce.user(tenantId, email, { signedInBefore: true });
            return { personId: person.id, earlier: { $case: "userId", value: earlier.id } as const };
          },
        ],
        [
          "WORKER",
          "an earlier employment that had ended",
          async () => {
            const earlier = await workforce.worker(tenantId, email);
            await workforce.platform.endWorker({ requestId: "", workerId: earlier.id });
            const { person } = await workforce.worker(tenantId, email);
            return { personId: there(person).id, earlier: { $case: "workerId", value: earlier.id } as const };
          },
        ],
        [
          "USER",
          "the same person's employment",
          async () => {
            const { person } = await workforce.user(tenantId, email, { signedInBefore: true });
            const worker = await workforce.worker(tenantId, email);
            return { personId: person.id, earlier: { $case: "workerId", value: worker.id } as const };
          },
        ],
      ] as const)("leaves the last used %s, where %s is erased (R-S22)", async (kind, _, seats) => {
        const older = (await workforce.tenant(instanceId)).id;
        await workforce.user(older, email, { signedInBefore: true });
        const { personId, earlier } = await seats();
        const seatKind = `SEAT_KIND_${kind}` as const;
        await workforce.platform.setLastLoginContext({ requestId: "", personId, kind: seatKind, tenantId });
        const lastUsed = async () =>
          there((await workforce.signIn.getIdentity({ personId, instanceId, authenticatedAt: null })).identity)
            .lastLoginContext;
        expect(await lastUsed()).toEqual({ kind: seatKind, tenantId });

        await erase(earlier);

        expect(await lastUsed()).toEqual({ kind: seatKind, tenantId });
      });

      it("forgets it with the seat that was used last (R-S22)", async () => {
        const older = (await workforce.tenant(instanceId)).id;
        await workforce.user(older, email, { signedInBefore: true });
        const earlier = await workforce.user(tenantId, email, { signedInBefore: true });
        await workforce.platform.deleteUser({ requestId: "", userId: earlier.id });
        const last = await workforce.user(tenantId, email, { signedInBefore: true });
        const personId = last.person.id;
        await workforce.platform.setLastLoginContext({ requestId: "", personId, kind: "SEAT_KIND_USER", tenantId });

        await erase({ $case: "userId", value: last.id });

        expect((await workforce.raw("select * from workforce_last_login_contexts")).rows).toEqual([]);
      });

      it("forgets it with the employment that was used last, where an earlier one had ended (R-S22)", async () => {
        const earlier = await workforce.worker(tenantId, email);
        await workforce.platform.endWorker({ requestId: "", workerId: earlier.id });
        const last = await workforce.worker(tenantId, email);
        const personId = there(last.person).id;
        await workforce.platform.setLastLoginContext({ requestId: "", personId, kind: "SEAT_KIND_WORKER", tenantId });

        await erase({ $case: "workerId", value: last.id });

        expect((await workforce.raw("select * from workforce_last_login_contexts")).rows).toEqual([]);
      });
    });

    it("of two requests at once only one erases", async () => {
      const user = await workforce.user(tenantId, email);
      await workforce.events();
      const id = { $case: "userId", value: user.id } as const;
      const processes = (await workforce.opened.racers(2)).map((one) => erasureOf(workforceOver(one, workforce.clock)));
      const states = await Promise.all(processes.map((process) => process.erase({ target: { id } })));
      expect(states.map(({ state }) => there(state).users).toSorted()).toEqual([0, 1]);
      expect(await events()).toEqual([["user.updated", user.id, "DELETED"]]);
    });

    it("once finished, stays so while something that another call erases is under way (R-X260)", async () => {
      const finish = async () => finishErasures(workforce.opened.store.view(), await pending(), workforce.clock.now());
      const [one, other] = [await workforce.user(tenantId, email), await workforce.user(tenantId, "noor@example.com")];
      const idOfUser = ({ id: value }: { readonly id: string }) => ({ $case: "userId", value }) as const;
      await erase(idOfUser(one));
      expect((await read(idOfUser(one))).finishedAt).toBeNull();
      await finish();
      const { finishedAt } = await read(idOfUser(one));
      expect(finishedAt).not.toBeNull();
      await erase(idOfUser(other));
      expect([(await read(idOfUser(one))).finishedAt, (await read(idOfUser(other))).finishedAt]).toEqual([
        finishedAt,
        null,
      ]);
    });

    it("a tenant is finished only when the people are whom the same call erases (R-X263)", async () => {
      await workforce.user(tenantId, email);
      const id = { $case: "tenantId", value: tenantId } as const;
      await erase(id);
      const own = await pending();
      await there(workforce.erasers[0]).erase(own, NEVER);
      await finishErasures(workforce.opened.store.view(), own, workforce.clock.now());
      expect((await read(id)).finishedAt).toBeNull();
      await finishErasures(workforce.opened.store.view(), await pending(), workforce.clock.now());
      expect((await read(id)).finishedAt).not.toBeNull();
    });

    it("leaves the address to another person (R-X262)", async () => {
      const user = await workforce.user(tenantId, email, { firstName: "Maren", lastName: "Dahl" });
      await erase({ $case: "userId", value: user.id });
      expect((await workforce.platform.readUser({ userId: user.id })).user).toMatchObject({
        status: "USER_STATUS_DELETED",
        person: { id: user.person.id, firstName: "Erased", lastName: "person", disabled: true },
      });
      const next = await workforce.user(tenantId, email);
      expect(next.person.id).not.toBe(user.person.id);
    });
  });

  it.each([
    "workforce_people",
    "workforce_workers",
    "workforce_tenants",
    "workforce_unit_types",
    "workforce_units",
    "workforce_locations",
  ])("what is in a text of %s goes with the person and the tenant, unless it is an id (R-X262)", async (table) => {
    const { platform, raw } = workforce;
    const worker = await workforce.worker(tenantId, email);
    const { unitType } = await platform.createUnitType({ requestId: "", tenantId, name: "Team", units: [] });
    await platform.createUnit({ requestId: "", tenantId, unitTypeId: there(unitType).id, name: "Ovens" });
    await platform.createLocation({ requestId: "", tenantId, name: "Quay" });
    const row = async () => there((await raw(`select * from ${table}`)).rows[0]) as Readonly<Record<string, unknown>>;
    const texts = Object.entries(await row())
      .filter(([column, value]) => !/(?:^|_)(?:id|at)$/.test(column) && (typeof value === "string" || value === null))
      .map(([column]) => column);
    expect(texts).not.toEqual([]);
    // As long as a country's code, and JSON.
    for (const column of texts) await raw(`update ${table} set ${column} = '42'`);
    await erase({ $case: "personId", value: there(worker.person).id });
    await erase({ $case: "tenantId", value: tenantId });
    const after = await row();
    expect(texts.filter((column) => after[column] === "42")).toEqual([]);
  });

  describe("what the store itself refuses", () => {
    it("a seat is given to no other person but an erased one, and an erased person changes no more", async () => {
      const user = await workforce.user(tenantId, email);
      const other = await workforce.user(tenantId, "other@example.com");
      const gone = await workforce.user(tenantId, "gone@example.com");
      await erase({ $case: "personId", value: gone.person.id });
      const give = (to: string) =>
        workforce.raw(`update workforce_users set person_id = '${to}' where id = '${user.id}'`);
      await expect(give(other.person.id)).rejects.toThrow(/constraint/i);
      await give(gone.person.id);
      const rename = (id: string) => workforce.raw(`update workforce_people set first_name = 'x' where id = '${id}'`);
      await expect(rename(gone.person.id)).rejects.toThrow(/constraint/i);
      await rename(other.person.id);
    });
  });

  it("an erased tenant leaves no name of a role behind, standard ones and reasons of imports included (R-X263)", async () => {
    const { platform, opened } = workforce;
    const { roles } = await platform.listAccessRolesOfTenant({ tenantId });
    const renamed = { requestId: "", tenantId, accessRoleId: there(there(roles[0]).role).id, permissions: [] };
    await platform.updateAccessRole({ ...renamed, name: "Quillfeather", updateMask: ["name"] });
    await platform.createAccessRole({
      requestId: "",
      tenantId,
      name: "Lanternwright",
      permissions: ["lanterns.light"],
    });
    const user = { kind: "user", id: idOf("user", "A"), tenantId, email, status: "ACTIVE", role: "Boss" };
    const { badLines } = await bulkOver(workforce).imports([user]);
    expect(badLines.map(({ reason }) => reason)).toEqual([
      "The tenant has no access role of that name. It has: Quillfeather, Admin, Member, Lanternwright.",
    ]);
    await erase({ $case: "tenantId", value: tenantId });
    const left = (await dump(opened.store)).toString();
    expect(["Quillfeather", "Lanternwright", "lanterns.light"].filter((text) => left.includes(text))).toEqual([]);
    expect(left).toContain("The tenant has no access role of that name.");
  });

  it("users and workers of an erased tenant are not found by id, before they are erased themselves (R-X263)", async () => {
    const user = await workforce.user(tenantId, email);
    const worker = await workforce.worker(tenantId, "worker@example.com");
    await erase({ $case: "tenantId", value: tenantId });
    const { platform } = workforce;
    expect(await refusal(platform.readUser({ userId: user.id }))).toMatchObject({ reason: "user_not_found" });
    expect(await refusal(platform.readWorker({ workerId: worker.id }))).toMatchObject({ reason: "worker_not_found" });
  });

  describe("the seats of an erased tenant (R-X263)", () => {
    const people = Array.from({ length: 60 }, (__, index) => `worker${index}@example.com`);

    const eraseTenant = async () => {
      for (const address of people) await workforce.worker(tenantId, address);
      await workforce.user(tenantId, email);
      const elsewhere = (await workforce.tenant(instanceId)).id;
      await workforce.user(elsewhere, people[0] ?? "");
      const id = { $case: "tenantId", value: tenantId } as const;
      expect(await read(id)).toMatchObject({ people: 60, users: 1, workers: 60 });
      expect(await erase(id)).toMatchObject({ people: 60, users: 1, workers: 60 });
      await workforce.events();
    };
    const eraserOf = ({ erasers }: Workforce) => there(erasers[0]);

    it("are erased once, by however many processes at once, and a person who has another seat stays", async () => {
      await eraseTenant();
      const asked = await pending();
      const racers = (await workforce.opened.racers(2)).map((one) => eraserOf(workforceOver(one, workforce.clock)));
      await Promise.all(racers.map((eraser) => eraser.erase(asked, NEVER)));
      const emitted = await events();
      expect(emitted).toHaveLength(61);
      expect(new Set(emitted.map(([, id]) => id)).size).toBe(61);
      const { person } = await workforce.platform.readPerson({ key: { $case: "email", value: people[0] ?? "" } });
      expect(person).toMatchObject({ firstName: "Ines", disabled: false });
      // Somebody who stays gives the seat to one tombstone, whichever process comes second.
      const { rows } = await workforce.raw(`select id from workforce_people person where erased_at is not null
        and not exists (select 1 from workforce_users where person_id = person.id)
        and not exists (select 1 from workforce_workers where person_id = person.id)`);
      expect(rows).toEqual([]);
      expect(
        await refusal(workforce.platform.readPerson({ key: { $case: "email", value: people[1] ?? "" } })),
      ).toMatchObject({ reason: "person_not_found" });
    });

    it("are announced once each, none for a manager who went before them", async () => {
      const manager = await workforce.user(tenantId, "manager@example.com");
      const report = await workforce.user(tenantId, email, { invitedByUserId: manager.id });
      await erase({ $case: "tenantId", value: tenantId });
      await workforce.events();
      await eraserOf(workforce).erase(await pending(), NEVER);
      expect(await events()).toEqual([
        ["user.updated", manager.id, "DELETED"],
        ["user.updated", report.id, "DELETED"],
      ]);
      const { rows } = await workforce.raw("select id from workforce_users where manager_id is not null");
      expect(rows).toEqual([]);
    });

    it("are finished after an interruption; until then the tenant is not finished", async () => {
      await eraseTenant();
      const asked = await pending();
      const interrupted = new AbortController();
      interrupted.abort();
      expect(await eraserOf(workforce).erase(asked, interrupted.signal)).toBe("later");
      expect(await events()).toEqual([]);
      const membership = await workforce.signs(there((await personOf(people[1] ?? "")).id), instanceId);
      expect(membership).toBe("MEMBERSHIP_NONE");
      expect(await eraserOf(workforce).erase(asked, NEVER)).toBe("erased");
      expect(await eraserOf(workforce).erase(asked, NEVER)).toBe("erased");
      expect(await events()).toHaveLength(61);
    });

    const personOf = async (address: string) =>
      there((await workforce.platform.readPerson({ key: { $case: "email", value: address } })).person);
  });
});
