import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  describe("UpdateIntegration", () => {
    let workforce: Workforce;
    let integrationId: string;
    beforeEach(async () => {
      workforce = await openWorkforce(open);
      ({ integrationId } = await workforce.integration(await workforce.instance()));
    });

    const rename = (more = {}) =>
      workforce.operator.updateIntegration({
        requestId: "",
        integrationId,
        updateMask: ["name"],
        name: " Marigold ",
        ...more,
      });
    const audits = async () =>
      (await workforce.raw("select facts from audit_entries where action = 'integration.update'")).rows;

    it("renames it, audited without the name; entity tags stay, since no public answer shows the name (R-G10)", async () => {
      const revision = await workforce.revision("workforce_integrations", integrationId);
      expect((await rename()).integration).toMatchObject({ id: integrationId, name: "Marigold" });
      const { integrations } = await workforce.operator.listIntegrations({ after: null });
      expect(integrations.map(({ integration }) => integration?.name)).toEqual(["Marigold"]);
      expect(await workforce.revision("workforce_integrations", integrationId)).toBe(revision);
      expect([await audits(), await workforce.events()]).toEqual([[{ facts: "{}" }], []]);
    });

    it("changes nothing when the name is the same", async () => {
      expect((await rename({ name: "Payroll" })).integration).toMatchObject({ name: "Payroll" });
      expect(await audits()).toEqual([]);
    });

    it.each<[string, object, string[]]>([
      ["no mask", { updateMask: [] }, ["update_mask"]],
      ["a field that cannot be changed (S43)", { updateMask: ["name", "id"] }, ["update_mask"]],
      ["no name", { name: "" }, ["name"]],
      ["no id", { integrationId: "" }, ["integration_id"]],
    ])("refuses %s", async (_case, more, fields) => {
      const { violations } = await refusal(rename(more));
      expect(violations.map(({ field }) => field)).toEqual(fields);
    });

    it("refuses an unknown one", async () => {
      const unknown = rename({ integrationId: "integration_AAAAAAAAAAAAAAAAAAAAA" });
      expect(await refusal(unknown)).toMatchObject({ code: "NOT_FOUND", reason: "integration_not_found" });
    });
  });
});
