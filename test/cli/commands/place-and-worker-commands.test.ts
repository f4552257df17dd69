import type { OrganizationUnit, UnitType, Worker } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { withScope } from "../../support/scope.ts";
import { idOf, openStub, type StubGatehouse } from "../command-line.ts";

const AT = new Date("2026-11-20T10:54:03.412Z");
const TENANT = idOf("client");
const [ID, OTHER_ID] = [idOf("worker", "A"), idOf("worker", "B")];
const worker = (id: string, lastName: string, endedAt: Date | null): Worker => ({
  id,
  tenantId: TENANT,
  person: {
    id: idOf("person"),
    workerProfileId: idOf("profile"),
    email: "ole@hansen.example",
    emailVerified: true,
    firstName: "Ole",
    lastName,
    disabled: false,
    createdAt: AT,
  },
  jobTitles: ["Baker", "First aider"],
  phone: null,
  address: null,
  unitIds: [],
  primaryUnitId: null,
  locationId: null,
  createdAt: AT,
  endedAt,
});
const WORKING = worker(ID, "Hansen", null);
const ENDED = worker(OTHER_ID, "Ødegård", AT);
const UNIT_TYPES: UnitType[] = [
  { id: idOf("unittype", "D"), tenantId: TENANT, name: "Department", createdAt: AT },
  { id: idOf("unittype", "T"), tenantId: TENANT, name: "Team", createdAt: AT },
];
const unit = (letter: string, name: string, parent: string | null): OrganizationUnit => ({
  id: idOf("unit", letter),
  tenantId: TENANT,
  unitTypeId: idOf("unittype", parent === null ? "D" : "T"),
  name,
  unitCode: parent === null ? `${letter}-1` : null,
  description: null,
  parentUnitId: parent === null ? null : idOf("unit", parent),
  createdAt: AT,
});
/** In an order in which a child comes before its parent. */
const UNITS = [unit("A", "Rye", "C"), unit("B", "Sales", null), unit("C", "Bakery", null), unit("E", "Wheat", "C")];
const LOCATION = { id: idOf("location"), tenantId: TENANT, name: "Quay Street", createdAt: AT };

describe("workers, units and locations on the command line", () => {
  withScope((closeLater) => {
    let stub: StubGatehouse;
    let detached = 3;

    beforeAll(async () => {
      stub = await openStub(closeLater, {
        platform: {
          readWorker: async () => ({ worker: ENDED }),
          updateWorker: async () => ({ worker: WORKING }),
          endWorker: async () => ({ worker: ENDED }),
          // One a page, so that stopping after the first page is noticed.
          listWorkersOfTenant: async ({ tenantId, after, includeEnded }) => {
            if (tenantId !== TENANT) return { workers: [], next: null };
            const all = includeEnded ? [WORKING, ENDED] : [WORKING, WORKING];
            const index = after === null ? 0 : Number(after.id);
            return {
              workers: all.slice(index, index + 1),
              next: index + 1 < all.length ? { createdAt: AT, id: String(index + 1) } : null,
            };
          },
          createUnitType: async ({ name, units }) => ({
            unitType: { ...UNIT_TYPES[0], id: idOf("unittype"), tenantId: TENANT, name, createdAt: AT },
            units: units.map((one, index) => ({ ...unit("A", one.name, null), id: idOf("unit", "ABC"[index]) })),
          }),
          updateUnitType: async ({ name }) => ({
            unitType: { id: idOf("unittype"), tenantId: TENANT, name, createdAt: AT },
          }),
          updateUnit: async () => ({ unit: unit("A", "Rye", "C") }),
          // Two pages.
          readStructure: async ({ tenantId, after }) => {
            if (tenantId !== TENANT) return { unitTypes: [], units: [], locations: [], next: null };
            return after === null
              ? { unitTypes: UNIT_TYPES, units: UNITS.slice(0, 1), locations: [], next: { createdAt: AT, id: "next" } }
              : { unitTypes: [], units: UNITS.slice(1), locations: [LOCATION], next: null };
          },
          deleteLocation: async () => ({ location: LOCATION, detachedWorkers: detached }),
        },
      });
    });

    const last = () => stub.received.at(-1);

    it("lists workers through all pages", async () => {
      const { stdout } = await stub.run(["workers", "list", "--tenant", TENANT], { columns: 120 });
      expect(stdout.split("\n").slice(1)).toEqual([
        `Ole Hansen  ${ID}  ole@hansen.example  Baker, First aider`,
        `Ole Hansen  ${ID}  ole@hansen.example  Baker, First aider`,
        "",
      ]);
      expect(last()).toMatchObject({ request: { includeEnded: false, after: { id: "1" } } });
    });

    it("lists ended workers with when they ended, when asked to (R-G16)", async () => {
      const { stdout } = await stub.run(["workers", "list", "--tenant", TENANT, "--ended"]);
      expect(stdout).toBe(
        [
          "NAME         ID                            E-MAIL              JOB TITLES          ENDED",
          `Ole Hansen   ${ID}  ole@hansen.example  Baker, First aider  –`,
          `Ole Ødegård  ${OTHER_ID}  ole@hansen.example  Baker, First aider  2026-11-20 10:54 UTC`,
          "",
        ].join("\n"),
      );
      const { stdout: json } = await stub.run(["workers", "list", "--tenant", TENANT, "--ended", "--json"]);
      expect(JSON.parse(json).workers).toMatchObject([
        { id: ID, endedAt: null },
        { id: OTHER_ID, endedAt: "2026-11-20T10:54:03.412Z" },
      ]);
    });

    it("shows one worker, and when it ended", async () => {
      const { stdout } = await stub.run(["workers", "show", OTHER_ID]);
      expect(last()).toMatchObject({ path: "ReadWorker", request: { workerId: OTHER_ID } });
      expect(stdout).toContain("created       2026-11-20 10:54 UTC\nended         2026-11-20 10:54 UTC\n");
    });

    it("changes only those values of a worker that its flags name", async () => {
      await stub.run(["workers", "update", ID, "--job-title", "Baker", "--job-title", "Lead", "--city", "Oslo"]);
      expect(last()).toMatchObject({
        path: "UpdateWorker",
        request: {
          workerId: ID,
          updateMask: ["job_titles", "address.city"],
          jobTitles: ["Baker", "Lead"],
          address: { city: "Oslo" },
        },
      });
    });

    it("clears a value that is given empty", async () => {
      const words = ["--job-title", "", "--unit", "", "--primary-unit", "", "--location", "", "--phone", ""];
      await stub.run(["workers", "update", ID, ...words]);
      expect(last()).toMatchObject({
        request: {
          updateMask: ["job_titles", "phone", "unit_ids", "primary_unit_id", "location_id"],
          jobTitles: [],
          unitIds: [],
          primaryUnitId: "",
          locationId: "",
          phone: "",
        },
      });
    });

    it.each([
      ["workers", ID, "--job-title, --phone"],
      ["units", idOf("unit"), "--name, --code"],
    ])("refuses an update of %s without a change, and lists the flags", async (noun, id, flags) => {
      const { exitCode, stderr } = await stub.run([noun, "update", id]);
      expect(exitCode).toBe(2);
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(`No change was given. Give at least one of ${flags}`);
    });

    it.each([
      ["workers end", ["workers", "end", OTHER_ID], "EndWorker"],
      ["locations delete", ["locations", "delete", LOCATION.id], "DeleteLocation"],
      ["users delete", ["users", "delete", idOf("user")], "DeleteUser"],
    ])("%s does nothing in a script without --yes, and says so (R-X202)", async (__, words, method) => {
      const { exitCode, stdout, stderr } = await stub.run(words);
      expect([exitCode, stdout]).toEqual([2, ""]);
      expect(stderr.replaceAll(/\s+/g, " ")).toMatch(
        /^gatehouse: This (ends|deletes) .+ Nothing was changed\. Add --yes if/,
      );
      expect(last()?.path).not.toBe(method);
    });

    it("ends an employment, and says how a new one begins", async () => {
      const { stdout, stderr } = await stub.run(["workers", "end", OTHER_ID, "--yes"]);
      expect(last()).toMatchObject({ path: "EndWorker", request: { workerId: OTHER_ID } });
      expect(stdout).toContain("ended         2026-11-20 10:54 UTC\n");
      expect(stderr).toContain(`Next: gatehouse workers onboard --tenant ${TENANT} --email ole@hansen.example`);
    });

    it("makes a unit type with its first units, and shows their ids", async () => {
      const words = ["--tenant", TENANT, "--name", "Team", "--unit", "Rye", "--unit", "Wheat"];
      const { stdout } = await stub.run(["unit-types", "create", ...words, "--parent", idOf("unit", "C")]);
      const parent = { $case: "parentUnitId", value: idOf("unit", "C") };
      expect(last()).toMatchObject({
        request: {
          tenantId: TENANT,
          units: [
            { name: "Rye", parent },
            { name: "Wheat", parent },
          ],
        },
      });
      expect(stdout).toContain(`units    Rye (${idOf("unit", "A")})\n         Wheat (${idOf("unit", "B")})\n`);
    });

    it("makes a unit type without units, as before", async () => {
      const { stdout } = await stub.run(["unit-types", "create", "--tenant", TENANT, "--name", "Team", "--json"]);
      expect(last()).toMatchObject({ request: { units: [] } });
      expect(JSON.parse(stdout)).toMatchObject({ name: "Team", units: [] });
    });

    it("renames a unit type", async () => {
      const { stdout } = await stub.run(["unit-types", "rename", idOf("unittype"), "--name", "Équipe"]);
      expect(last()).toMatchObject({
        path: "UpdateUnitType",
        request: { unitTypeId: idOf("unittype"), updateMask: ["name"], name: "Équipe" },
      });
      expect(stdout).toContain("name     Équipe\n");
    });

    it("lists unit types with how many units they have", async () => {
      const { stdout } = await stub.run(["unit-types", "list", "--tenant", TENANT]);
      expect(stdout).toBe(
        [
          "NAME        ID                              UNITS",
          `Department  ${idOf("unittype", "D")}      2`,
          `Team        ${idOf("unittype", "T")}      2`,
          "",
        ].join("\n"),
      );
    });

    it("lists units, each with the units below it", async () => {
      const { stdout } = await stub.run(["units", "list", "--tenant", TENANT]);
      expect(stdout.split("\n").map((line) => line.slice(0, 9).trimEnd())).toEqual([
        "NAME",
        "Sales",
        "Bakery",
        "  Rye",
        "  Wheat",
        "",
      ]);
      expect(stdout).toContain(`Bakery   ${idOf("unit", "C")}  Department  C-1\n`);
    });

    it("changes only those values of a unit that its flags name; an empty parent moves it to the top", async () => {
      await stub.run(["units", "update", idOf("unit"), "--name", "Rye", "--parent", ""]);
      expect(last()).toMatchObject({
        path: "UpdateUnit",
        request: { updateMask: ["name", "parent_unit_id"], name: "Rye", parentUnitId: "" },
      });
    });

    it("lists locations", async () => {
      const { stdout } = await stub.run(["locations", "list", "--tenant", TENANT]);
      expect(stdout.split("\n")[1]).toBe(`Quay Street  ${LOCATION.id}  2026-11-20 10:54 UTC`);
    });

    it.each([
      [0, "No worker was placed there."],
      [1, "The worker who was placed there has no location now."],
      [3, "The 3 workers who were placed there have no location now."],
    ])("deletes a location and says what became of its workers (%i)", async (workers, said) => {
      detached = workers;
      const { stdout, stderr } = await stub.run(["locations", "delete", LOCATION.id, "--yes"]);
      expect(last()).toMatchObject({ path: "DeleteLocation", request: { locationId: LOCATION.id } });
      expect(stdout).toContain("name     Quay Street\n");
      expect(stderr.replaceAll(/\s+/g, " ")).toContain(`The location is deleted. ${said}`);
    });

    it.each([
      ["workers", "The tenant has no workers yet."],
      ["unit-types", "The tenant has no unit types yet."],
      ["units", "The tenant has no units yet."],
      ["locations", "The tenant has no locations yet."],
    ])("says so when there are no %s, and names the first command", async (noun, said) => {
      const { exitCode, stdout, stderr } = await stub.run([noun, "list", "--tenant", idOf("client", "Z")]);
      expect([exitCode, stdout]).toEqual([0, ""]);
      expect(stderr).toContain(said);
      expect(stderr).toMatch(/Next: gatehouse \S+ (onboard|create) --tenant client_Z/);
    });
  });
});
