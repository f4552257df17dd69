import { workforceMigrations } from "../../../src/workforce/services.ts";
import { watchStatements } from "../../support/asked-statements.ts";
import { standingClock } from "../../support/clock.ts";
import { eachStore } from "../../support/stores.ts";
import { NO_SOON_LIMIT, refusal, workforceOver } from "../workforce-fixture.ts";
import { AT, type Bulk, bulkOver, HARBOUR, idOf, openBulk } from "./bulk-kit.ts";

const ALL = Object.values(HARBOUR);
const DAY = 86_400_000;
const { instance, tenant, unit, user, worker } = HARBOUR;

eachStore((_, open) => {
  let bulk: Bulk;

  beforeEach(async () => {
    bulk = await openBulk(open);
  });

  it("an import takes every kind of line; the same lines again change nothing (R-X66)", async () => {
    expect(await bulk.imports(ALL)).toEqual({
      importId: "test",
      lines: 11,
      created: 11,
      unchanged: 0,
      bad: 0,
      badLines: [],
      lastNumber: 11,
      endOffset: 1_100,
    });
    const before = await bulk.exports();
    expect(await bulk.imports(ALL, { importId: "again" })).toMatchObject({ created: 0, unchanged: 11, bad: 0 });
    expect(await bulk.exports()).toEqual(before);
    // The line by e-mail address made a person.
    expect(before.length).toBe(12);
  });

  it("an import stores the good lines beside bad ones, and reports each bad one with its number and reason (R-X67)", async () => {
    const stranger = { ...worker, id: idOf("worker", "B"), personId: idOf("person", "Z") };
    const progress = await bulk.imports([...ALL, "{", stranger, { ...instance, id: idOf("instance", "B") }]);
    expect(progress).toMatchObject({ lines: 14, created: 12, bad: 2, lastNumber: 14 });
    expect(progress.badLines).toEqual([
      { number: 12, reason: "The line is not JSON. Was it cut off?" },
      {
        number: 13,
        reason: `There is no person ${idOf("person", "Z")}. Correct personId, or create the person first.`,
      },
    ]);
  });

  it.each([
    [
      "two",
      [
        ["OWNER", "Admin"],
        ["ADMIN", "Owner"],
      ],
    ],
    [
      "three",
      [
        ["OWNER", "Member"],
        ["ADMIN", "Owner"],
        ["MEMBER", "Admin"],
      ],
    ],
  ])("an import takes %s standard roles that exchanged their names in a circle (R-X69)", async (_, names) => {
    const circle = names.map(([standard = "", name = ""]) => ({
      ...{ kind: "accessRole", tenantId: tenant.id, standard, name, permissions: [`${standard.toLowerCase()}.all`] },
    }));
    const lines = [instance, tenant, ...circle];
    expect(await bulk.imports(lines)).toMatchObject({ created: lines.length, bad: 0 });
    expect((await bulk.exports()).map((line) => JSON.parse(line)).slice(2)).toEqual(circle);
    expect(await bulk.imports(lines, { importId: "again" })).toMatchObject({ unchanged: lines.length, bad: 0 });
  });

  describe("an import takes a circle together that begins in the last lines of a batch (R-X69)", () => {
    const circle = [
      ["ADMIN", "Owner"],
      ["MEMBER", "Admin"],
      ["OWNER", "Member"],
    ].map(([standard, name]) => ({ kind: "accessRole", tenantId: tenant.id, standard, name }));
    const lengthOf = (...lines: readonly object[]) => lines.reduce((sum, line) => sum + JSON.stringify(line).length, 0);

    it.each([1, 2])("when lines end the batch, %s of the circle in it", async (within) => {
      const others = Array<string>(250 - 2 - within).fill("no");
      const progress = await bulk.imports([instance, tenant, ...others, ...circle]);
      expect(progress).toMatchObject({ created: 5, bad: others.length });
    });

    it("when bytes end the batch", async () => {
      const other = "n".repeat(1024 * 1024 - lengthOf(instance, tenant, circle[0] as object));
      expect(await bulk.imports([instance, tenant, other, ...circle])).toMatchObject({ created: 5, bad: 1 });
    });

    it("when everything is one transaction", async () => {
      const others = Array.from({ length: 247 }, (_, index) => ({
        ...{ kind: "location", id: idOf("location", index), tenantId: tenant.id, name: `Quay ${index}`, createdAt: AT },
      }));
      const lines = [instance, tenant, ...others, ...circle];
      expect(await bulk.imports(lines, { allOrNothing: true })).toMatchObject({ created: lines.length, bad: 0 });
    });
  });

  it("an import refuses a name whose standard role keeps it, circle or not", async () => {
    const named = (standard: string, name: string) => ({ kind: "accessRole", tenantId: tenant.id, standard, name });
    const taken =
      "Another standard role of the tenant has that name. Correct name; where roles exchanged their names, let their lines follow each other.";
    const lines = [instance, tenant, named("OWNER", "Admin"), named("MEMBER", "Owner"), named("ADMIN", "Admin")];
    expect((await bulk.imports(lines)).badLines).toEqual([
      { number: 3, reason: taken },
      { number: 4, reason: taken },
    ]);
  });

  it("an import reads a tenant's access roles once, however many lines are about them", async () => {
    await bulk.imports([instance, tenant]);
    const role = (name: string) => ({ ...HARBOUR.accessRole, name });
    const boss = { ...HARBOUR.accessRole, standard: "OWNER", name: "Boss" };
    const names = Array.from({ length: 20 }, (_, index) => `Role ${index}`);
    const lines = [...names.map(role), boss, role("Owner"), role("Role 7"), { ...role("Boss"), permissions: [] }];
    const readsOf = async (importId: string) => {
      const asked = await watchStatements(async () => {
        const { created, unchanged, badLines } = await bulk.imports(lines, { importId });
        expect([created, unchanged, badLines.map(({ number }) => number)]).toEqual(
          importId === "first" ? [22, 1, [24]] : [0, 23, [24]],
        );
      });
      return asked.filter((text) => /^select .* from "workforce_access_roles"/.test(text)).length;
    };
    // Once more behind the line that gave a standard role another name.
    expect([await readsOf("first"), await readsOf("again")]).toEqual([2, 1]);
  });

  it("an import skips lines that it has handled before, by their number", async () => {
    await bulk.imports(ALL.slice(0, 6));
    const { progress } = await bulk.bulk.getImport({ importId: "test" });
    expect(progress).toMatchObject({ lines: 6, lastNumber: 6, endOffset: 600 });
    expect(await bulk.imports(ALL)).toMatchObject({ lines: 11, created: 11, unchanged: 0 });
    expect(await bulk.imports(ALL)).toMatchObject({ lines: 11, created: 11, unchanged: 0 });
  });

  it.each([false, true])(
    "another file under the id of an import is refused, instead of being passed over (R-X430; all or nothing: %p)",
    async (allOrNothing) => {
      await bulk.imports([instance, "{"]);
      const corrected = [{ number: 2, endOffset: 207, json: JSON.stringify(tenant) }];
      const messages = async function* () {
        yield { start: { importId: "test", emitEvents: false, allOrNothing }, lines: corrected };
      };
      expect(await refusal(bulk.bulk.importWorkforce(messages()))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "other_file",
        message:
          "The lines up to 2 were handled under this import_id, and that one ended at byte 200, not 207. Another file, or an edited one, needs an import_id of its own; what is stored of it is unchanged then.",
      });
      expect(await bulk.imports([instance, tenant], { importId: "corrected" })).toMatchObject({
        created: 1,
        unchanged: 1,
      });
    },
  );

  it("a part of a file that comes after a later one is passed over, which the number of lines shows (R-X430)", async () => {
    const lines = [1, 2, 3, 4].map((number) => ({ ...instance, id: idOf("instance", number) }));
    await bulk.imports(lines.slice(2), { from: 3 });
    expect(await bulk.imports(lines.slice(0, 2))).toMatchObject({ lines: 2, created: 2, lastNumber: 4 });
    expect(await bulk.exports()).toHaveLength(2);
  });

  describe.each([false, true])("a part that says behind which line it goes on (all or nothing: %p)", (allOrNothing) => {
    const lines = [1, 2, 3, 4, 5, 6].map((number) => ({ ...instance, id: idOf("instance", number) }));
    const part = (from: number, to: number, afterNumber: number) =>
      bulk.imports(lines.slice(from - 1, to), { from, afterNumber, allOrNothing });

    it("is stored there, and again without effect when its answer was lost (R-X430)", async () => {
      expect(await part(1, 2, 0)).toMatchObject({ created: 2, lastNumber: 2 });
      expect(await part(3, 4, 2)).toMatchObject({ created: 4, lastNumber: 4 });
      expect(await part(3, 4, 2)).toMatchObject({ created: 4, lastNumber: 4 });
      expect(await part(3, 6, 2)).toMatchObject({ created: 6, unchanged: 0, lastNumber: 6 });
    });

    it("is refused while lines before it are missing, so that none is lost (R-X430)", async () => {
      expect(await refusal(part(3, 4, 2))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "other_position",
        message:
          "This part goes on behind line 2, and the import has come to line 0. Send the lines between first: those of a part that comes late would be passed over.",
      });
      await part(1, 2, 0);
      expect(await part(3, 4, 2)).toMatchObject({ lines: 4, created: 4 });
    });

    it("is refused when it ends before the line to which the import has come (R-X430)", async () => {
      await part(1, 6, 0);
      expect(await refusal(part(1, 4, 0))).toMatchObject({
        code: "FAILED_PRECONDITION",
        reason: "other_position",
        message:
          "The import has come to line 6 under this import_id, which is not in this part. Another file, or an edited one, needs an import_id of its own; the same file goes on behind that line.",
      });
      expect(await bulk.exports()).toHaveLength(6);
    });

    it("is refused when it goes past the line to which the import has come, and does not have it (R-X430)", async () => {
      await part(1, 3, 0);
      const others = [2, 5].map((number) => ({ number, endOffset: number * 100, json: JSON.stringify(lines[number]) }));
      const messages = async function* () {
        yield { start: { importId: "test", emitEvents: false, allOrNothing, afterNumber: 1 }, lines: others };
      };
      expect(await refusal(bulk.bulk.importWorkforce(messages()))).toMatchObject({ reason: "other_position" });
      expect(await bulk.exports()).toHaveLength(3);
    });

    it("is refused for a line that comes before it, and for a number below 0 (R-X430)", async () => {
      expect(await refusal(part(1, 2, 1))).toMatchObject({
        violations: [{ field: "lines[0].number", reason: "must grow from line to line; after 1 came 1" }],
      });
      expect(await refusal(part(1, 2, -1))).toMatchObject({
        violations: [{ field: "start.after_number", reason: "must not be negative" }],
      });
    });
  });

  it("lines of several batches go on behind each other, under the number that the part has (R-X430)", async () => {
    const lines = Array.from({ length: 600 }, (_, index) => ({ ...instance, id: idOf("instance", index + 1) }));
    await bulk.imports(lines.slice(0, 100), { afterNumber: 0 });
    expect(await bulk.imports(lines, { afterNumber: 0 })).toMatchObject({ lines: 600, created: 600 });
    expect(await bulk.imports(lines.slice(100), { from: 101, afterNumber: 100 })).toMatchObject({ lines: 600, bad: 0 });
  });

  it("an instant may have the nanoseconds that other languages write; the milliseconds are kept", async () => {
    const lines = ["123456789Z", "123456+00:00", "123Z"].map((end) => ({
      ...instance,
      createdAt: `2024-02-29T12:00:00.${end}`,
    }));
    expect(await bulk.imports(lines)).toMatchObject({ created: 1, unchanged: 2, bad: 0 });
    expect(await bulk.exports()).toEqual([expect.stringContaining('"createdAt":"2024-02-29T12:00:00.123Z"')]);
  });

  it("an import that stored nothing is unknown", async () => {
    expect(await refusal(bulk.bulk.getImport({ importId: "nothing" }))).toMatchObject({ reason: "import_not_found" });
  });

  it("an import needs an id and growing line numbers", async () => {
    expect(await refusal(bulk.imports([], { importId: "" }))).toMatchObject({ code: "INVALID_ARGUMENT" });
    const lines = [2, 2].map((number) => ({ number, endOffset: 0, json: "{}" }));
    const messages = async function* () {
      yield { start: { importId: "x", emitEvents: false, allOrNothing: false }, lines };
    };
    expect(await refusal(bulk.bulk.importWorkforce(messages()))).toMatchObject({
      code: "INVALID_ARGUMENT",
      violations: [{ field: "lines[1].number", reason: "must grow from line to line; after 2 came 2" }],
    });
  });

  it.each([
    [
      "a second start",
      { start: { importId: "y", emitEvents: true, allOrNothing: false }, lines: [] },
      { field: "start", reason: "must be in the first message only" },
    ],
    [
      "a position before the file",
      { start: null, lines: [{ number: 1, endOffset: -1, json: "{}" }] },
      { field: "lines[0].end_offset", reason: "must not be negative" },
    ],
  ])("an import refuses %s, and stores nothing of that message", async (_, message, violation) => {
    const messages = async function* () {
      yield { start: { importId: "x", emitEvents: false, allOrNothing: false }, lines: [] };
      yield message;
    };
    expect(await refusal(bulk.bulk.importWorkforce(messages()))).toMatchObject({
      code: "INVALID_ARGUMENT",
      violations: [violation],
    });
    expect(await refusal(bulk.bulk.getImport({ importId: "x" }))).toMatchObject({ reason: "import_not_found" });
  });

  it("a line that the caller could not read counts as a bad one", async () => {
    const messages = async function* () {
      yield { start: { importId: "x", emitEvents: false, allOrNothing: false }, lines: [] };
      yield { start: null, lines: [{ number: 1, endOffset: 9, json: "", unreadable: "The line is not UTF-8." }] };
    };
    const { progress } = await bulk.bulk.importWorkforce(messages());
    expect(progress).toMatchObject({ bad: 1, badLines: [{ number: 1, reason: "The line is not UTF-8." }] });
  });

  it("an import remembers the first 1,000 bad lines and counts them all", async () => {
    const progress = await bulk.imports(Array.from({ length: 1_100 }, () => "no"));
    expect([progress.bad, progress.badLines.length, progress.badLines.at(-1)?.number]).toEqual([1_100, 1_000, 1_000]);
  });

  it("an import raises a tenant's revision once per batch, if the batch added something to it (R-G10)", async () => {
    await bulk.imports([instance, tenant], { importId: "first" });
    const revision = () => bulk.workforce.revision("workforce_tenants", tenant.id);
    const before = await revision();
    await bulk.imports(ALL.slice(2), { importId: "second" });
    expect(await revision()).toBe(before + 1);
    await bulk.imports(ALL, { importId: "third" });
    expect(await revision()).toBe(before + 1);
  });

  it("an import emits no events unless asked; then it emits those of the single methods (R-X68)", async () => {
    await bulk.imports(ALL);
    expect(await bulk.workforce.events()).toEqual([]);
    const other = JSON.parse(JSON.stringify(ALL).replaceAll(/0{20}([AB])/g, "0000000000000000000X$1")) as object[];
    const renamed = other.map((line) => ({
      ...line,
      ...("email" in line ? { email: `x.${String(line.email)}` } : {}),
    }));
    expect(await bulk.imports(renamed, { importId: "told", emitEvents: true })).toMatchObject({ created: 11 });
    const events = await bulk.workforce.events();
    expect(events.map(({ eventType }) => eventType)).toEqual([
      "client.created",
      "organization_unit_type.created",
      "organization_unit.created",
      "organization_unit.created",
      "organization_location.created",
      "user.created",
      "user.created",
      "worker.onboarded",
    ]);
    expect(events[3]?.data).toMatchObject({
      name: "Night shift",
      unitType: { name: "Team" },
      parentUnit: { id: unit.id.replace("00A", "0XA"), name: "Ovens" },
    });
    expect(events.at(-2)?.data).toMatchObject({
      manager: { id: user.id.replace("00A", "0XA") },
      role: { name: "Payroll" },
    });
    expect(events.at(-1)?.data).toMatchObject({
      organizationUnit: { name: "Ovens" },
      organizationLocation: { name: "Quay" },
    });
    await bulk.imports(renamed, { importId: "told again", emitEvents: true });
    expect(await bulk.workforce.events()).toEqual([]);
  });

  it("an import emits no event for what is deleted or ended already (R-X68)", async () => {
    const gone = [
      { ...user, status: "DELETED" },
      { ...worker, endedAt: AT },
    ];
    const before = ALL.filter(
      (line) => ![user.id, idOf("user", "B"), worker.id].includes((line as { id?: string }).id ?? ""),
    );
    await bulk.imports([...before, ...gone], { emitEvents: true });
    const types = (await bulk.workforce.events()).map(({ eventType }) => eventType);
    expect(types.filter((type) => type === "user.created" || type === "worker.onboarded")).toEqual([]);
    expect(types).toContain("client.created");
  });

  it("a line proves the e-mail address of a person who is there, and none takes a proof back (R-D2)", async () => {
    const { person } = HARBOUR;
    const unproven = { ...person, emailVerified: undefined };
    const verified = async () =>
      (await bulk.exports()).flatMap((line) => {
        const { kind, id, emailVerified = false } = JSON.parse(line);
        return kind === "person" && id === person.id ? [emailVerified] : [];
      });
    await bulk.imports([instance, tenant, unproven]);
    expect(await verified()).toEqual([false]);
    const seat = { kind: "user", tenantId: tenant.id, status: "ACTIVE", email: person.email };
    const proof = { ...seat, id: idOf("user", "C"), emailVerified: true };
    expect(await bulk.imports([proof], { importId: "proof" })).toMatchObject({ created: 1, bad: 0 });
    expect(await verified()).toEqual([true]);
    const elsewhere = { ...tenant, id: idOf("client", "C") };
    const other = { ...seat, id: idOf("user", "D"), tenantId: elsewhere.id };
    expect(await bulk.imports([elsewhere, other], { importId: "other" })).toMatchObject({ created: 2, bad: 0 });
    expect(await verified()).toEqual([true]);
  });

  it("an import takes deleted users and ended workers beside those of the same person that are neither", async () => {
    const around = (line: object, prefix: string, more: object) => {
      const [before, after] = ["E", "F"].map((letter) => ({ ...line, id: idOf(prefix, letter), ...more }));
      return [before, line, after] as object[];
    };
    const lines = ALL.flatMap((line): object[] => {
      if (line === user) return around(line, "user", { status: "DELETED" });
      return line === worker ? around(line, "worker", { endedAt: AT }) : [line];
    });
    expect(await bulk.imports(lines)).toMatchObject({ created: ALL.length + 4, bad: 0 });
  });

  it("an import names a person who had no name, wherever the name is shown (R-D2)", async () => {
    const nameless = { ...HARBOUR.report, managerId: undefined, role: undefined };
    const named = {
      kind: "worker",
      id: idOf("worker", "N"),
      tenantId: tenant.id,
      email: "NOOR@harbour.example",
      firstName: "Noor",
      lastName: "Visser",
    };
    await bulk.imports([instance, tenant, nameless]);
    await bulk.workforce.events();
    expect(await bulk.imports([named], { importId: "names", emitEvents: true })).toMatchObject({ created: 1, bad: 0 });
    const events = await bulk.workforce.events();
    expect(events.map(({ eventType, data }) => [eventType, data.fullName])).toEqual([
      ["user.updated", "Noor Visser"],
      ["worker.onboarded", "Noor Visser"],
    ]);
  });

  it("all or nothing: one bad line stores nothing, and all bad lines are reported", async () => {
    const progress = await bulk.imports([...ALL, "no", { kind: "x" }], { allOrNothing: true });
    expect(progress).toMatchObject({ lines: 0, created: 0, bad: 2, lastNumber: 0 });
    expect(progress.badLines.map(({ number }) => number)).toEqual([12, 13]);
    expect(await bulk.exports()).toEqual([]);
    expect(await refusal(bulk.bulk.getImport({ importId: "test" }))).toMatchObject({ reason: "import_not_found" });
    expect(await bulk.imports(ALL, { allOrNothing: true })).toMatchObject({ created: 11, bad: 0 });
    expect(await bulk.imports(ALL, { allOrNothing: true })).toMatchObject({ lines: 11, created: 11 });
  });

  it("all or nothing: more than 50,000 lines are refused", async () => {
    const many = Array.from({ length: 50_001 }, () => "{}");
    expect(await refusal(bulk.imports(many, { allOrNothing: true, perMessage: 5_000 }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "too_many_lines",
    });
  });

  it("all or nothing: more than 64 MiB are refused, in bytes", async () => {
    const large = Array.from({ length: 34 }, () => "é".repeat(1_000_000));
    expect(await refusal(bulk.imports(large, { allOrNothing: true, perMessage: 1 }))).toMatchObject({
      code: "FAILED_PRECONDITION",
      reason: "too_many_lines",
    });
  });

  it("an import keeps what was stored when the caller breaks off, and reports the position after it", async () => {
    const messages = async function* () {
      yield { start: { importId: "test", emitEvents: false, allOrNothing: false }, lines: [] };
      const lines = Array.from({ length: 400 }, (__, index) => ({
        number: index + 1,
        endOffset: (index + 1) * 100,
        json: JSON.stringify({ ...instance, id: idOf("instance", index) }),
      }));
      yield { start: null, lines };
      throw new Error("The caller has gone.");
    };
    await expect(bulk.bulk.importWorkforce(messages())).rejects.toThrow("The caller has gone.");
    const { progress } = await bulk.bulk.getImport({ importId: "test" });
    expect(progress).toMatchObject({ lines: 250, created: 250, lastNumber: 250, endOffset: 25_000 });
    expect((await bulk.exports()).length).toBe(250);
  });

  it("imports are forgotten by the time by which rows are removed, not by a clock that is ahead for a moment (R-X370)", async () => {
    const [clock, sweeps] = [standingClock(), standingClock()];
    const workforce = workforceOver(await open([workforceMigrations]), clock, NO_SOON_LIMIT, 1, sweeps);
    const { imports, bulk } = bulkOver(workforce);
    await imports([instance], { importId: "broken-off" });
    clock.step(400 * DAY);
    await imports([instance], { importId: "meanwhile" });
    clock.step(-400 * DAY);
    expect((await bulk.getImport({ importId: "broken-off" })).progress).toMatchObject({ lines: 1 });
    clock.step(31 * DAY);
    sweeps.step(31 * DAY);
    await imports([instance], { importId: "a-month-later" });
    expect(await refusal(bulk.getImport({ importId: "broken-off" }))).toMatchObject({ reason: "import_not_found" });
  });

  it("two callers that send one import at once take turns: each line is handled once", async () => {
    const lines = [instance, ...Array.from({ length: 900 }, (__, index) => ({ ...tenant, id: idOf("client", index) }))];
    await Promise.all([bulk.imports(lines), bulk.imports(lines), bulk.imports(lines)]);
    const { progress } = await bulk.bulk.getImport({ importId: "test" });
    expect(progress).toMatchObject({ lines: 901, created: 901, unchanged: 0, bad: 0 });
  });

  it("two imports of the same things at once: what one made is “unchanged” to the other", async () => {
    const people = Array.from({ length: 600 }, (__, index) => ({
      kind: "person",
      id: idOf("person", index),
      email: `p${index}@example.com`,
      createdAt: AT,
    }));
    const [one, other] = await Promise.all([
      bulk.imports([...ALL, ...people], { importId: "one" }),
      bulk.imports([...ALL, ...people], { importId: "other" }),
    ]);
    expect([one.bad, other.bad]).toEqual([0, 0]);
    expect(one.created + other.created).toBe(611);
    expect((await bulk.exports()).length).toBe(612);
  });

  it("an import lets other writers in while it is under way", async () => {
    await bulk.imports([instance]);
    const lines = Array.from({ length: 3_000 }, (__, index) => ({ ...tenant, id: idOf("client", index) }));
    const order: string[] = [];
    const importing = bulk.imports(lines, { importId: "long" }).then(() => order.push("import"));
    const { platform } = bulk.workforce;
    for (let nth = 0; nth < 3; nth++) {
      await platform.createTenant({ requestId: "", instanceId: instance.id, name: "Between", address: null });
      order.push("write");
    }
    await importing;
    expect(order).toEqual(["write", "write", "write", "import"]);
  });

  it("an import sets a unit's parent and a user's manager within one batch", async () => {
    const chain = Array.from({ length: 5 }, (__, index) => ({
      ...unit,
      id: idOf("unit", `c${index}`),
      ...(index === 0 ? {} : { parentUnitId: idOf("unit", `c${index - 1}`) }),
    }));
    expect(await bulk.imports([...ALL.slice(0, 4), ...chain])).toMatchObject({ created: 9, bad: 0 });
    const late = [
      { ...unit, id: idOf("unit", "y"), parentUnitId: idOf("unit", "z") },
      { ...unit, id: idOf("unit", "z") },
    ];
    expect(await bulk.imports(late, { importId: "late" })).toMatchObject({ created: 1, bad: 1 });
  });
});
