import type { TenantId } from "#runtime/basis/ids.ts";
import { unknownReference } from "../failures.ts";
import { assertNotErased } from "../organization/erased-place.ts";
import type { LocationRepository } from "../organization/organization-repository.ts";
import type { UnitRepository } from "../organization/unit-repository.ts";
import type { Placement, Worker } from "./worker.ts";

interface PlaceDeps {
  readonly units: UnitRepository;
  readonly locations: LocationRepository;
}

/**
 * The names of where a worker is to be placed.
 * @param present the units where the worker is placed already.
 * @throws NOT_FOUND naming the first unit, or the location, that the tenant does not have; FAILED_PRECONDITION (erased)
 *   for another unit that is erased.
 */
export async function getPlace(
  { units: knownUnits, locations }: PlaceDeps,
  { unitIds, primaryUnitId, locationId }: Pick<Worker, "unitIds" | "primaryUnitId" | "locationId">,
  tenantId: TenantId,
  present: Worker["unitIds"] = [],
): Promise<Placement> {
  const names = await knownUnits.listNames(unitIds, tenantId);
  const units = unitIds.map((id) => {
    const name = names.get(id);
    if (name === undefined) throw unknownReference("unit", "unit_ids", id);
    return { id, name };
  });
  await assertNotErased(
    knownUnits,
    unitIds.filter((id) => !present.includes(id)),
  );
  const location = locationId === null ? null : await locations.find(locationId, tenantId);
  if (location === undefined) throw unknownReference("location", "location_id", locationId ?? "");
  return {
    units,
    primaryUnit: units.find(({ id }) => id === primaryUnitId) ?? null,
    location: location && { id: location.id, name: location.name },
  };
}
