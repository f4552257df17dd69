import { sql } from "kysely";
import { workforceMigrations } from "../../src/workforce/services.ts";
import { blocker, deadlocksOf, waitForLocks } from "../support/deadlocks.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { bulkOver, idOf } from "./bulk/bulk-kit.ts";
import { type Workforce, workforceOver } from "./workforce-fixture.ts";

onPostgres((open) => {
  describe("changes of several services that lock the same rows never wait for each other", () => {
    let observer: TestStore;
    let racers: readonly TestStore[];
    let workforce: Workforce;
    let other: Workforce;
    beforeEach(async () => {
      observer = await open([workforceMigrations]);
      racers = await observer.racers(2);
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
