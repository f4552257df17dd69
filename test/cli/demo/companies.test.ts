import { type Company, emailOf, type Unit } from "../../../src/cli/demo/company.ts";
import { COMPANIES, INVITED, OWNER } from "../../../src/cli/demo/seed.ts";

const unitsOf = (units: readonly Unit[]): readonly Unit[] =>
  units.flatMap((unit) => [unit, ...unitsOf(unit.below ?? [])]);
const depthOf = (units: readonly Unit[]): number =>
  units.length === 0 ? 0 : 1 + Math.max(...units.map(({ below }) => depthOf(below ?? [])));
const repeated = (texts: readonly string[]): readonly string[] =>
  texts.filter((text, index) => texts.indexOf(text) !== index);
const seats = COMPANIES.flatMap((company) => company.seats.map((seat) => ({ ...seat, company })));

describe("the demonstration's data", () => {
  it("are six tenants on two instances, some dozens of workers, users in all four states", () => {
    expect(COMPANIES.map(({ instance }) => instance)).toEqual([
      ...Array(3).fill("europe"),
      ...Array(3).fill("north-america"),
    ]);
    const workers = COMPANIES.flatMap(({ employees }) => employees).length;
    expect([workers >= 40, workers <= 60]).toEqual([true, true]);
    expect(new Set(seats.map(({ state }) => state))).toEqual(new Set(["active", "invited", "inactive", "deleted"]));
  });

  it.each(COMPANIES.map((company): [string, Company] => [company.name, company]))("%s hangs together", (_, company) => {
    const units = unitsOf(company.units);
    const named = company.employees.flatMap((employee) => employee.units);
    expect(named.filter((name) => !units.some((unit) => unit.name === name))).toEqual([]);
    const places = company.employees.flatMap(({ location }) => location ?? []);
    expect(places.filter((name) => !company.locations.includes(name))).toEqual([]);
    expect(depthOf(company.units)).toBe(company.unitTypes.length);
    expect(repeated(units.map(({ code }) => code))).toEqual([]);
    expect(repeated(company.employees.map(({ name }) => name.join(" ")))).toEqual([]);
    expect(repeated(company.seats.map(({ name }) => name.join(" ")))).toEqual([]);
    expect(company.seats[0]).toMatchObject({ role: "Owner", state: "active" });
    const inviters = company.seats.flatMap(({ invitedBy }) => (invitedBy === undefined ? [] : [invitedBy.join(" ")]));
    expect(inviters.filter((name) => !company.seats.some((seat) => seat.name.join(" ") === name))).toEqual([]);
  });

  it("has addresses nobody has, and telephone numbers that are reserved for fiction", () => {
    expect(COMPANIES.filter(({ domain }) => !domain.endsWith(".example"))).toEqual([]);
    const reserved = /^(\+49 40 66969 \d{3}|\+33 4 65 71 \d\d \d\d|\+46 8 465 004 \d\d|\+1 \d{3} 555 01\d\d)$/;
    const numbers = COMPANIES.flatMap(({ employees, phonePrefix }) =>
      employees.flatMap(({ phone }) => (phone === undefined ? [] : [phonePrefix + phone])),
    );
    expect(numbers.filter((number) => !reserved.test(number))).toEqual([]);
    expect(repeated(numbers)).toEqual([]);
  });

  it("gives one e-mail address to one name only", () => {
    const people = COMPANIES.flatMap(({ domain, seats, employees }) =>
      [...seats, ...employees].map((one) => ({
        email: emailOf(one.name, one.domain ?? domain),
        name: one.name.join(" "),
      })),
    );
    const names = Map.groupBy(people, ({ email }) => email);
    expect([...names].filter(([, same]) => new Set(same.map(({ name }) => name)).size > 1)).toEqual([]);
    expect(people.filter(({ email }) => !/^[a-z]+(?:[.-][a-z]+)*@[a-z-]+\.example$/.test(email))).toEqual([]);
  });

  it("has the two logins: one invited, one who owns two tenants of Europe and works in one", () => {
    expect(seats.find(({ name }) => name.join() === INVITED.name.join())?.state).toBe("invited");
    const owned = seats.filter(({ name, role }) => name.join() === OWNER.name.join() && role === "Owner");
    expect(owned.map(({ state, company }) => [state, company.instance])).toEqual([
      ["active", "europe"],
      ["active", "europe"],
    ]);
    const employers = COMPANIES.filter(({ employees }) =>
      employees.some(({ name }) => name.join() === OWNER.name.join()),
    );
    expect(employers.map(({ key }) => key)).toEqual([OWNER.company]);
  });
});

describe("an e-mail address made of a name", () => {
  it.each([
    [["Henrik", "Sjöblom"], "henrik.sjoblom@mail.example"],
    [["Nguyễn", "Linh"], "nguyen.linh@mail.example"],
    [["Mateusz", "Zieliński"], "mateusz.zielinski@mail.example"],
    [["Samira", "El-Amin"], "samira.el-amin@mail.example"],
    [["Łucja", "Grøn"], "lucja.gron@mail.example"],
  ] as const)("%j is %s", (name, email) => {
    expect(emailOf(name, "mail.example")).toBe(email);
  });
});
