import type { ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { byId, importRun } from "../import-run.ts";
import type { LineOf } from "../line.ts";
import { toInstanceLine } from "../lines/instance-line.ts";

/** Instances are few, so they are read as a whole and written one by one. */
export async function importInstances(
  lines: readonly LineOf<"instance">[],
  { instances, at }: ImportContext,
): Promise<Verdict[]> {
  return importRun(lines, at, {
    noun: "The instance",
    stored: byId(await instances.list()),
    toLine: toInstanceLine,
    make: ({ id, name }, createdAt) => ({ id, name, createdAt }),
    async create(created) {
      for (const instance of created) await instances.create(instance);
    },
  });
}
