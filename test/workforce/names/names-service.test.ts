import { sql } from "kysely";
import { type FindNamedRequest, NamedKind } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { matchesName } from "../../../src/runtime/database/rows.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce } from "../workforce-fixture.ts";

eachStore((store, open) => {
  let workforce: Workforce;
  let europe: string;
  let asia: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    europe = await workforce.instance();
    asia = await workforce.instance("Asia");
  });

  const find = (kind: NamedKind, name: string, more: Partial<FindNamedRequest> = {}) =>
    workforce.operator.findNamed({ kind, name, limit: 0, ...more });
  const idsOf = async (...given: Parameters<typeof find>) => (await find(...given)).found.map(({ id }) => id);

  describe("FindNamed (R-X194)", () => {
    it("finds tenants on every instance, oldest first, with what tells them apart", async () => {
      const address = { address1: null, address2: null, postalCode: null, city: "Rotterdam", zoneCode: null };
      const one = await workforce.tenant(europe, { address: { ...address, isoCountryCode: null } });
      const other = await workforce.tenant(asia);
      await workforce.tenant(asia, { name: "Harbour Bakery Two" });
      expect(await find(NamedKind.TENANT, " harbour BAKERY ")).toEqual({
        found: [
          { id: one.id, name: "Harbour Bakery", details: ["Europe", "Rotterdam"] },
          { id: other.id, name: "Harbour Bakery", details: ["Asia"] },
        ],
        more: false,
      });
    });

    it("counts A to Z like a to z, and every other letter as it is, on each store", async () => {
      const { id } = await workforce.tenant(europe, { name: "Bäckerei ÄHRE" });
      expect(await idsOf(NamedKind.TENANT, "bäckerei ÄhRe")).toEqual([id]);
      expect(await idsOf(NamedKind.TENANT, "bäckerei ähre")).toEqual([]);
    });

    it("takes no part of a name as a pattern", async () => {
      await workforce.tenant(europe);
      expect(await idsOf(NamedKind.TENANT, "Harbour%")).toEqual([]);
      expect(await idsOf(NamedKind.TENANT, "Harbour_Bakery")).toEqual([]);
      expect(await idsOf(NamedKind.TENANT, "' or 1 = 1 --")).toEqual([]);
    });

    it("answers at most as many as asked for, and says that there are more", async () => {
      const [first, second] = [await workforce.tenant(europe), await workforce.tenant(europe)];
      await workforce.tenant(europe);
      const { found, more } = await find(NamedKind.TENANT, "Harbour Bakery", { limit: 2 });
      expect([found.map(({ id }) => id), more]).toEqual([[first.id, second.id], true]);
    });

    it("finds a person by the e-mail address, or by first and last name", async () => {
      const tenant = await workforce.tenant(europe);
      const user = await workforce.user(tenant.id, "maren@mail.example", { firstName: "Maren", lastName: "Dahl" });
      expect((await find(NamedKind.PERSON, "MAREN@mail.example")).found).toEqual([
        { id: user.person.id, name: "Maren Dahl", details: ["maren@mail.example"] },
      ]);
      expect(await idsOf(NamedKind.PERSON, " maren DAHL ")).toEqual([user.person.id]);
      expect(await idsOf(NamedKind.PERSON, "Maren")).toEqual([]);
      const other = await workforce.user(tenant.id, "m.dahl@mail.example", { firstName: "Maren", lastName: "Dahl" });
      expect((await find(NamedKind.PERSON, "Maren Dahl")).found).toEqual([
        { id: user.person.id, name: "Maren Dahl", details: ["maren@mail.example"] },
        { id: other.person.id, name: "Maren Dahl", details: ["m.dahl@mail.example"] },
      ]);
    });

    it("finds a person's users in every tenant by the e-mail address, and without those that are deleted", async () => {
      const [one, other] = [await workforce.tenant(europe), await workforce.tenant(asia, { name: "Tea House" })];
      const gone = await workforce.user(one.id, "maren@mail.example");
      await workforce.platform.deleteUser({ requestId: "", userId: gone.id });
      const here = await workforce.user(one.id, "maren@mail.example", { firstName: "Maren" });
      const there_ = await workforce.user(other.id, "maren@mail.example");
      expect((await find(NamedKind.USER, "maren@mail.example")).found).toEqual([
        { id: here.id, name: expect.any(String), details: ["maren@mail.example", "Harbour Bakery", "INVITED"] },
        { id: there_.id, name: expect.any(String), details: ["maren@mail.example", "Tea House", "INVITED"] },
      ]);
      expect(await idsOf(NamedKind.USER, "maren@mail.example", { tenantId: other.id })).toEqual([there_.id]);
    });

    it("finds users and workers by first and last name, in one tenant only", async () => {
      const [one, other] = [await workforce.tenant(europe), await workforce.tenant(europe)];
      const names = { firstName: "Ines", lastName: "Vogt" };
      const user = await workforce.user(one.id, "ines@mail.example", names);
      const worker = await workforce.worker(one.id, "ines@mail.example", names);
      await workforce.user(other.id, "other@mail.example", names);
      expect(await idsOf(NamedKind.USER, "ines vogt", { tenantId: one.id })).toEqual([user.id]);
      expect(await idsOf(NamedKind.WORKER, "Ines Vogt", { tenantId: one.id })).toEqual([worker.id]);
      expect(await refusal(find(NamedKind.USER, "Ines Vogt"))).toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "tenant_id", reason: "is missing: such names are looked for in one tenant" }],
      });
    });

    it("does not find a worker who has ended", async () => {
      const tenant = await workforce.tenant(europe);
      const worker = await workforce.worker(tenant.id, "ines@mail.example");
      await workforce.platform.endWorker({ requestId: "", workerId: worker.id });
      expect(await idsOf(NamedKind.WORKER, "ines@mail.example")).toEqual([]);
    });

    it("finds unit types, units (by code too) and locations of a tenant", async () => {
      const tenant = await workforce.tenant(europe);
      const tenantId = tenant.id;
      const { unitType } = await workforce.platform.createUnitType({
        requestId: "",
        tenantId,
        name: "Team",
        units: [],
      });
      const unitTypeId = there(unitType).id;
      const request = { requestId: "", tenantId, unitTypeId, name: "Night shift", unitCode: "NS-1" };
      const unit = there((await workforce.platform.createUnit(request)).unit);
      const { location } = await workforce.platform.createLocation({ requestId: "", tenantId, name: "Quay" });
      expect(await idsOf(NamedKind.UNIT_TYPE, "team", { tenantId })).toEqual([unitTypeId]);
      expect((await find(NamedKind.UNIT, "night shift", { tenantId })).found).toEqual([
        { id: unit.id, name: "Night shift", details: ["Team", "NS-1", "Harbour Bakery"] },
      ]);
      expect(await idsOf(NamedKind.UNIT, "ns-1", { tenantId })).toEqual([unit.id]);
      expect(await idsOf(NamedKind.LOCATION, "Quay", { tenantId })).toEqual([there(location).id]);
    });

    it("finds API keys by their label until they are revoked", async () => {
      const { integrationId, apiKeyId } = await workforce.integration(europe);
      const other = await workforce.integration(europe);
      expect(await idsOf(NamedKind.API_KEY, "test")).toEqual([apiKeyId, other.apiKeyId]);
      expect(await idsOf(NamedKind.API_KEY, "test", { integrationId })).toEqual([apiKeyId]);
      await workforce.operator.revokeApiKey({ apiKeyId });
      expect(await idsOf(NamedKind.API_KEY, "test", { integrationId })).toEqual([]);
    });

    it("refuses what cannot be asked, all at once", async () => {
      const wrong = find(NamedKind.UNSPECIFIED, " ", { tenantId: "tenant", limit: 51 });
      expect((await refusal(wrong)).violations.map(({ field }) => field)).toEqual([
        "name",
        "tenant_id",
        "kind",
        "limit",
      ]);
    });

    it.each([
      ["tenants", "workforce_tenants", "name"],
      [
        "people",
        "workforce_people person",
        "nullif(trim(coalesce(person.first_name, '') || ' ' || coalesce(person.last_name, '')), '')",
      ],
    ])("reads %s by an index of their names", async (nouns, table, name) => {
      const plan = await workforce.db.transaction().execute(async (tx) => {
        const isPostgres = store === "postgres";
        // An empty table is otherwise read whole.
        await sql.raw(isPostgres ? "set local enable_seqscan = off" : "select 1").execute(tx);
        return sql`${sql.raw(isPostgres ? "explain" : "explain query plan")} select id from ${sql.raw(table)}
          where ${matchesName(tx, sql.raw(name), "Harbour")}`.execute(tx);
      });
      expect(JSON.stringify(plan.rows)).toContain(`workforce_${nouns}_name`);
    });
  });

  describe("ReadNames", () => {
    it("names what ids of any kind refer to, and omits what does not exist", async () => {
      const tenant = await workforce.tenant(europe);
      const { integrationId, connectionId, apiKeyId } = await workforce.integration(europe);
      const worker = await workforce.worker(tenant.id, "ines@mail.example", { firstName: "Ines", lastName: "Vogt" });
      const ids = [europe, tenant.id, integrationId, connectionId, apiKeyId, worker.id, worker.person.id];
      const { names } = await workforce.operator.readNames({ ids: [...ids, europe, "client_none", "text"] });
      expect(new Map(names.map(({ id, name }) => [id, name]))).toEqual(
        new Map([
          [europe, "Europe"],
          [tenant.id, "Harbour Bakery"],
          [integrationId, "Payroll"],
          [connectionId, "Payroll on Europe"],
          [apiKeyId, "test"],
          [worker.id, "Ines Vogt"],
          [worker.person.id, "Ines Vogt"],
        ]),
      );
    });

    it("refuses more than 500 ids", async () => {
      const ids = Array.from({ length: 501 }, () => europe);
      expect((await refusal(workforce.operator.readNames({ ids }))).violations).toEqual([
        { field: "ids", reason: "must have at most 500 entries" },
      ]);
    });
  });
});
