import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld, type World } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets } from "../sign-on-fixture.ts";

eachStore((_, open) => {
  describe("a list of refused requests (R-X418)", () => {
    let signOn: SignOn;
    let world: World;
    const closeLater = closingAfterAll();
    const unknown = newId("application", systemRandom);

    beforeAll(async () => {
      signOn = await openSignOn(await open(signOnSets), closeLater);
      world = await makeWorld(signOn);
      const common = { operation: "authorize", error: "", sentence: "", parameters: "[]", redirect_uri: null };
      const { id } = world.application;
      // Two of one moment, whose ids a language would order otherwise than their bytes.
      const rows = [
        ["req_a", 1_000, id],
        ["req_B", 2_000, unknown],
        ["req_a2", 2_000, id],
        ["req_C", 3_000, null],
        ["req_D", 2_500, id],
      ] as const;
      const values = rows.map(([request_id, refused_at, application_id]) => ({
        ...common,
        request_id,
        refused_at,
        application_id,
        check_name: "redirect_uri.missing",
      }));
      await signOn.db.insertInto("sign_on_refusals").values(values).execute();
    });

    const listed = async (limit: number, applicationId: string | null = null) => {
      const ids: string[] = [];
      let before: { at: Date | null; requestId: string } | null = null;
      for (;;) {
        const { refusals, more } = await signOn.inspection.listRefusals({ limit, before, applicationId });
        ids.push(...refusals.map(({ requestId }) => requestId));
        const last = refusals.at(-1);
        if (!more || last === undefined) return ids;
        before = { at: last.at, requestId: last.requestId };
      }
    };

    it.each([1, 2, 3, 500])("has each once, newest first, by pages of %d", async (limit) => {
      expect(await listed(limit)).toEqual(["req_C", "req_D", "req_a2", "req_B", "req_a"]);
      expect(await listed(limit, world.application.id)).toEqual(["req_D", "req_a2", "req_a"]);
      expect(await listed(limit, unknown)).toEqual(["req_B"]);
    });

    it("says what was asked, which check refused it, and the name of the application where there is one", async () => {
      const { refusals } = await signOn.inspection.listRefusals({ limit: 0, before: null });
      const asked = { operation: "authorize", check: "redirect_uri.missing", error: "" };
      expect(refusals.slice(1, 4)).toMatchObject([
        { ...asked, at: new Date(2_500), applicationId: world.application.id, applicationName: "Marigold" },
        { ...asked, applicationName: "Marigold" },
        { ...asked, applicationId: unknown, applicationName: null },
      ]);
    });

    it("names every wrong field at once", async () => {
      const wrong = { limit: 501, before: { at: null, requestId: "req_a" }, applicationId: "x" };
      await expect(signOn.inspection.listRefusals(wrong)).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: ["application_id", "limit", "before"].map((field) => expect.objectContaining({ field })),
      });
    });
  });
});
