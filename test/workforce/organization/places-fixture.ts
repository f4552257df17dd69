import type { NewUnit } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { there, type Workforce } from "../workforce-fixture.ts";

/** A new unit, top-level by default. */
export const newUnit = (name: string, more: Partial<NewUnit> = {}): NewUnit => ({ name, parent: null, ...more });

/** A unit type with units of these names, and a location. */
export async function makePlaces({ platform, clock }: Workforce, tenantId: string, names = ["Bakery", "Sales"]) {
  clock.step(1);
  const base = { requestId: "", tenantId };
  const { unitType, units } = await platform.createUnitType({
    ...base,
    name: "Department",
    units: names.map((name) => newUnit(name)),
  });
  const { location } = await platform.createLocation({ ...base, name: "Quay Street" });
  const [first = "", second = ""] = units.map(({ id }) => id);
  return {
    unitType: there(unitType),
    units,
    unitIds: [first, second] as const,
    location: there(location),
    locationId: there(location).id,
  };
}
