import type { TenantId } from "../../../src/runtime/basis/ids.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { erasableRepository } from "../../../src/workforce/erasure/erasable-repository.ts";
import { countTenant } from "../../../src/workforce/erasure/tenant-counts-service.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import type { WorkforceTables } from "../../../src/workforce/tables.ts";
import { eachStore } from "../../support/stores.ts";
import { workforceOver } from "../workforce-fixture.ts";

eachStore((_, open) => {
  it.each([1, 2, 3, 500])(
    "what ends with a tenant is each person, user and worker once, in parts of %d (R-X263)",
    async (size) => {
      const workforce = workforceOver(await open([erasureMigrations, workforceMigrations]));
      const { platform, opened } = workforce;
      const instanceId = await workforce.instance();
      const tenantId = (await workforce.tenant(instanceId)).id;
      const elsewhere = (await workforce.tenant(instanceId)).id;
      const left = await workforce.user(tenantId, "twice@example.com");
      await platform.deleteUser({ requestId: "", userId: left.id });
      await workforce.user(tenantId, "twice@example.com");
      await workforce.worker(tenantId, "twice@example.com");
      await workforce.worker(tenantId, "stays@example.com");
      await workforce.user(elsewhere, "stays@example.com");
      await workforce.user(tenantId, "once@example.com");
      const ended = await workforce.worker(tenantId, "returned@example.com");
      await platform.endWorker({ requestId: "", workerId: ended.id });
      await workforce.worker(tenantId, "returned@example.com");
      const { person } = await workforce.user(tenantId, "gone@example.com");
      await workforce.raw(`update workforce_people set erased_at = 1 where id = '${person.id}'`);
      const erasable = erasableRepository(opened.store.view<WorkforceTables>());
      const inParts = {
        ...erasable,
        countSeatsOf: (id: TenantId, kind: "USER" | "WORKER", after: Parameters<typeof erasable.countSeatsOf>[2]) =>
          erasable.countSeatsOf(id, kind, after, size),
      };
      expect(await countTenant(inParts, tenantId as TenantId)).toEqual({
        people: 3,
        users: 3,
        workers: 4,
        units: 0,
        unitTypes: 0,
        locations: 0,
      });
    },
  );
});
