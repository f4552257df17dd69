import { readFileSync } from "node:fs";
import { INSTANCE_IDS, INVITED, OWNER, WORKFORCE_FILE } from "../../../src/cli/demo/workforce.ts";

interface Line {
  readonly kind: string;
  readonly id: string;
  readonly tenantId: string;
  readonly instanceId: string;
  readonly name: string;
  readonly unitTypeId: string;
  readonly unitCode: string;
  readonly parentUnitId?: string;
  readonly personId: string;
  readonly email: string;
  readonly firstName: string;
  readonly lastName: string;
  readonly status: string;
  readonly role?: string;
  readonly managerId?: string;
  readonly phone?: string;
  readonly unitIds?: readonly string[];
  readonly primaryUnitId?: string;
  readonly locationId?: string;
}

const LINES = readFileSync(WORKFORCE_FILE, "utf8")
  .trimEnd()
  .split("\n")
  .map((line) => JSON.parse(line) as Line);
const of = (kind: string): readonly Line[] => LINES.filter((line) => line.kind === kind);
const tenants = of("tenant");
const people = new Map(of("person").map((person) => [person.id, person]));
const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);

describe("the demonstration's data", () => {
  it("are six tenants on two instances, some dozens of workers, users in all four states", () => {
    expect(of("instance").map(({ id, name }) => [id, name])).toEqual([
      [INSTANCE_IDS.europe, "Europe"],
      [INSTANCE_IDS["north-america"], "North America"],
    ]);
    expect(tenants.map(({ instanceId }) => instanceId)).toEqual([
      ...Array(3).fill(INSTANCE_IDS.europe),
      ...Array(3).fill(INSTANCE_IDS["north-america"]),
    ]);
    const workers = of("worker").length;
    expect([workers >= 40, workers <= 60]).toEqual([true, true]);
    expect(new Set(of("user").map(({ status }) => status))).toEqual(
      new Set(["ACTIVE", "INVITED", "INACTIVE", "DELETED"]),
    );
  });

  it.each(tenants.map(({ name, id }) => [name, id]))("%s is consistent", (_, tenantId) => {
    const own = (kind: string) => of(kind).filter((line) => line.tenantId === tenantId);
    const idsOf = (lines: readonly Line[]) => new Set(lines.map(({ id }) => id));
    const [units, workers, users] = [own("unit"), own("worker"), own("user")];
    const [unitIds, locationIds] = [idsOf(units), idsOf(own("location"))];
    expect(workers.flatMap((worker) => worker.unitIds ?? []).filter((id) => !unitIds.has(id))).toEqual([]);
    expect(workers.filter(({ unitIds: at, primaryUnitId }) => at?.[0] !== primaryUnitId)).toEqual([]);
    expect(workers.flatMap(({ locationId }) => locationId ?? []).filter((id) => !locationIds.has(id))).toEqual([]);
    const byId = new Map(units.map((unit) => [unit.id, unit]));
    const depthOf = ({ parentUnitId }: Line): number => {
      const parent = byId.get(parentUnitId ?? "");
      return parent === undefined ? 0 : 1 + depthOf(parent);
    };
    const types = own("unitType").map(({ id }) => id);
    expect(units.filter((unit) => types[depthOf(unit)] !== unit.unitTypeId)).toEqual([]);
    expect(new Set(units.map(depthOf)).size).toBe(types.length);
    expect(repeated(units.map(({ unitCode }) => unitCode))).toEqual([]);
    for (const seats of [workers, users]) expect(repeated(seats.map(({ personId }) => personId))).toEqual([]);
    expect(users[0]).toMatchObject({ role: "Owner", status: "ACTIVE" });
    const userIds = idsOf(users);
    expect(users.flatMap(({ managerId }) => managerId ?? []).filter((id) => !userIds.has(id))).toEqual([]);
    expect(users.slice(1).filter(({ managerId }) => managerId === undefined)).toEqual([]);
  });

  it("has only reserved addresses, and telephone numbers that are reserved for fiction", () => {
    const emails = [...people.values()].map(({ email }) => email);
    expect(emails.filter((email) => !/^[a-z]+(?:[.-][a-z]+)*@[a-z-]+\.example$/.test(email))).toEqual([]);
    const reserved = /^(\+49 40 66969 \d{3}|\+33 4 65 71 \d\d \d\d|\+46 8 465 004 \d\d|\+1 \d{3} 555 01\d\d)$/;
    const numbers = of("worker").flatMap(({ phone }) => phone ?? []);
    expect(numbers.length).toBeGreaterThan(20);
    expect(numbers.filter((number) => !reserved.test(number))).toEqual([]);
    expect(repeated(numbers)).toEqual([]);
  });

  it("gives each e-mail address to one person, and each person a seat", () => {
    expect(repeated([...people.values()].map(({ email }) => email))).toEqual([]);
    const seated = [...of("user"), ...of("worker")].map(({ personId }) => personId);
    expect(new Set(seated)).toEqual(new Set(people.keys()));
  });

  it("has ids in the order of the file, so lists of one import have the same order", () => {
    for (const kind of ["instance", "tenant", "unitType", "unit", "location", "person", "user", "worker"]) {
      const ids = of(kind).map(({ id }) => id);
      expect(ids.toSorted()).toEqual(ids);
    }
  });

  it("has the two logins: one invited, one with two tenants and a job in Europe", () => {
    for (const { personId, name, email } of [INVITED, OWNER]) {
      const person = people.get(personId);
      expect([`${person?.firstName} ${person?.lastName}`, person?.email]).toEqual([name, email]);
    }
    const usersOf = ({ personId }: { readonly personId: string }) =>
      of("user").filter((user) => user.personId === personId);
    expect(usersOf(INVITED).map(({ status }) => status)).toEqual(["INVITED"]);
    const owned = usersOf(OWNER).filter(({ role }) => role === "Owner");
    expect(
      owned.map(({ status, tenantId }) => [status, tenants.find(({ id }) => id === tenantId)?.instanceId]),
    ).toEqual([
      ["ACTIVE", INSTANCE_IDS.europe],
      ["ACTIVE", INSTANCE_IDS.europe],
    ]);
    const employers = of("worker").filter(({ personId }) => personId === OWNER.personId);
    expect(employers.map(({ tenantId }) => tenantId)).toEqual([OWNER.employerId]);
  });
});
