import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, type Workforce } from "../workforce-fixture.ts";

const ADDRESS = {
  address1: "14 Quay Street",
  address2: null,
  city: "Rotterdam",
  isoCountryCode: "NL",
  postalCode: "3011 AB",
  zoneCode: null,
};
const UNKNOWN = "client_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;
  let tenantId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
    tenantId = (await workforce.tenant(instanceId, { address: ADDRESS })).id;
    await workforce.events();
  });

  const update = async (updateMask: string[], more = {}) =>
    (await workforce.platform.updateTenant({ requestId: "", tenantId, updateMask, name: "", address: null, ...more }))
      .tenant;
  const revisions = async () => [
    await workforce.revision("workforce_tenants", tenantId),
    await workforce.revision("workforce_instances", instanceId),
  ];

  describe("UpdateTenant", () => {
    it("changes what the mask names, and ignores every other value", async () => {
      const renamed = await update(["name"], { name: " Quay Bakery ", address: { isoCountryCode: "Holland" } });
      expect(renamed).toMatchObject({ id: tenantId, name: "Quay Bakery", address: ADDRESS });
      const moved = await update(["address.city"], { address: { city: "Delft", isoCountryCode: "Holland" } });
      expect(moved).toMatchObject({ name: "Quay Bakery", address: { ...ADDRESS, city: "Delft" } });
      const cleared = await update(["address"], { address: { city: "Gouda" } });
      expect(cleared?.address).toEqual({
        address1: null,
        address2: null,
        city: "Gouda",
        isoCountryCode: null,
        postalCode: null,
        zoneCode: null,
      });
      expect((await workforce.platform.readTenant({ tenantId })).tenant).toEqual(cleared);
    });

    it("raises the revisions of tenant and instance, and emits nothing (R-G10)", async () => {
      const [tenant = 0, instance = 0] = await revisions();
      await update(["name"], { name: "Quay Bakery" });
      expect(await revisions()).toEqual([tenant + 1, instance + 1]);
      await update(["address.city"], { address: { city: "Delft" } });
      expect(await revisions()).toEqual([tenant + 2, instance + 2]);
      expect(await workforce.events()).toEqual([]);
    });

    it("writes nothing when every value is the present one", async () => {
      const before = await revisions();
      expect(await update(["name", "address"], { name: "Harbour Bakery", address: ADDRESS })).toMatchObject({
        name: "Harbour Bakery",
        address: ADDRESS,
      });
      expect(await revisions()).toEqual(before);
    });

    it("answers a repeat with the first answer (R-G18)", async () => {
      const first = await update(["name"], { requestId: "rename", name: "Quay Bakery" });
      await update(["name"], { name: "Third" });
      expect(await update(["name"], { requestId: "rename", name: "Quay Bakery" })).toEqual(first);
    });

    it("refuses an unknown tenant, wrong masks and wrong values of what is named", async () => {
      expect(await refusal(update(["name"], { tenantId: UNKNOWN, name: "x" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "tenant_not_found",
      });
      const fields = async (mask: string[], more = {}) =>
        (await refusal(update(mask, more))).violations.map(({ field }) => field);
      expect(await fields([])).toEqual(["update_mask"]);
      expect(await fields(["name", "instance_id"], { name: "x" })).toEqual(["update_mask"]);
      expect(await fields(["name", "address.iso_country_code"], { address: { isoCountryCode: "Holland" } })).toEqual([
        "name",
        "address.iso_country_code",
      ]);
    });
  });

  describe("ReadTenant", () => {
    it("returns a tenant by id", async () => {
      const { tenants } = await workforce.platform.listTenantsOfInstance({ instanceId, after: null });
      expect((await workforce.platform.readTenant({ tenantId })).tenant).toEqual(tenants[0]);
      expect(await refusal(workforce.platform.readTenant({ tenantId: UNKNOWN }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "tenant_not_found",
      });
    });
  });
});
