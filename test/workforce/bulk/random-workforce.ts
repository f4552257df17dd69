import fc from "fast-check";
import { ID_PREFIXES, type IdKind } from "../../../src/runtime/basis/ids.ts";

type Line = Readonly<Record<string, unknown>>;

const NOW = Date.UTC(2020, 0, 1);

const id = (kind: IdKind) =>
  fc
    .string({ unit: fc.constantFrom(..."ABCXYZabcxyz019"), minLength: 21, maxLength: 21 })
    .map((random) => `${ID_PREFIXES[kind]}_${random}`);
const ids = (kind: IdKind, minLength: number, maxLength: number) => fc.uniqueArray(id(kind), { minLength, maxLength });
const instant = fc.integer({ min: 0, max: NOW }).map((at) => new Date(at).toISOString());
/** Anything that a text may hold: letters of all the world, quotes, emoji; no control characters, no spaces around it. */
const text = fc
  .string({ unit: "grapheme", minLength: 1, maxLength: 12 })
  .map((given) => given.replaceAll(/\p{Cc}/gu, "").trim())
  .filter((given) => given !== "" && given.isWellFormed() && given.length <= 60);

/** Members that are `undefined` are left out, as an export leaves them out. */
const tidy = (line: Line): Line => JSON.parse(JSON.stringify(line)) as Line;

/** A valid workforce in an order in which it can be imported, spelled as an export spells it. */
export const randomWorkforce: fc.Arbitrary<Line[]> = fc
  .record({
    instances: ids("instance", 1, 2),
    tenants: ids("tenant", 1, 3),
    unitTypes: ids("unitType", 1, 3),
    units: ids("organizationUnit", 0, 6),
    locations: ids("organizationLocation", 0, 3),
    people: ids("person", 1, 8),
    profiles: ids("workerProfile", 8, 8),
    users: ids("user", 0, 8),
    workers: ids("worker", 0, 8),
    texts: fc.array(text, { minLength: 20, maxLength: 20 }),
    instants: fc.array(instant, { minLength: 20, maxLength: 20 }),
    picks: fc.array(fc.nat(1_000), { minLength: 60, maxLength: 60 }),
  })
  .map((given) => {
    let drawn = 0;
    const number = () => given.picks[drawn++ % given.picks.length] ?? 0;
    const pick = <T>(from: readonly T[]): T => from[number() % from.length] as T;
    const maybe = <T>(value: T): T | undefined => (number() % 2 === 0 ? value : undefined);
    const words = () => pick(given.texts);
    const at = () => pick(given.instants);
    const address = () => maybe(tidy({ address1: maybe(words()), city: words(), isoCountryCode: maybe("SE") }));
    const lines: Line[] = given.instances.map((one) => ({ kind: "instance", id: one, name: words(), createdAt: at() }));
    for (const one of given.tenants)
      lines.push({
        kind: "tenant",
        id: one,
        instanceId: pick(given.instances),
        name: words(),
        address: address(),
        createdAt: at(),
      });
    const [home = ""] = given.tenants;
    lines.push({ kind: "accessRole", tenantId: home, name: "Extra", permissions: maybe(["a.b", "c:d-e"]) });
    for (const one of given.unitTypes)
      lines.push({ kind: "unitType", id: one, tenantId: home, name: words(), createdAt: at() });
    for (const [index, one] of given.units.entries())
      lines.push({
        kind: "unit",
        id: one,
        tenantId: home,
        unitTypeId: pick(given.unitTypes),
        name: words(),
        unitCode: maybe(words()),
        description: maybe(words()),
        parentUnitId: index === 0 ? undefined : maybe(pick(given.units.slice(0, index))),
        createdAt: at(),
      });
    for (const one of given.locations)
      lines.push({ kind: "location", id: one, tenantId: home, name: words(), createdAt: at() });
    for (const [index, one] of given.people.entries())
      lines.push({
        kind: "person",
        id: one,
        workerProfileId: given.profiles[index],
        email: `p${index}.Ärmel@Example.com`,
        emailVerified: maybe(true),
        firstName: words(),
        lastName: words(),
        disabled: maybe(true),
        createdAt: at(),
      });
    const users = given.users.slice(0, given.people.length);
    for (const [index, one] of users.entries())
      lines.push({
        kind: "user",
        id: one,
        tenantId: home,
        personId: given.people[index],
        status: pick(["ACTIVE", "INVITED", "INACTIVE"]),
        managerId: index === 0 ? undefined : maybe(pick(users.slice(0, index))),
        role: maybe(pick(["Owner", "Member", "Extra"])),
        createdAt: at(),
      });
    for (const [index, one] of given.workers.slice(0, given.people.length).entries()) {
      const unitIds = given.units.slice(0, number() % 3);
      lines.push({
        kind: "worker",
        id: one,
        tenantId: home,
        personId: given.people[index],
        jobTitles: maybe([words()]),
        phone: maybe("+46 8 465 004 10"),
        address: address(),
        unitIds: unitIds.length === 0 ? undefined : unitIds,
        primaryUnitId: maybe(unitIds[0]),
        locationId: given.locations.length === 0 ? undefined : maybe(pick(given.locations)),
        createdAt: at(),
        endedAt: maybe(at()),
      });
    }
    return lines.map(tidy);
  });
