import { unknownReference } from "../../refusals.ts";
import { clientCreated } from "../../tenants/tenant-event-wire.ts";
import type { ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { byId, importRun } from "../import-run.ts";
import type { LineOf } from "../line.ts";
import { toTenantLine } from "../lines/tenant-line.ts";

/** Creates tenants with their standard roles. */
export async function importTenants(lines: readonly LineOf<"tenant">[], context: ImportContext): Promise<Verdict[]> {
  const { many, at, touched } = context;
  const instanceIds = new Set<string>((await context.instances.list()).map(({ id }) => id));
  const stored = byId(await many.tenants.lockAll(lines.map(({ id }) => id)));
  // One that somebody else has created since the batch began is there for the lines that follow.
  for (const tenant of stored.values()) context.tenants.set(tenant.id, tenant);
  return importRun(lines, at, {
    noun: "The tenant",
    stored,
    toLine: toTenantLine,
    make({ id, instanceId, name, address }, createdAt) {
      if (!instanceIds.has(instanceId)) throw unknownReference("instance", "instanceId", instanceId);
      return { id, instanceId, name, address, createdAt };
    },
    async create(created) {
      await many.tenants.createAll(created);
      await context.emit(created.map(clientCreated));
      for (const tenant of created) {
        context.tenants.set(tenant.id, tenant);
        touched.instances.add(tenant.instanceId);
      }
    },
  });
}
