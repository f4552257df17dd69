import { hash } from "node:crypto";
import { DAY_MS } from "#runtime/basis/durations.ts";
import { COUNTRIES, type Country } from "./countries.ts";
import { type SeededNumbers, seededNumbers } from "./seeded-numbers.ts";
import { COMPANY_NAMES, TRADES, type Trade } from "./trades.ts";

/** A line as an import takes it. */
export type SeedLine = Readonly<Record<string, unknown>> & { readonly kind: string };

/** A made-up tenant, before its lines. */
interface MadeCompany {
  readonly seed: string;
  readonly index: number;
  readonly instanceId: string;
  readonly workers: number;
}

/** Workers for each user. */
const WORKERS_PER_USER = 20;
/** People are written in groups, so that an import finds lines of one kind together. */
const GROUP = 250;
const FIRST_DAY = Date.UTC(2019, 0, 1);
const DAYS = 5 * 365;

/**
 * Lines of one tenant: the tenant, its structure, then people with their users and workers, group by group; they are
 * not retained in memory.
 */
export function* companyLines(company: MadeCompany): Generator<SeedLine> {
  const { seed, index, instanceId } = company;
  const numbers = seededNumbers(`${seed} tenant ${index}`);
  const tenantId = numbers.id("tenant");
  const country = numbers.pick(COUNTRIES);
  const trade = numbers.pick(TRADES);
  const name = `${numbers.pick(COMPANY_NAMES)} ${numbers.pick(trade.companyWords)} ${index + 1}`;
  const createdAt = new Date(FIRST_DAY).toISOString();
  yield { kind: "tenant", id: tenantId, instanceId, name, address: addressOf(country, numbers), createdAt };
  yield { kind: "accessRole", tenantId, name: "Payroll", permissions: ["payroll.read", "payroll.write"] };
  const { lines, teams, locationIds } = structureOf(tenantId, trade, numbers, createdAt);
  yield* lines;

  const staff: Staff = { ...company, tenantId, country, teams, locationIds };
  const users = Math.max(1, Math.ceil(company.workers / WORKERS_PER_USER));
  const managers: string[] = [];
  for (let from = 0; from < Math.max(company.workers, users); from += GROUP) {
    const people = Array.from({ length: Math.min(GROUP, Math.max(company.workers, users) - from) }, (_, at) =>
      personOf(staff, from + at),
    );
    yield* people.map(({ line }) => line);
    // The first person of a tenant owns it; one in WORKERS_PER_USER of the others is a user too.
    yield* people.filter(({ nth }) => nth % WORKERS_PER_USER === 0).map((person) => userOf(staff, person, managers));
    yield* people.filter(({ nth }) => nth < company.workers).map((person) => workerOf(staff, person));
  }
}

interface Team {
  readonly id: string;
  readonly departmentId: string;
  readonly jobTitles: readonly string[];
}

interface Staff extends MadeCompany {
  readonly tenantId: string;
  readonly country: Country;
  readonly teams: readonly Team[];
  readonly locationIds: readonly string[];
}

function structureOf(tenantId: string, trade: Trade, numbers: SeededNumbers, createdAt: string) {
  const unitType = (name: string) => ({
    kind: "unitType",
    id: numbers.id("unitType"),
    tenantId,
    name,
    createdAt,
  });
  const [departmentType, teamType] = [unitType("Department"), unitType("Team")];
  const units: SeedLine[] = [];
  const teams: Team[] = [];
  for (const [at, { name, teams: names, jobTitles }] of trade.departments.entries()) {
    const departmentId = numbers.id("organizationUnit");
    const unitCode = `D${at + 1}`;
    units.push({ kind: "unit", id: departmentId, tenantId, unitTypeId: departmentType.id, name, unitCode, createdAt });
    for (const [below, team] of names.entries()) {
      const id = numbers.id("organizationUnit");
      const place = { parentUnitId: departmentId, unitCode: `${unitCode}-${below + 1}` };
      units.push({ kind: "unit", id, tenantId, unitTypeId: teamType.id, name: team, ...place, createdAt });
      teams.push({ id, departmentId, jobTitles });
    }
  }
  const locations = trade.locations.map((name) => ({
    kind: "location",
    id: numbers.id("organizationLocation"),
    tenantId,
    name,
    createdAt,
  }));
  return {
    lines: [departmentType, teamType, ...units, ...locations],
    teams,
    locationIds: locations.map(({ id }) => id),
  };
}

interface MadePerson {
  readonly nth: number;
  readonly numbers: SeededNumbers;
  readonly id: string;
  readonly createdAt: string;
  readonly line: SeedLine;
}

function personOf({ seed, index, country }: Staff, nth: number): MadePerson {
  const numbers = seededNumbers(`${seed} tenant ${index} person ${nth}`);
  const id = numbers.id("person");
  const createdAt = new Date(
    FIRST_DAY + Math.floor(numbers.whole(DAYS)) * DAY_MS + numbers.whole(DAY_MS),
  ).toISOString();
  const [firstName, lastName] = [numbers.pick(country.firstNames), numbers.pick(country.lastNames)];
  const line = {
    kind: "person",
    id,
    workerProfileId: numbers.id("workerProfile"),
    email: `${localPart([firstName, lastName])}${nth + 1}@tenant-${index + 1}.${domainOf(seed)}`,
    emailVerified: numbers.chance(0.9),
    firstName,
    lastName,
    createdAt,
  };
  return { nth, numbers, id, createdAt, line };
}

function userOf(
  { tenantId }: Staff,
  { nth, numbers, id: personId, createdAt }: MadePerson,
  managers: string[],
): SeedLine {
  const id = numbers.id("user");
  const isOwner = nth === 0;
  const managerId = isOwner ? undefined : numbers.pick(managers);
  const role = isOwner ? "Owner" : numbers.chance(0.2) ? "Admin" : numbers.chance(0.1) ? "Payroll" : "Member";
  const status = isOwner || numbers.chance(0.8) ? "ACTIVE" : numbers.pick(["INVITED", "INACTIVE", "DELETED"]);
  // The first few lead the others.
  if (status === "ACTIVE" && managers.length < 20) managers.push(id);
  return { kind: "user", id, tenantId, personId, status, managerId, role, createdAt };
}

function workerOf(staff: Staff, { numbers, id: personId, createdAt }: MadePerson): SeedLine {
  const { tenantId, country, teams, locationIds } = staff;
  const team = numbers.pick(teams);
  const hasEnded = numbers.chance(0.05);
  return {
    kind: "worker",
    id: numbers.id("worker"),
    tenantId,
    personId,
    jobTitles: [
      ...new Set([numbers.pick(team.jobTitles), ...(numbers.chance(0.1) ? [numbers.pick(team.jobTitles)] : [])]),
    ],
    phone: country.phone?.replaceAll("#", () => String(numbers.whole(10))),
    address: addressOf(country, numbers),
    unitIds: numbers.chance(0.2) ? [team.id, team.departmentId] : [team.id],
    primaryUnitId: team.id,
    locationId: numbers.chance(0.9) ? numbers.pick(locationIds) : undefined,
    createdAt,
    endedAt: hasEnded ? new Date(Date.parse(createdAt) + 200 * DAY_MS).toISOString() : undefined,
  };
}

function addressOf({ isoCountryCode, streets, numberFirst, towns }: Country, numbers: SeededNumbers) {
  const [street, number] = [numbers.pick(streets), 1 + numbers.whole(120)];
  return {
    address1: numberFirst ? `${number} ${street}` : `${street} ${number}`,
    ...numbers.pick(towns),
    isoCountryCode,
  };
}

/** Names without Latin letters give no local part of an address. */
const localPart = (name: Name): string => /^[a-z]+[.][a-z-]+(?=@)/.exec(emailOf(name, ""))?.[0] ?? "person";

/** Differs for each seed, so that two seeds never share an address. */
const domainOf = (seed: string): string => `s${hash("sha256", seed, "hex").slice(0, 12)}.example`;

/** Given name and family name. */
export type Name = readonly [first: string, last: string];

/** `Zoë`, `Lindqvist-Åberg` → `zoe.lindqvist-aberg@…` */
export function emailOf([first, last]: Name, domain: string): string {
  const plain = `${first}.${last}`
    .normalize("NFD")
    .replaceAll(/\p{M}/gu, "")
    .replaceAll("ø", "o")
    .replaceAll("Ø", "O")
    .replaceAll("ł", "l")
    .replaceAll("Ł", "L")
    .replaceAll("ß", "ss")
    .replaceAll(/[^A-Za-z.-]/g, "");
  return `${plain.toLowerCase()}@${domain}`;
}
