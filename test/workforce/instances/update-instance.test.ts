import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;
  let instanceId: string;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance("Europe");
  });

  const update = (more = {}) =>
    workforce.platform.updateInstance({ requestId: "", instanceId, updateMask: ["name"], name: "Europa", ...more });

  describe("UpdateInstance", () => {
    it("renames, and returns what is stored", async () => {
      const { instance } = await update({ name: " Europa " });
      expect(instance).toMatchObject({ id: instanceId, name: "Europa" });
      expect((await workforce.platform.listInstances({ after: null })).instances).toEqual([instance]);
    });

    it("raises the revisions of the instance and of the integrations connected with it, and no other (R-G10)", async () => {
      const [mine, also] = [await workforce.integration(instanceId), await workforce.integration(instanceId)];
      const foreign = await workforce.integration(await workforce.instance("Asia"));
      const revisions = async () => [
        await workforce.revision("workforce_instances", instanceId),
        await workforce.revision("workforce_integrations", mine.integrationId),
        await workforce.revision("workforce_integrations", also.integrationId),
        await workforce.revision("workforce_integrations", foreign.integrationId),
      ];
      const [instance = 0, one = 0, two = 0, other = 0] = await revisions();
      await update();
      expect(await revisions()).toEqual([instance + 1, one + 1, two + 1, other]);
      await update();
      expect(await revisions()).toEqual([instance + 1, one + 1, two + 1, other]);
    });

    it("refuses an unknown instance, an empty mask, one that names something else, and no name", async () => {
      expect(await refusal(update({ instanceId: "instance_AAAAAAAAAAAAAAAAAAAAA" }))).toMatchObject({
        code: "NOT_FOUND",
        reason: "instance_not_found",
      });
      const fields = async (more: object) => (await refusal(update(more))).violations.map(({ field }) => field);
      expect(await fields({ updateMask: null })).toEqual(["update_mask"]);
      expect(await fields({ updateMask: ["name", "revision"] })).toEqual(["update_mask"]);
      expect(await fields({ name: " " })).toEqual(["name"]);
    });
  });
});
