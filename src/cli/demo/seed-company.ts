import type { User } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../connection/answers.ts";
import type { Connection } from "../connection/connection.ts";
import { type Address, type Company, type Employee, emailOf, type Name, type Seat, type Unit } from "./company.ts";

export type RequestIds = (...parts: readonly (string | number)[]) => string;

/** A seeded tenant: its id, and the users and people in it by name. */
export interface SeededCompany {
  readonly tenantId: string;
  readonly users: ReadonlyMap<string, User>;
}

type Platform = Connection["platform"];

interface Place {
  readonly platform: Platform;
  readonly requestId: RequestIds;
  readonly company: Company;
  readonly tenantId: string;
}

export const nameKey = ([first, last]: Name): string => `${first} ${last}`;

/** Writes one tenant with all that belongs to it, in its order: structure, users, workers. Repeating it changes nothing (R-G18). */
export async function seedCompany(
  platform: Platform,
  company: Company,
  instanceId: string,
  requestIds: RequestIds,
): Promise<SeededCompany> {
  const requestId: RequestIds = (...parts) => requestIds(company.key, ...parts);
  const { tenant } = await platform.createTenant({
    requestId: requestId("tenant"),
    instanceId,
    name: company.name,
    address: toAddress(company.address),
  });
  const place: Place = { platform, requestId, company, tenantId: present(tenant).id };
  const unitIds = await seedUnits(place);
  const locationIds = await seedLocations(place);
  const users = await seedUsers(place);
  for (const [index, employee] of company.employees.entries())
    await seedWorker(place, employee, index, unitIds, locationIds);
  return { tenantId: place.tenantId, users };
}

async function seedUnits({ platform, requestId, company, tenantId }: Place): Promise<ReadonlyMap<string, string>> {
  const typeIds: string[] = [];
  for (const [index, name] of company.unitTypes.entries()) {
    const { unitType } = await platform.createUnitType({
      requestId: requestId("type", index),
      tenantId,
      name,
      units: [],
    });
    typeIds.push(present(unitType).id);
  }
  const ids = new Map<string, string>();
  const make = async (units: readonly Unit[], layer: number, parentUnitId: string | null): Promise<void> => {
    for (const { name, code, description = null, below = [] } of units) {
      const { unit } = await platform.createUnit({
        requestId: requestId("unit", code),
        tenantId,
        unitTypeId: typeIds[layer] ?? "",
        name,
        unitCode: code,
        description,
        parentUnitId,
      });
      const { id } = present(unit);
      ids.set(name, id);
      await make(below, layer + 1, id);
    }
  };
  await make(company.units, 0, null);
  return ids;
}

async function seedLocations({ platform, requestId, company, tenantId }: Place): Promise<ReadonlyMap<string, string>> {
  const ids = new Map<string, string>();
  for (const [index, name] of company.locations.entries()) {
    const { location } = await platform.createLocation({ requestId: requestId("location", index), tenantId, name });
    ids.set(name, present(location).id);
  }
  return ids;
}

async function seedUsers(place: Place): Promise<ReadonlyMap<string, User>> {
  const users = new Map<string, User>();
  for (const [index, seat] of place.company.seats.entries()) {
    const inviter = seat.invitedBy && users.get(nameKey(seat.invitedBy));
    users.set(nameKey(seat.name), await seedUser(place, seat, index, inviter?.id ?? null));
  }
  return users;
}

async function seedUser(
  { platform, requestId, company, tenantId }: Place,
  seat: Seat,
  index: number,
  invitedByUserId: string | null,
) {
  const { user } = await platform.inviteUser({
    requestId: requestId("user", index),
    tenantId,
    email: emailOf(seat.name, seat.domain ?? company.domain),
    firstName: seat.name[0],
    lastName: seat.name[1],
    roleName: seat.role ?? null,
    invitedByUserId,
    emailVerified: true,
    // Users become ACTIVE by signing in; these ones are told to have done so before they came here (R-G17).
    signedInBefore: seat.state !== "invited",
  });
  const made = present(user);
  const change = { requestId: requestId("user", index, seat.state), userId: made.id };
  if (seat.state === "inactive") await platform.disableUser(change);
  if (seat.state === "deleted") await platform.deleteUser(change);
  return made;
}

async function seedWorker(
  { platform, requestId, company, tenantId }: Place,
  employee: Employee,
  index: number,
  unitIds: ReadonlyMap<string, string>,
  locationIds: ReadonlyMap<string, string>,
): Promise<void> {
  const units = employee.units.map((name) => known(unitIds, name));
  await platform.onboardWorker({
    requestId: requestId("worker", index),
    tenantId,
    email: emailOf(employee.name, employee.domain ?? company.domain),
    firstName: employee.name[0],
    lastName: employee.name[1],
    jobTitles: [...employee.jobTitles],
    phone: employee.phone === undefined ? null : company.phonePrefix + employee.phone,
    address: homeOf(employee, company),
    unitIds: units,
    primaryUnitId: units[0] ?? null,
    locationId: employee.location === undefined ? null : known(locationIds, employee.location),
    emailVerified: false,
  });
}

/** Most live in the company's town. */
function homeOf({ street, home }: Employee, { address }: Company) {
  if (street === undefined && home === undefined) return null;
  const { address2: _, ...town } = address;
  return toAddress({ ...town, address1: street ?? "", ...home });
}

const toAddress = ({ address1, address2, postalCode, city, zoneCode, isoCountryCode }: Address) => ({
  address1,
  address2: address2 ?? null,
  postalCode,
  city,
  zoneCode: zoneCode ?? null,
  isoCountryCode,
});

/** @throws Error when the data name something that they do not have. */
function known(ids: ReadonlyMap<string, string>, name: string): string {
  const id = ids.get(name);
  if (id === undefined) throw new Error(`The demonstration's data name ${name}, which is not there.`);
  return id;
}
