import { eachStore } from "../../support/stores.ts";
import { AT, type Bulk, HARBOUR, idOf, openBulk } from "./bulk-kit.ts";

const { instance, tenant, accessRole, unitType, unit, location, person, user, worker } = HARBOUR;

/** What another tenant of the same instance has. */
const ABROAD = [
  { ...tenant, id: idOf("client", "X") },
  { ...unitType, id: idOf("unittype", "X"), tenantId: idOf("client", "X") },
  { ...unit, id: idOf("unit", "X"), tenantId: idOf("client", "X"), unitTypeId: idOf("unittype", "X") },
  { ...location, id: idOf("location", "X"), tenantId: idOf("client", "X") },
  { ...user, id: idOf("user", "X"), tenantId: idOf("client", "X") },
  { ...user, id: idOf("user", "D"), status: "DELETED" },
  {
    ...person,
    id: idOf("person", "X"),
    workerProfileId: idOf("profile", "X"),
    email: "nameless@example.com",
    lastName: null,
  },
];

const fresh = <T extends object>(line: T, prefix: string) => ({ ...line, id: idOf(prefix, "F") });
const none = (kind: string, prefix: string, member: string) =>
  `There is no ${kind} ${idOf(prefix, "Z")}. Correct ${member}, or create the ${kind} first.`;
const elsewhere = (kind: string, prefix: string, member: string) =>
  `There is no ${kind} ${idOf(prefix, "X")}. Correct ${member}, or create the ${kind} first.`;
const other = (what: string, members: string) =>
  `${what} exists with other content: ${members}. An import adds and never changes; take the line out, or make it equal.`;

const CASES: readonly (readonly [what: string, line: object | string, reason: string])[] = [
  ["no JSON", '{"kind":"tena', "The line is not JSON. Was it cut off?"],
  ["a list", "[]", "The line must be a JSON object."],
  ["null", "null", "The line must be a JSON object."],
  [
    "a member that occurs twice (S40)",
    `{"kind":"instance","id":"${idOf("instance", "F")}","name":"x","createdAt":"2024-01-01T00:00:00Z","name":"y"}`,
    "The line repeats the member name. Keep one of the two.",
  ],
  [
    "a member that occurs twice in an object of the line (S40)",
    JSON.stringify({ ...fresh(tenant, "client"), address: { city: "A" } }).replace('"city"', '"city":"B","city"'),
    "The line repeats the member city. Keep one of the two.",
  ],
  [
    "a member that there is not, twice: its name may be a person's (R-X67)",
    `{"kind":"instance","id":"${idOf("instance", "F")}","name":"x","Okafor":1,"Okafor":2}`,
    "The line repeats a member. Keep one of the two.",
  ],
  [
    "JSON in which nobody can look for repetitions",
    `{"kind":"instance","name":${"[".repeat(20_000)}${"]".repeat(20_000)}}`,
    "The line is nested too deeply.",
  ],
  [
    "a list of 200,000 entries",
    `{"kind":"instance","name":[${"1,".repeat(200_000)}1]}`,
    "id must be instance_ followed by 21 letters or digits; name must be a text; name is missing.",
  ],
  ["no kind", {}, "kind must be one of instance, tenant, accessRole, unitType, unit, location, person, user, worker."],
  [
    "a member that there is not (S43)",
    { ...instance, nmae: "x" },
    "the line has a member that this kind does not have; it has kind, id, name, createdAt.",
  ],
  [
    "a member by the name of an object's own",
    `{"kind":"instance","id":"${idOf("instance", "F")}","name":"x","__proto__":1}`,
    "the line has a member that this kind does not have; it has kind, id, name, createdAt.",
  ],
  [
    "several mistakes at once",
    { kind: "instance", id: "x", name: 7 },
    "id must be instance_ followed by 21 letters or digits; name must be a text; name is missing.",
  ],
  ["a list where a text is due", { ...instance, name: ["x"] }, "name must be a text; name is missing."],
  ["control characters", { ...instance, name: "a\u0000b" }, "name must not hold control characters."],
  ["a future time", { ...instance, createdAt: "2999-01-01T00:00:00Z" }, "createdAt must not be in the future."],
  [
    "a day that there is not",
    { ...instance, createdAt: "2024-02-30T00:00:00Z" },
    "createdAt must be an instant like 2027-01-31T12:00:00.000Z.",
  ],
  [
    "a time without zone",
    { ...instance, createdAt: "2024-02-03T00:00:00" },
    "createdAt must be an instant like 2027-01-31T12:00:00.000Z.",
  ],
  ["a time before 1970", { ...instance, createdAt: "1969-12-31T23:59:59.999Z" }, "createdAt must not be before 1970."],
  ["a flag in words", { ...person, emailVerified: "yes" }, "emailVerified must be true or false."],
  [
    "an unknown part of an address",
    { ...tenant, address: { street: "x" } },
    "address has a member that an address does not have; it has address1, address2, city, isoCountryCode, postalCode, zoneCode.",
  ],
  [
    "a country in words",
    { ...tenant, address: { isoCountryCode: "NLD" } },
    "address.isoCountryCode must be two letters (ISO 3166-1 alpha-2).",
  ],
  ["an address that is a text", { ...tenant, address: "x" }, "address must be an object."],
  ["a line that is too long", { ...instance, name: "x".repeat(1024 * 1024) }, "The line is longer than 1 MiB."],
  [
    "a line that is too long, by letters of two bytes",
    { ...instance, name: "é".repeat(600 * 1024) },
    "The line is longer than 1 MiB.",
  ],
  ["another instance of the same id", { ...instance, name: "Asia" }, other(`The instance ${instance.id}`, "name")],
  [
    "a tenant on no instance",
    { ...fresh(tenant, "client"), instanceId: idOf("instance", "Z") },
    none("instance", "instance", "instanceId"),
  ],
  [
    "another tenant of the same id",
    { ...tenant, address: { city: "Delft" }, name: "x" },
    other(`The tenant ${tenant.id}`, "name, address"),
  ],
  ["a role in no tenant", { ...accessRole, tenantId: idOf("client", "Z") }, none("tenant", "client", "tenantId")],
  [
    "a role by the name of another",
    { ...accessRole, name: "Owner" },
    expect.stringMatching(/^The access role \d+ exists with other content: standard, permissions/) as unknown as string,
  ],
  [
    "a standard role by the name of another",
    { kind: "accessRole", tenantId: tenant.id, standard: "ADMIN", name: "Payroll" },
    "The tenant has another access role of that name. Correct name.",
  ],
  [
    "a permission in capitals",
    { ...accessRole, permissions: ["PAY"] },
    "permissions[0] must be lower-case words of letters, digits and underscores, joined by . : or -, for example payroll.read.",
  ],
  [
    "a unit type under another tenant",
    { ...unitType, tenantId: idOf("client", "X") },
    other(`The unit type ${unitType.id}`, "tenantId"),
  ],
  [
    "a unit of another tenant's type",
    { ...fresh(unit, "unit"), unitTypeId: idOf("unittype", "X") },
    elsewhere("unit type", "unittype", "unitTypeId"),
  ],
  [
    "a unit below another tenant's",
    { ...fresh(unit, "unit"), parentUnitId: idOf("unit", "X") },
    elsewhere("unit", "unit", "parentUnitId"),
  ],
  [
    "a unit below itself",
    { ...fresh(unit, "unit"), parentUnitId: idOf("unit", "F") },
    `There is no unit ${idOf("unit", "F")}. Correct parentUnitId, or create the unit first.`,
  ],
  [
    "a location in no tenant",
    { ...fresh(location, "location"), tenantId: idOf("client", "Z") },
    none("tenant", "client", "tenantId"),
  ],
  [
    "somebody else's address, spelled otherwise (R-D2)",
    { ...fresh(person, "person"), workerProfileId: null, email: "INES.okafor@harbour.example" },
    `The person ${person.id} has this e-mail address. Correct email or id.`,
  ],
  [
    "somebody else's worker profile",
    { ...fresh(person, "person"), email: "new@example.com" },
    "Another person has this worker profile. Correct workerProfileId.",
  ],
  ["no address", { ...fresh(person, "person"), email: "ines" }, "email must be an e-mail address."],
  [
    "a user without a person",
    { kind: "user", id: idOf("user", "F"), tenantId: tenant.id, status: "ACTIVE" },
    "personId must be person_ followed by 21 letters or digits.",
  ],
  [
    "a user with two",
    { ...fresh(user, "user"), email: "ines.okafor@harbour.example" },
    "personId cannot be combined with email; give one of them.",
  ],
  [
    "names beside personId",
    { ...fresh(user, "user"), firstName: "Ines" },
    "the line has a member that this kind does not have; it has kind, id, tenantId, personId, status, managerId, role, createdAt.",
  ],
  [
    "a second user of a person in a tenant (R-G17)",
    fresh(user, "user"),
    `This e-mail address has the user ${user.id} in the tenant already. Change that user instead.`,
  ],
  ["no status", { ...user, status: undefined }, "status is missing."],
  [
    "a status that there is not",
    { ...user, status: "GONE" },
    "status must be one of ACTIVE, INACTIVE, INVITED, DELETED.",
  ],
  [
    "a role that the tenant has not",
    { ...fresh(user, "user"), email: "new@example.com", personId: undefined, role: "Boss" },
    "The tenant has no access role of that name. It has: Owner, Admin, Member, Payroll.",
  ],
  [
    "a manager of another tenant",
    { ...fresh(user, "user"), email: "new@example.com", personId: undefined, managerId: idOf("user", "X") },
    elsewhere("user", "user", "managerId"),
  ],
  [
    "a manager who is deleted",
    { ...fresh(user, "user"), email: "new@example.com", personId: undefined, managerId: idOf("user", "D") },
    `There is no user ${idOf("user", "D")}. Correct managerId, or create the user first.`,
  ],
  ["another user of the same id", { ...user, status: "INACTIVE" }, other(`The user ${user.id}`, "status")],
  [
    "a second worker of a person in a tenant",
    fresh(worker, "worker"),
    `The person is the worker ${worker.id} of the tenant already. Change that worker instead, or end it before a new employment begins.`,
  ],
  [
    "a worker whose person lacks a name (R-D2)",
    { ...fresh(worker, "worker"), personId: idOf("person", "X") },
    "The person lacks a name, and a worker has both. Give email, firstName and lastName instead of personId.",
  ],
  [
    "a worker by address without names",
    { ...fresh(worker, "worker"), personId: undefined, email: "new@example.com" },
    "firstName is missing; lastName is missing.",
  ],
  [
    "a worker in another tenant's unit",
    { ...fresh(worker, "worker"), unitIds: [idOf("unit", "X")], primaryUnitId: null, endedAt: AT },
    elsewhere("unit", "unit", "unitIds"),
  ],
  [
    "a worker at another tenant's location",
    { ...fresh(worker, "worker"), locationId: idOf("location", "X"), endedAt: AT },
    elsewhere("location", "location", "locationId"),
  ],
  [
    "a primary unit that is not one of the worker's",
    { ...worker, primaryUnitId: idOf("unit", "X") },
    "primaryUnitId must be one of unitIds.",
  ],
  ["a unit twice", { ...worker, unitIds: [unit.id, unit.id] }, "unitIds must not repeat an entry."],
  ["numbers as job titles", { ...worker, jobTitles: [1] }, "jobTitles must be a list of texts."],
  [
    "another worker of the same id",
    { ...worker, jobTitles: ["Baker"], phone: null },
    other(`The worker ${worker.id}`, "jobTitles, phone"),
  ],
];

eachStore((_, open) => {
  it("an import says why each bad line is bad, and stores nothing of it", async () => {
    const bulk: Bulk = await openBulk(open);
    const good = [...Object.values(HARBOUR), ...ABROAD];
    expect(await bulk.imports(good)).toMatchObject({ bad: 0 });
    const before = await bulk.exports();
    const { badLines } = await bulk.imports(
      CASES.map(([, line]) => line),
      { importId: "bad" },
    );
    expect(CASES.map(([what], index) => [what, badLines.find(({ number }) => number === index + 1)?.reason])).toEqual(
      CASES.map(([what, , reason]) => [what, reason]),
    );
    expect(await bulk.exports()).toEqual(before);
  });

  it("a reason has at most 500 characters, however much it lists", async () => {
    const bulk = await openBulk(open);
    const roles = Array.from({ length: 100 }, (__, number) => ({
      ...accessRole,
      name: `Payroll ${number} of the harbour`,
    }));
    const { badLines } = await bulk.imports([instance, tenant, ...roles, person, { ...user, role: "Boss" }]);
    const [{ reason } = { reason: "" }] = badLines;
    expect(reason).toMatch(/^The tenant has no access role of that name. It has: Owner, Admin, Member, Payroll 0 of /);
    expect([badLines.length, reason.length]).toEqual([1, 500]);
  });
});
