import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { runtimeMigrations } from "../../../src/runtime/changes/migrations.ts";
import { migrate } from "../../../src/runtime/database/migrations.ts";
import { openSqlite } from "../../../src/runtime/database/sqlite/sqlite.ts";
import { createWake } from "../../../src/runtime/wake/wake.ts";
import { eachStore, onPostgres, type TestStore } from "../../support/stores.ts";
import { type Bulk, HARBOUR, idOf, openBulk } from "./bulk-kit.ts";
import { randomWorkforce } from "./random-workforce.ts";

/** Lines in an order in which an export never has them, for example deep structures and managers who came later. */
const CROOKED = [
  ...Object.values(HARBOUR),
  { kind: "accessRole", tenantId: HARBOUR.tenant.id, standard: "OWNER", name: "Boss", permissions: ["all"] },
  ...["z", "k", "a"].map((word, depth) => ({
    ...HARBOUR.unit,
    id: idOf("unit", word),
    ...(depth === 0 ? {} : { parentUnitId: idOf("unit", ["z", "k"][depth - 1] ?? "") }),
  })),
  ...["z", "k", "a"].map((word, depth) => ({
    kind: "user",
    id: idOf("user", word),
    tenantId: HARBOUR.tenant.id,
    email: `${word}@example.com`,
    status: "ACTIVE",
    ...(depth === 0 ? {} : { managerId: idOf("user", ["z", "k"][depth - 1] ?? "") }),
  })),
];

const copyOf = async (lines: readonly string[], other: Bulk): Promise<readonly string[]> => {
  expect(await other.imports(lines, { perMessage: 40 })).toMatchObject({ bad: 0, created: lines.length });
  return other.exports();
};

eachStore((_, open) => {
  it("export, import into an empty installation, export: the lines are byte-identical (R-X69)", async () => {
    const [bulk, other] = [await openBulk(open), await openBulk(open)];
    expect(await bulk.imports(CROOKED)).toMatchObject({ bad: 0 });
    const lines = await bulk.exports();
    expect(lines.length).toBeGreaterThan(CROOKED.length);
    expect(await copyOf(lines, other)).toEqual(lines);
  });

  it("a standard role that has the name which another one had before comes behind that one (R-X69)", async () => {
    const [bulk, other] = [await openBulk(open), await openBulk(open)];
    const tenantId = HARBOUR.tenant.id;
    expect(await bulk.imports(Object.values(HARBOUR))).toMatchObject({ bad: 0 });
    const { platform } = bulk.workforce;
    const { roles } = await platform.listAccessRolesOfTenant({ tenantId });
    for (const [from, name] of [
      ["Member", "Staff"],
      ["Admin", "Member"],
      ["Owner", "Admin"],
    ]) {
      const { id: accessRoleId = 0 } = roles.find(({ role }) => role?.name === from)?.role ?? {};
      await platform.updateAccessRole({
        ...{ requestId: "", tenantId, accessRoleId, name: name ?? "", permissions: [], updateMask: ["name"] },
      });
    }
    await platform.createAccessRole({ requestId: "", tenantId, name: "Owner", permissions: [] });
    const lines = await bulk.exports();
    expect(await copyOf(lines, other)).toEqual(lines);
  });

  it("export, import, export: the lines of random workforces are byte-identical", async () => {
    await fc.assert(
      fc.asyncProperty(randomWorkforce, async (workforce) => {
        const [bulk, other] = [await openBulk(open), await openBulk(open)];
        expect(await bulk.imports(workforce)).toMatchObject({ bad: 0, created: workforce.length });
        const lines = await bulk.exports();
        expect(await copyOf(lines, other)).toEqual(lines);
        expect(lines.map((line) => JSON.parse(line)).toSorted(byText)).toEqual(workforce.toSorted(byText));
      }),
      { numRuns: 8 },
    );
  });

  it("an export of one instance has that instance and its people only", async () => {
    const bulk = await openBulk(open);
    const abroad = [
      { ...HARBOUR.instance, id: idOf("instance", "Z") },
      { ...HARBOUR.tenant, id: idOf("client", "Z"), instanceId: idOf("instance", "Z") },
      { kind: "person", id: idOf("person", "Z"), email: "z@example.com", workerProfileId: idOf("profile", "Z") },
      { ...HARBOUR.user, id: idOf("user", "Z"), tenantId: idOf("client", "Z"), personId: idOf("person", "Z") },
    ];
    await bulk.imports([...Object.values(HARBOUR), ...abroad]);
    const kinds = (await bulk.exports(idOf("instance", "Z"))).map(
      (line) => (JSON.parse(line) as { kind: string }).kind,
    );
    expect(kinds).toEqual(["instance", "tenant", "person", "user"]);
    expect((await bulk.exports()).length).toBe(16);
  });

  it("an export is a snapshot: what is created meanwhile is left out (R-X69)", async () => {
    const bulk = await openBulk(open);
    const many = Array.from({ length: 900 }, (__, index) => ({ ...HARBOUR.instance, id: idOf("instance", index) }));
    await bulk.imports(many);
    const pages = bulk.bulk.exportWorkforce({}, { deadlineMs: 60_000 })[Symbol.asyncIterator]();
    const first = await pages.next();
    const late = { ...HARBOUR.tenant, instanceId: idOf("instance", 1) };
    await bulk.imports([late], { importId: "late" });
    const lines = [...(first.done ? [] : first.value.lines)];
    for (let page = await pages.next(); !page.done; page = await pages.next()) lines.push(...page.value.lines);
    expect(lines.length).toBe(900);
    expect((await bulk.exports()).length).toBe(901);
  });

  it("an export of an unknown instance is refused", async () => {
    const bulk = await openBulk(open);
    await expect(bulk.exports(idOf("instance", "Z"))).rejects.toThrow("There is no instance");
  });
});

/** Opens an embedded store beside those of the suite. */
const openEmbedded: Parameters<typeof openBulk>[0] = async (sets = []) => {
  const folder = await mkdtemp(join(tmpdir(), "gh-bulk-"));
  const [store, wake] = [openSqlite(join(folder, "gatehouse.db")), createWake()];
  await migrate(store, [runtimeMigrations, ...sets], new Date(0));
  const opened: TestStore = { store, wake, location: folder, again: async () => opened, racers: async () => [opened] };
  return opened;
};

onPostgres((open) => {
  it("export and import move a workforce from SQLite to PostgreSQL", async () => {
    const [bulk, other] = [await openBulk(openEmbedded), await openBulk(open)];
    await bulk.imports(CROOKED);
    const lines = await bulk.exports();
    expect(await copyOf(lines, other)).toEqual(lines);
    await bulk.workforce.opened.store.close();
    await rm(bulk.workforce.opened.location, { recursive: true });
  });
});

const byText = (one: object, other: object): number => (JSON.stringify(one) < JSON.stringify(other) ? -1 : 1);
