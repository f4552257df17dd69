import { unknownReference } from "../../failures.ts";
import { clientCreated } from "../../tenants/tenant-wire.ts";
import type { LineOf } from "../lines/line.ts";
import { toInstanceLine, toTenantLine } from "../lines/tenant-lines.ts";
import type { ImportBatch } from "./import-batch.ts";
import { byId, importRun, type Verdict } from "./import-run.ts";

/** Instances are few, so they are written one by one. */
export async function importInstances(
  lines: readonly LineOf<"instance">[],
  { repositories: { instances }, at }: ImportBatch,
): Promise<Verdict[]> {
  return importRun(lines, at, {
    noun: "The instance",
    stored: byId(await instances.findAll(lines.map(({ id }) => id))),
    toLine: toInstanceLine,
    make: ({ id, name }, createdAt) => ({ id, name, createdAt }),
    async create(created) {
      // In one order: of two who make the same instances at once, one waits for the other.
      const inOrder = created.toSorted((one, other) => (one.id < other.id ? -1 : 1));
      for (const instance of inOrder) await instances.create(instance);
    },
  });
}

/** Creates tenants with their standard roles. */
export async function importTenants(lines: readonly LineOf<"tenant">[], batch: ImportBatch): Promise<Verdict[]> {
  const { repositories, at, touched } = batch;
  const instances = byId(await repositories.instances.findAll(lines.map(({ instanceId }) => instanceId)));
  const stored = byId(await repositories.tenants.lockAll(lines.map(({ id }) => id)));
  // One that somebody else has created since the batch began is there for the lines that follow.
  for (const tenant of stored.values()) batch.tenants.set(tenant.id, tenant);
  return importRun(lines, at, {
    noun: "The tenant",
    stored,
    toLine: toTenantLine,
    make({ id, instanceId, name, address }, createdAt) {
      if (!instances.has(instanceId)) throw unknownReference("instance", "instanceId", instanceId);
      return { id, instanceId, name, address, createdAt };
    },
    async create(created) {
      await repositories.tenants.createAll(created);
      await batch.emit(created.map(clientCreated));
      for (const tenant of created) {
        batch.tenants.set(tenant.id, tenant);
        touched.instances.add(tenant.instanceId);
      }
    },
  });
}
