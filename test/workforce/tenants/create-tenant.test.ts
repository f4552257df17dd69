import { PlatformService } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import type { PageStart } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, there, type Workforce, workforceOver } from "../workforce-fixture.ts";

const address = {
  address1: " 14 Quay Street ",
  address2: "",
  city: "Rotterdam",
  isoCountryCode: "nl",
  postalCode: "3011 AB",
};
const UNKNOWN_INSTANCE = "instance_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
  });

  const request = (more = {}) => ({ requestId: "", instanceId, name: "Harbour Bakery", address, ...more });
  const tenants = async () => (await workforce.platform.listTenantsOfInstance({ instanceId, after: null })).tenants;

  describe("CreateTenant", () => {
    it("returns the stored state: texts trimmed, blanks as null, the country in capitals", async () => {
      const { tenant } = await workforce.platform.createTenant(request());
      expect(tenant).toEqual({
        id: expect.stringMatching(/^client_[A-Za-z0-9]{21}$/),
        instanceId,
        name: "Harbour Bakery",
        address: {
          address1: "14 Quay Street",
          address2: null,
          city: "Rotterdam",
          isoCountryCode: "NL",
          postalCode: "3011 AB",
          zoneCode: null,
        },
        createdAt: workforce.clock.now(),
      });
      expect(await tenants()).toEqual([tenant]);
    });

    it("makes an id that follows those made before, so that an index grows at one place (R-D5)", async () => {
      const ids: string[] = [];
      for (let made = 0; made < 5; made++) {
        ids.push((await workforce.tenant(instanceId)).id);
        workforce.clock.step(1);
      }
      expect([...ids].sort()).toEqual(ids);
    });

    it("emits one client.created with the snapshot (spec §6.1, R-G8)", async () => {
      const { id, address: stored } = await workforce.tenant(instanceId, { address });
      expect(await workforce.events()).toEqual([
        {
          eventType: "client.created",
          entity: { type: "client", id },
          instanceId,
          tenantId: id,
          data: { clientId: id, name: "Harbour Bakery", address: stored },
          selfPath: `/v1/instance-integrations/{instanceIntegrationId}/clients/${id}`,
        },
      ]);
    });

    it("makes the roles Owner, Admin and Member", async () => {
      const { id } = await workforce.tenant(instanceId);
      const { rows } = await workforce.raw(
        `select name, kind from workforce_access_roles where tenant_id = '${id}' order by id`,
      );
      expect(rows).toEqual([
        { name: "Owner", kind: "OWNER" },
        { name: "Admin", kind: "ADMIN" },
        { name: "Member", kind: "MEMBER" },
      ]);
    });

    it("raises the revision of the instance, which lists its tenants (R-G10)", async () => {
      const before = await workforce.revision("workforce_instances", instanceId);
      await workforce.tenant(instanceId);
      expect(await workforce.revision("workforce_instances", instanceId)).toBe(before + 1);
    });

    it("makes one tenant of 20 parallel requests with the same request id, and answers all alike (R-G18)", async () => {
      const racers = (await workforce.opened.racers(4)).map((one) => workforceOver(one, workforce.clock));
      const repeated = request({ requestId: "one-tenant" });
      const answers = await Promise.all(
        racers.flatMap(({ platform }) => Array.from({ length: 5 }, () => platform.createTenant(repeated))),
      );
      expect(new Set(answers.map(({ tenant }) => tenant?.id)).size).toBe(1);
      expect(await tenants()).toEqual([there(answers[0]).tenant]);
      expect((await workforce.events()).length).toBe(1);
    });

    it("refuses the same request id with other content (R-G18)", async () => {
      await workforce.platform.createTenant(request({ requestId: "one-tenant" }));
      const other = workforce.platform.createTenant(request({ requestId: "one-tenant", name: "Other" }));
      expect(await refusal(other)).toMatchObject({ code: "ALREADY_EXISTS", reason: "request_id_reused" });
      expect((await tenants()).length).toBe(1);
    });

    it("names every wrong field at once", async () => {
      const wrong = request({
        requestId: "x".repeat(101),
        instanceId: "client_AAAAAAAAAAAAAAAAAAAAA",
        name: " ",
        address: { city: "a\0b", isoCountryCode: "NLD", postalCode: "1".repeat(21) },
      });
      const { code, violations } = await refusal(workforce.platform.createTenant(wrong));
      expect(code).toBe("INVALID_ARGUMENT");
      expect(violations).toEqual([
        { field: "request_id", reason: "must have at most 100 characters" },
        { field: "instance_id", reason: "must be instance_ followed by 21 letters or digits" },
        { field: "name", reason: "is missing" },
        { field: "address.city", reason: "must not hold control characters" },
        { field: "address.iso_country_code", reason: "must be two letters (ISO 3166-1 alpha-2)" },
        { field: "address.postal_code", reason: "must have at most 20 characters" },
      ]);
      expect(await workforce.events()).toEqual([]);
    });

    it("refuses an unknown instance and emits nothing", async () => {
      const refused = await refusal(workforce.platform.createTenant(request({ instanceId: UNKNOWN_INSTANCE })));
      expect(refused).toMatchObject({
        code: "NOT_FOUND",
        reason: "instance_not_found",
        message: `There is no instance ${UNKNOWN_INSTANCE}. Correct instance_id, or create the instance first.`,
      });
      expect(await workforce.events()).toEqual([]);
    });
  });

  describe("ListTenantsOfInstance and ListInstances", () => {
    it("list by creation time, and only the instance's own", async () => {
      const other = await workforce.instance("North America");
      const made = [await workforce.tenant(instanceId), await workforce.tenant(instanceId)];
      await workforce.tenant(other);
      expect((await tenants()).map(({ id }) => id)).toEqual(made.map(({ id }) => id));
      expect(
        (await workforce.platform.listInstances({ after: null })).instances.map(({ name }) => name).toSorted(),
      ).toEqual(["Europe", "North America"]);
    });

    it("have pages, and name the field of a limit that is out of bounds (R-G9)", async () => {
      const made: (string | undefined)[] = [];
      for (const name of ["a", "b", "c"]) {
        workforce.clock.step(1);
        made.push((await workforce.platform.createTenant(request({ name }))).tenant?.id);
      }
      await workforce.tenant(await workforce.instance("North America"));
      const page = async (limit: number, after: PageStart | null) => {
        const { tenants, next } = await workforce.platform.listTenantsOfInstance({ instanceId, limit, after });
        return { ids: tenants.map(({ id }) => id), next };
      };
      const first = await page(2, null);
      expect(first).toEqual({ ids: made.slice(0, 2), next: { createdAt: expect.any(Date), id: made[1] } });
      expect(await page(2, first.next)).toEqual({ ids: made.slice(2), next: null });
      expect(await page(3, null)).toEqual({ ids: made, next: null });
      for (const limit of [0, 1_001])
        expect(await refusal(page(limit, null))).toMatchObject({
          code: "INVALID_ARGUMENT",
          violations: [expect.objectContaining({ field: "limit" })],
        });
    });

    it("refuse an unknown instance", async () => {
      const unknown = workforce.platform.listTenantsOfInstance({ instanceId: UNKNOWN_INSTANCE, after: null });
      expect(await refusal(unknown)).toMatchObject({ code: "NOT_FOUND", reason: "instance_not_found" });
    });
  });

  it("writes an audit entry with each write, and none with a repeat", async () => {
    const repeated = request({ requestId: "audited" });
    const { tenant } = await workforce.platform.createTenant(repeated, { requestId: "req_call" });
    await workforce.platform.createTenant(repeated);
    const { rows } = await workforce.raw(
      "select actor, action, object, request_id from audit_entries where action = 'tenant.create'",
    );
    expect(rows).toEqual([{ actor: "platform", action: "tenant.create", object: tenant?.id, request_id: "req_call" }]);
  });

  it("has a method for everything that the contract names", () => {
    const { methods } = there(
      workforce.registrations.find(({ definition }) => definition === (PlatformService as never)),
    );
    expect(Object.keys(methods).toSorted()).toEqual(Object.keys(PlatformService).toSorted());
  });
});
