import { sql } from "kysely";
import { ErasureService } from "../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { erasureMigrations, listPendingErasures } from "../../src/runtime/erasure/erasures.ts";
import { inProcessCarrier } from "../../src/runtime/rpc/in-process.ts";
import { workforceMigrations } from "../../src/workforce/services.ts";
import { quietBoundary } from "../support/carriers.ts";
import { blocker, deadlocksOf, patientRacers, waitForLocks } from "../support/deadlocks.ts";
import { patiently } from "../support/patient-calls.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { bulkOver, idOf } from "./bulk/bulk-kit.ts";
import { there, type Workforce, workforceOver } from "./workforce-fixture.ts";

const NEVER = new AbortController().signal;

onPostgres((open) => {
  describe("changes of several services that lock the same rows never wait for each other", () => {
    let observer: TestStore;
    let racers: readonly TestStore[];
    let workforce: Workforce;
    let other: Workforce;
    beforeEach(async () => {
      observer = await open([erasureMigrations, workforceMigrations]);
      racers = await patientRacers(observer, 2);
      [workforce, other] = racers.map((racer) => workforceOver(racer)) as [Workforce, Workforce];
    });

    const deadlocks = () => deadlocksOf([observer, ...racers]);
    const twoTenants = async () => {
      const instanceId = await workforce.instance();
      return [await workforce.tenant(instanceId), await workforce.tenant(instanceId)].map(({ id }) => id) as [
        string,
        string,
      ];
    };
    const blockEvents = () => blocker(observer, (tx) => sql`lock table outbox_entries in share mode`.execute(tx));
    const imports = (by: Workforce, importId: string, lines: readonly object[]) =>
      bulkOver(by).imports(lines, { importId, emitEvents: true });
    const user = (word: string, tenantId: string, email: string) => ({
      ...{ kind: "user", id: idOf("user", word), tenantId, email, status: "ACTIVE" },
    });
    const worker = (word: string, tenantId: string, email: string) => ({
      ...{ kind: "worker", id: idOf("worker", word), tenantId, email, firstName: "Noor", lastName: "Visser" },
    });

    it("two imports that name the same people in another order (R-D2)", async () => {
      const [first, second] = await twoTenants();
      const elsewhere = (await workforce.tenant(await workforce.instance())).id;
      for (const name of ["noor", "ines"])
        await workforce.worker(elsewhere, `${name}@example.com`, { firstName: "Given", lastName: "Name" });
      const blocked = await blockEvents();
      const importing = [
        imports(workforce, "one", [user("A", first, "noor@example.com"), worker("A", first, "ines@example.com")]),
        imports(other, "two", [user("B", second, "ines@example.com"), worker("B", second, "noor@example.com")]),
      ];
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await Promise.all(importing)).toMatchObject([{ created: 2 }, { created: 2 }]);
      expect(await deadlocks()).toBe(0);
    });

    it("two imports, each of which names somebody whom the tenant of the other shows (R-D2)", async () => {
      const [first, second] = await twoTenants();
      await workforce.user(second, "noor@example.com");
      await workforce.user(first, "ines@example.com");
      const blocked = await blockEvents();
      const importing = [
        imports(workforce, "one", [user("A", first, "a@example.com"), worker("A", first, "noor@example.com")]),
        imports(other, "two", [user("B", second, "b@example.com"), worker("B", second, "ines@example.com")]),
      ];
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await Promise.all(importing)).toMatchObject([{ created: 2 }, { created: 2 }]);
      expect(await deadlocks()).toBe(0);
    });

    it("an import that has a line of a tenant behind the people of another, and a change of them in that tenant (R-D2)", async () => {
      const [first, second] = await twoTenants();
      await workforce.user(first, "noor@example.com");
      const { tenant } = await workforce.platform.readTenant({ tenantId: second });
      const { name, instanceId, createdAt } = there(tenant);
      const blocked = await blockEvents();
      const importing = imports(workforce, "one", [
        worker("A", first, "noor@example.com"),
        { kind: "tenant", id: second, instanceId, name, createdAt },
      ]);
      await waitForLocks(observer, 1);
      const inviting = other.user(second, "noor@example.com");
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await importing).toMatchObject({ created: 1, unchanged: 1 });
      expect(await inviting).toMatchObject({ tenantId: second });
      expect(await deadlocks()).toBe(0);
    });

    it("an import of all or nothing, and a change of people of its first part in a tenant of its second (R-D2)", async () => {
      const [first, second] = await twoTenants();
      await workforce.user(first, "noor@example.com");
      const blocked = await blockEvents();
      const location = (_: unknown, index: number) => ({
        ...{ kind: "location", id: idOf("location", index), tenantId: first, name: `Hall ${index}` },
      });
      // A part has 250 lines at most.
      const lines = [
        worker("A", first, "noor@example.com"),
        ...Array.from({ length: 249 }, location),
        user("B", second, "ines@example.com"),
      ];
      const importing = bulkOver(workforce).imports(lines, { emitEvents: true, allOrNothing: true });
      await waitForLocks(observer, 1);
      const inviting = other.user(second, "noor@example.com");
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await importing).toMatchObject({ created: 251 });
      expect(await inviting).toMatchObject({ tenantId: second });
      expect(await deadlocks()).toBe(0);
    });

    it.each<[string, "workforce_tenants" | "workforce_instances", (instanceId: string, word: string) => object]>([
      [
        "tenants",
        "workforce_tenants",
        (instanceId, word) => ({ kind: "tenant", id: idOf("client", word), instanceId, name: "Harbour Bakery" }),
      ],
      [
        "instances",
        "workforce_instances",
        (_, word) => ({ kind: "instance", id: idOf("instance", word), name: "Europe" }),
      ],
    ])("two imports that make the same %s in another order (R-D2)", async (_, table, line) => {
      const instanceId = await workforce.instance();
      // Who makes a second one waits with the first one made.
      await sql`
        create function wait_at_second() returns trigger language plpgsql as $$
        begin
          if current_setting('test.made', true) = 'one' then perform pg_advisory_xact_lock_shared(4711); end if;
          perform set_config('test.made', 'one', true);
          return new;
        end $$`.execute(workforce.db);
      await sql`
        create trigger wait_at_second before insert on ${sql.table(table)}
        for each row execute function wait_at_second()`.execute(workforce.db);
      const lines = ["A", "B"].map((word) => line(instanceId, word));
      const blocked = await blocker(observer, (tx) => sql`select pg_advisory_xact_lock(4711)`.execute(tx));
      const importing = [imports(workforce, "one", lines), imports(other, "two", lines.toReversed())];
      await waitForLocks(observer, 2);
      await blocked.end();
      expect((await Promise.all(importing)).map(({ created, bad }) => [created, bad]).toSorted()).toEqual([
        [0, 0],
        [2, 0],
      ]);
      expect(await deadlocks()).toBe(0);
    });

    const erasureBy = ({ registrations }: Workforce) =>
      patiently(
        inProcessCarrier({ peer: "platform", registrations, interceptors: quietBoundary(), hand: "encoded" }).connect(
          ErasureService,
        ),
      );
    /** Locks the person and gives them a seat like somebody else's, as an invitation that commits when this is ended. */
    const giveSeat = (personId: string, userId: string) =>
      blocker(observer, async (tx) => {
        await sql`select id from workforce_people where id = ${personId} for no key update`.execute(tx);
        const seat = JSON.stringify({ id: idOf("user", "meanwhile"), person_id: personId });
        await sql`
          insert into workforce_users
          select (jsonb_populate_record(other, ${seat}::jsonb)).* from workforce_users other where id = ${userId}`.execute(
          tx,
        );
      });

    it.each<[string, (personId: string) => Promise<unknown>]>([
      [
        "a change of the name",
        (personId) =>
          workforce.platform.updatePerson({
            ...{ requestId: "", personId, firstName: "Maren", lastName: "Berg", email: "", emailVerified: false },
            updateMask: ["first_name", "last_name"],
          }),
      ],
      [
        "an erasure",
        (personId) => erasureBy(workforce).erase({ target: { id: { $case: "personId", value: personId } } }),
      ],
    ])(
      "%s of a person who gets a seat in another tenant meanwhile, and a change in that tenant (R-X407)",
      async (_, change) => {
        const [first, second] = await twoTenants();
        const { person } = await workforce.worker(first, "noor@example.com");
        const seat = await workforce.user(second, "ines@example.com");
        const blocked = await giveSeat(person.id, seat.id);
        const changing = change(person.id);
        await waitForLocks(observer, 1);
        // It has locked the other tenant, and waits for the person.
        const inviting = other.user(second, "noor@example.com");
        await waitForLocks(observer, 2);
        await blocked.end();
        await expect(inviting).rejects.toMatchObject({ code: "ALREADY_EXISTS" });
        await changing;
        const shown = await workforce.raw(
          `select 1 from audit_entries where action in ('person.update', 'person.erase') and object = '${person.id}'`,
        );
        expect(shown.rows).toHaveLength(1);
        expect(await deadlocks()).toBe(0);
      },
    );

    it("an erasure of a person who gets a seat in another tenant before the person is locked, and a change in both (R-X407)", async () => {
      const [low, high] = (await twoTenants()).toSorted() as [string, string];
      const { person } = await workforce.user(high, "noor@example.com");
      const shown = (await workforce.user(low, "ines@example.com")).person;
      await workforce.user(high, "ines@example.com");
      const blocked = await blocker(observer, (tx) =>
        sql`select id from workforce_tenants where id = ${high} for no key update`.execute(tx),
      );
      const erasing = erasureBy(workforce).erase({ target: { id: { $case: "personId", value: person.id } } });
      await waitForLocks(observer, 1);
      await other.user(low, "noor@example.com");
      // It has locked one of the tenants, and waits behind the erasure for the other one.
      const changing = other.platform.updatePerson({
        ...{ requestId: "", personId: shown.id, firstName: "Maren", lastName: "Berg", email: "", emailVerified: false },
        updateMask: ["first_name", "last_name"],
      });
      await waitForLocks(observer, 2);
      await blocked.end();
      await changing;
      expect((await erasing).state).toMatchObject({ people: 1, users: 2 });
      expect(await deadlocks()).toBe(0);
    });

    it("erasures of two tenants with the same people (R-X263)", async () => {
      const tenantIds = await twoTenants();
      const emails = ["noor@example.com", "ines@example.com"];
      for (const email of emails) await workforce.user(tenantIds[0], email);
      for (const email of emails.toReversed()) await workforce.user(tenantIds[1], email);
      for (const value of tenantIds) await erasureBy(workforce).erase({ target: { id: { $case: "tenantId", value } } });
      const asked = await listPendingErasures(observer.store.view(), 2);
      const blocked = await blocker(observer, (tx) => sql`lock table audit_entries in share mode`.execute(tx));
      const erasing = [workforce, other].map(({ erasers: [eraser] }, index) =>
        there(eraser).erase(asked.slice(index, index + 1), NEVER),
      );
      await waitForLocks(observer, 2);
      await blocked.end();
      expect(await Promise.all(erasing)).toEqual(["erased", "erased"]);
      expect(await deadlocks()).toBe(0);
    });

    it("connections of integrations with instances whose names change (R-X408)", async () => {
      const instanceIds = [await workforce.instance("I"), await workforce.instance("J")] as [string, string];
      // Each is connected with the instance that the other is going to be connected with.
      const ofJ = await workforce.integration(instanceIds[1]);
      const ofI = await workforce.integration(instanceIds[0]);
      const blocked = await blocker(observer, (tx) => sql`select id from workforce_instances for update`.execute(tx));
      const changing: Promise<unknown>[] = [];
      for (const instanceId of instanceIds) {
        const request = { requestId: "", instanceId, name: "Another", updateMask: ["name"] };
        changing.push(workforce.platform.updateInstance(request));
        await waitForLocks(observer, changing.length);
      }
      for (const [index, { integrationId }] of [ofJ, ofI].entries()) {
        const request = { requestId: "", integrationId, instanceId: instanceIds[index] ?? "", configured: true };
        changing.push(other.operator.connectIntegration(request));
        await waitForLocks(observer, changing.length);
      }
      await blocked.end();
      await Promise.all(changing);
      expect(await deadlocks()).toBe(0);
    });

    it("changes of the names of instances with the same integrations (R-G10)", async () => {
      const instanceIds: string[] = [];
      for (let count = 0; count < 3; count++) instanceIds.push(await workforce.instance());
      const connected = [await workforce.integration(...instanceIds), await workforce.integration(...instanceIds)];
      const renaming = instanceIds.map(async (instanceId, index) => {
        const { platform } = index === 0 ? other : workforce;
        for (let count = 0; count < 100; count++)
          await platform.updateInstance({ requestId: "", instanceId, name: `Name ${count}`, updateMask: ["name"] });
      });
      // Moves the row of one integration to another place, and so in the order in which rows are found.
      const moving = connected.map(async ({ connectionId }, index) => {
        const { operator } = index === 0 ? other : workforce;
        for (let count = 0; count < 100; count++)
          await operator.configureInstanceIntegration({
            ...{ requestId: "", instanceIntegrationId: connectionId, configured: count % 2 === 1 },
          });
      });
      await Promise.all([...renaming, ...moving]);
      expect(await deadlocks()).toBe(0);
    });
  });
});
