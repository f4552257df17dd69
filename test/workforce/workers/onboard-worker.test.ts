import { eachStore } from "../../support/stores.ts";
import { ines, openTenant, refusal, there, type Workforce } from "../workforce-fixture.ts";

const UNKNOWN_UNIT = "unit_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    ({ workforce, instanceId, tenantId } = await openTenant(open));
    await workforce.events();
  });

  const place = async (of = tenantId) => {
    const { platform } = workforce;
    const { unitType } = await platform.createUnitType({ requestId: "", tenantId: of, name: "Department", units: [] });
    const unit = async (name: string) => {
      const request = { requestId: "", tenantId: of, unitTypeId: there(unitType).id, name };
      return there((await platform.createUnit(request)).unit).id;
    };
    const { location } = await platform.createLocation({ requestId: "", tenantId: of, name: "Rotterdam" });
    return { units: [await unit("Bakery"), await unit("Sales")], locationId: there(location).id };
  };
  const onboard = (more = {}) =>
    workforce.platform.onboardWorker({ ...ines, tenantId, email: "ines@example.com", ...more });

  describe("OnboardWorker", () => {
    it("returns the stored state with units in the order given, the primary one among them", async () => {
      const { units, locationId } = await place();
      const unitIds = units.toReversed();
      const worker = await workforce.worker(tenantId, "ines@example.com", {
        jobTitles: ["Baker", " Shift lead "],
        phone: "+31 10 555 0142",
        address: { isoCountryCode: "NL" },
        unitIds,
        primaryUnitId: units[0],
        locationId,
        emailVerified: true,
      });
      expect(worker).toMatchObject({
        id: expect.stringMatching(/^worker_/),
        tenantId,
        jobTitles: ["Baker", "Shift lead"],
        phone: "+31 10 555 0142",
        address: { address1: null, isoCountryCode: "NL" },
        unitIds,
        primaryUnitId: units[0],
        locationId,
        endedAt: null,
        person: { firstName: "Ines", lastName: "Okafor", emailVerified: true },
      });
    });

    it("raises the revision of the tenant (R-G10)", async () => {
      const before = await workforce.revision("workforce_tenants", tenantId);
      await workforce.worker(tenantId, "ines@example.com");
      expect(await workforce.revision("workforce_tenants", tenantId)).toBe(before + 1);
    });

    it("keeps the names of a person who has both, and emits the worker alone (R-E1)", async () => {
      await workforce.user(tenantId, "ines@example.com", { firstName: "Inês", lastName: "Silva" });
      await workforce.events();
      const { person } = await workforce.worker(tenantId, "ines@example.com");
      expect([person.firstName, person.lastName]).toEqual(["Inês", "Silva"]);
      const told = (await workforce.events()).map(({ eventType, data }) => [eventType, data.fullName]);
      expect(told).toEqual([["worker.onboarded", "Inês Silva"]]);
    });

    it("fills in missing names; each user of the person emits that, DELETED ones aside (R-D2)", async () => {
      const elsewhere = (await workforce.tenant(await workforce.instance("North America"))).id;
      const users = [
        await workforce.user(tenantId, "ines@example.com", { lastName: "Silva" }),
        await workforce.user(elsewhere, "ines@example.com"),
      ];
      const gone = (await workforce.tenant(instanceId)).id;
      const deleted = await workforce.user(gone, "ines@example.com");
      await workforce.platform.deleteUser({ requestId: "", userId: deleted.id });
      await workforce.events();
      const before = await workforce.revision("workforce_tenants", elsewhere);

      const { id } = await workforce.worker(tenantId, "ines@example.com");

      const told = (await workforce.events()).map(({ eventType, entity, data }) => [
        eventType,
        entity.id,
        data.fullName,
      ]);
      expect(told.toSorted()).toEqual([
        ...users.map((user) => ["user.updated", user.id, "Ines Silva"]).toSorted(),
        ["worker.onboarded", id, "Ines Silva"],
      ]);
      expect(await workforce.revision("workforce_tenants", elsewhere)).toBe(before + 1);
    });

    it("refuses a second employment with the same tenant while the first lasts", async () => {
      const { id } = await workforce.worker(tenantId, "ines@example.com");
      expect(await refusal(onboard())).toMatchObject({ code: "ALREADY_EXISTS", reason: "worker_exists" });
      await workforce.platform.endWorker({ requestId: "", workerId: id });
      expect((await onboard()).worker?.id).not.toBe(id);
    });

    it("refuses units and locations of another tenant like unknown ones", async () => {
      const { units, locationId } = await place((await workforce.tenant(instanceId)).id);
      const foreign = await refusal(onboard({ unitIds: [units[0]] }));
      const unknown = await refusal(onboard({ unitIds: [UNKNOWN_UNIT] }));
      expect(foreign).toMatchObject({ code: "NOT_FOUND", reason: "unit_not_found" });
      expect(foreign.message).toBe(unknown.message.replace(UNKNOWN_UNIT, units[0] ?? ""));
      expect(await refusal(onboard({ locationId }))).toMatchObject({ code: "NOT_FOUND", reason: "location_not_found" });
    });

    it("names every wrong field at once", async () => {
      const wrong = {
        email: "ines@localhost",
        firstName: "",
        jobTitles: ["Baker", "Baker", " "],
        phone: "0".repeat(41),
        unitIds: [UNKNOWN_UNIT, "unit_"],
        primaryUnitId: "unit_BBBBBBBBBBBBBBBBBBBBB",
        locationId: UNKNOWN_UNIT,
      };
      expect((await refusal(onboard(wrong))).violations).toEqual([
        { field: "email", reason: "must be an e-mail address" },
        { field: "first_name", reason: "is missing" },
        { field: "job_titles[2]", reason: "is missing" },
        { field: "job_titles", reason: "must not repeat an entry" },
        { field: "phone", reason: "must have at most 40 characters" },
        { field: "unit_ids[1]", reason: "must be unit_ followed by 21 letters or digits" },
        { field: "location_id", reason: "must be location_ followed by 21 letters or digits" },
        { field: "primary_unit_id", reason: "must be one of unit_ids" },
      ]);
    });
  });

  describe("the structure of a tenant", () => {
    it("is stored as asked, with units below units", async () => {
      const { platform } = workforce;
      const { unitType } = await platform.createUnitType({ requestId: "", tenantId, name: "Department", units: [] });
      const base = { requestId: "", tenantId, unitTypeId: there(unitType).id };
      const { unit: top } = await platform.createUnit({ ...base, name: "Bakery", unitCode: "B-1" });
      const { unit } = await platform.createUnit({
        ...base,
        name: "Ovens",
        description: "Two\nlines",
        parentUnitId: top?.id,
      });
      expect(unitType).toMatchObject({ id: expect.stringMatching(/^unittype_/), tenantId, name: "Department" });
      expect(top).toMatchObject({ unitCode: "B-1", description: null, parentUnitId: null });
      expect(unit).toMatchObject({ name: "Ovens", unitCode: null, description: "Two\nlines", parentUnitId: top?.id });
    });

    it("accepts types and parents of the same tenant only", async () => {
      const other = (await workforce.tenant(instanceId)).id;
      const { platform } = workforce;
      const { unitType: foreignType } = await platform.createUnitType({
        requestId: "",
        tenantId: other,
        name: "Team",
        units: [],
      });
      const { unitType } = await platform.createUnitType({ requestId: "", tenantId, name: "Team", units: [] });
      const { units } = await place(other);
      const base = { requestId: "", tenantId, name: "Ovens" };
      expect(await refusal(platform.createUnit({ ...base, unitTypeId: there(foreignType).id }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "unit_type_not_found",
      });
      const below = { ...base, unitTypeId: there(unitType).id, parentUnitId: units[0] };
      expect(await refusal(platform.createUnit(below))).toMatchObject({ code: "NOT_FOUND", reason: "unit_not_found" });
    });

    it("belongs to an existing tenant", async () => {
      const tenantId = "client_AAAAAAAAAAAAAAAAAAAAA";
      const { platform } = workforce;
      const refused = [
        platform.createUnitType({ requestId: "", tenantId, name: "Team", units: [] }),
        platform.createLocation({ requestId: "", tenantId, name: "Oslo" }),
        platform.createUnit({ requestId: "", tenantId, name: "x", unitTypeId: "unittype_AAAAAAAAAAAAAAAAAAAAA" }),
      ].map(refusal);
      expect((await Promise.all(refused)).map(({ reason }) => reason)).toEqual([
        "tenant_not_found",
        "tenant_not_found",
        "tenant_not_found",
      ]);
    });
  });
});
