import type { Store } from "../../src/runtime/database/database.ts";
import { workforceMigrations } from "../../src/workforce/services.ts";
import { answeredBesidesALock, MANY_CALLS } from "../support/besides-a-lock.ts";
import { onPostgres, type TestStore } from "../support/stores.ts";
import { bulkOver, idOf } from "./bulk/bulk-kit.ts";
import { there, type Workforce, workforceOver } from "./workforce-fixture.ts";

/** Its writes wait for their turns as long as a busy machine takes; what is read waits for a connection as ever. */
const inTime = (store: Store): Store => ({ ...store, connections: { ...there(store.connections), waitMs: 60_000 } });

onPostgres((open) => {
  describe("while a tenant is locked for long, as by an import of all or nothing (R-X411)", () => {
    let holder: TestStore;
    let workforce: Workforce;
    let instanceId: string;
    let tenantId: string;
    beforeEach(async () => {
      const opened = await open([workforceMigrations]);
      holder = await opened.again();
      workforce = workforceOver({ ...opened, store: inTime(opened.store) });
      instanceId = await workforce.instance();
      tenantId = (await workforce.tenant(instanceId)).id;
    });

    const besides = (asked: () => Promise<unknown>, call: (index: number) => Promise<unknown>) =>
      answeredBesidesALock({
        holder,
        lock: `select id from workforce_tenants where id = '${tenantId}' for update`,
        calls: () => Array.from({ length: MANY_CALLS }, (_, index) => call(index)),
        asked,
      });
    const invite = (index: number) => workforce.user(tenantId, `user${index}@example.com`);
    const everythingIsAnswered = { asked: "fulfilled", calls: Array(MANY_CALLS).fill("fulfilled") };

    it("writes to it leave connections for what is read, however many there are", async () => {
      const read = () => workforce.platform.listTenantsOfInstance({ instanceId, after: null });
      expect(await besides(read, invite)).toEqual(everythingIsAnswered);
    });

    it("writes to it leave connections for sign-ins that write themselves", async () => {
      const { id } = await workforce.tenant(instanceId);
      const { person } = await workforce.user(id, "mila@example.com");
      expect(await besides(() => workforce.signs(person.id, instanceId), invite)).toEqual(everythingIsAnswered);
    });

    it("writes to it leave turns for writes to other tenants", async () => {
      const { id } = await workforce.tenant(instanceId);
      expect(await besides(() => workforce.user(id, "mila@example.com"), invite)).toEqual(everythingIsAnswered);
    });

    const importing = (index: number) => {
      const email = `user${index}@example.com`;
      const line = { kind: "user", id: idOf("user", `A${index}`), tenantId, email, status: "ACTIVE" };
      return bulkOver(workforce).imports([line], { importId: `import-${index}`, allOrNothing: true });
    };

    it("imports of all or nothing leave connections for writes to other tenants", async () => {
      const { id } = await workforce.tenant(instanceId);
      expect(await besides(() => workforce.user(id, "mila@example.com"), importing)).toEqual(everythingIsAnswered);
    });

    it("writes and imports to it leave a connection for what is read, beside as many exports as there may be (R-X369)", async () => {
      const { store } = workforce.opened;
      const half = Math.floor(there(store.connections).most / 2);
      const exports = await Promise.all(Array.from({ length: half }, () => store.snapshot()));
      const read = () => workforce.platform.listTenantsOfInstance({ instanceId, after: null });
      const both = (index: number) => (index % 3 === 0 ? importing(index) : invite(index));
      const answered = await besides(read, both);
      await Promise.all(exports.map((one) => one.close()));
      expect(answered).toEqual(everythingIsAnswered);
    });
  });
});
