import type { TenantId } from "#runtime/basis/ids.ts";
import { unknownReference, workerExists } from "../../failures.ts";
import { assertNoneErased } from "../../organization/erased-place.ts";
import type { Placement, Worker } from "../../workers/worker.ts";
import { workerOnboarded } from "../../workers/worker-wire.ts";
import type { LineOf } from "../lines/line.ts";
import { toWorkerLine } from "../lines/worker-line.ts";
import { type ImportBatch, tenantNamed } from "./import-batch.ts";
import { byId, importRun, type Verdict } from "./import-run.ts";
import { KnownPeople } from "./known-people.ts";
import { TakenSeats } from "./taken-seats.ts";

/** Creates workers in their places; those whose employment lasts are announced. */
export async function importWorkers(lines: readonly LineOf<"worker">[], batch: ImportBatch): Promise<Verdict[]> {
  const { repositories, at } = batch;
  const people = await KnownPeople.of(
    batch,
    lines.map(({ person }) => person),
  );
  const places = await placesOf(lines, batch);
  const seats = new TakenSeats(await repositories.workers.listSeats(people.ids));
  return importRun(lines, at, {
    noun: "The worker",
    stored: byId(await repositories.workers.findAll(lines.map(({ id }) => id))),
    toLine: toWorkerLine,
    make({ person, ...given }, createdAt): Worker {
      tenantNamed(batch, given.tenantId);
      places.of(given);
      return { ...given, person: people.resolveNamed(person, createdAt), createdAt };
    },
    admit({ id, tenantId, person, unitIds, endedAt }) {
      places.assertNotErased(unitIds);
      const seat = { tenantId, personId: person.id };
      const holder = seats.find(seat);
      if (holder !== undefined && endedAt === null) throw workerExists(holder);
      people.admit(person);
      if (endedAt === null) seats.take({ id, ...seat });
    },
    async create(created) {
      await people.write();
      await repositories.workers.createAll(created);
      for (const { tenantId } of created) batch.touched.tenants.add(tenantId);
      const announced = created.filter(({ endedAt }) => endedAt === null);
      await batch.emit(
        announced.map((worker) => {
          const placed = { worker, ...places.of(worker) };
          return workerOnboarded(placed, tenantNamed(batch, worker.tenantId).instanceId);
        }),
      );
    },
  });
}

type Placed = Pick<Worker, "tenantId" | "unitIds" | "primaryUnitId" | "locationId">;

async function placesOf(lines: readonly Placed[], { repositories }: ImportBatch) {
  const unitIds = new Set(lines.flatMap((line) => line.unitIds));
  const locationIds = new Set(lines.map(({ locationId }) => locationId).filter((id) => id !== null));
  const units = byId(await repositories.units.findAll([...unitIds]));
  const locations = byId(await repositories.locations.findAll([...locationIds]));
  const erased = await repositories.units.listErased([...unitIds]);
  const within = <E extends { readonly tenantId: TenantId }>(one: E | undefined, tenantId: TenantId): one is E =>
    one?.tenantId === tenantId;
  return {
    /** @throws FAILED_PRECONDITION (erased) naming the first. */
    assertNotErased(ids: Placed["unitIds"]) {
      assertNoneErased(ids, erased);
    },

    /** @throws NOT_FOUND naming the first unit, or the location, that the tenant does not have. */
    of({ tenantId, unitIds, primaryUnitId, locationId }: Placed): Placement {
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
