import type { TenantId } from "#runtime/basis/ids.ts";
import { workerExists } from "../../people/taken-seat.ts";
import { unknownReference } from "../../refusals.ts";
import type { Worker, WorkerInPlace } from "../../workers/worker.ts";
import { workerOnboarded } from "../../workers/worker-event-wire.ts";
import { HeldSeats } from "../held-seats.ts";
import { getTenant, type ImportContext } from "../import-context.ts";
import type { Verdict } from "../import-position.ts";
import { byId, importRun } from "../import-run.ts";
import { KnownPeople } from "../known-people.ts";
import type { LineOf } from "../line.ts";
import { toWorkerLine } from "../lines/worker-line.ts";

/** Creates workers in their places; those whose employment lasts are announced. */
export async function importWorkers(lines: readonly LineOf<"worker">[], context: ImportContext): Promise<Verdict[]> {
  const { many, at } = context;
  const people = await KnownPeople.of(
    context,
    lines.map(({ person }) => person),
  );
  const places = await placesOf(lines, context);
  const seats = new HeldSeats(await many.workers.listSeats(people.ids));
  return importRun(lines, at, {
    noun: "The worker",
    stored: byId(await many.workers.findAll(lines.map(({ id }) => id))),
    toLine: toWorkerLine,
    make({ person, ...given }, createdAt): Worker {
      getTenant(context, given.tenantId);
      places.of(given);
      return { ...given, person: people.resolveNamed(person, createdAt), createdAt };
    },
    admit({ id, tenantId, person, endedAt }) {
      const seat = { tenantId, personId: person.id };
      const holder = seats.find(seat);
      if (holder !== undefined && endedAt === null) throw workerExists(holder);
      people.admit(person);
      if (endedAt === null) seats.hold({ id, ...seat });
    },
    async create(created) {
      await people.write();
      await many.workers.createAll(created);
      for (const { tenantId } of created) context.touched.tenants.add(tenantId);
      const told = created.filter(({ endedAt }) => endedAt === null);
      await context.emit(
        told.map((worker) => {
          const placed = { worker, ...places.of(worker) };
          return workerOnboarded(placed, getTenant(context, worker.tenantId).instanceId);
        }),
      );
    },
  });
}

type Placed = Pick<Worker, "tenantId" | "unitIds" | "primaryUnitId" | "locationId">;

async function placesOf(lines: readonly Placed[], { many: { structure } }: ImportContext) {
  const unitIds = new Set(lines.flatMap((line) => line.unitIds));
  const locationIds = new Set(lines.map(({ locationId }) => locationId).filter((id) => id !== null));
  const units = byId(await structure.units.findAll([...unitIds]));
  const locations = byId(await structure.locations.findAll([...locationIds]));
  const within = <E extends { readonly tenantId: TenantId }>(one: E | undefined, tenantId: TenantId): one is E =>
    one?.tenantId === tenantId;
  return {
    /** @throws NOT_FOUND naming the first unit, or the location, that the tenant does not have. */
    of({ tenantId, unitIds, primaryUnitId, locationId }: Placed): Omit<WorkerInPlace, "worker"> {
      const named = unitIds.map((id) => {
        const unit = units.get(id);
        if (!within(unit, tenantId)) throw unknownReference("unit", "unitIds", id);
        return { id, name: unit.name };
      });
      const location = locationId === null ? undefined : locations.get(locationId);
      if (locationId !== null && !within(location, tenantId))
        throw unknownReference("location", "locationId", locationId);
      return {
        units: named,
        primaryUnit: named.find(({ id }) => id === primaryUnitId) ?? null,
        location: location === undefined ? null : { id: location.id, name: location.name },
      };
    },
  };
}
