import type { PageStart } from "../../../generated/proto/gatehouse/workforce/v1/workforce.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce, refusal, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
  });

  it("CreateInstance returns what is stored, and the first answer to a repeat (R-G18)", async () => {
    const request = { requestId: "europe", name: " Europe " };
    const { instance } = await workforce.platform.createInstance(request);
    expect(instance).toMatchObject({ id: expect.stringMatching(/^instance_/), name: "Europe" });
    expect(await workforce.platform.createInstance(request)).toEqual({ instance });
    expect((await workforce.platform.listInstances({ after: null })).instances).toEqual([instance]);
  });

  it("CreateInstance and CreateIntegration require a name", async () => {
    const nameless = { requestId: "", name: "" };
    const expected = [{ field: "name", reason: "is missing" }];
    expect((await refusal(workforce.platform.createInstance(nameless))).violations).toEqual(expected);
    expect((await refusal(workforce.operator.createIntegration(nameless))).violations).toEqual(expected);
  });

  it("lists instances oldest first", async () => {
    const made: string[] = [];
    for (const name of ["c", "a", "b"]) {
      workforce.clock.step(1);
      made.push(await workforce.instance(name));
    }
    expect((await workforce.platform.listInstances({ after: null })).instances.map(({ id }) => id)).toEqual(made);
  });

  it("lists instances in pages, and names the field of a limit that is out of bounds (R-G9)", async () => {
    const made: string[] = [];
    for (const name of ["a", "b", "c"]) {
      workforce.clock.step(1);
      made.push(await workforce.instance(name));
    }
    const page = async (limit: number, after: PageStart | null) => {
      const { instances, next } = await workforce.platform.listInstances({ limit, after });
      return { ids: instances.map(({ id }) => id), next };
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

  describe("GetInstance for sign-on", () => {
    it("returns the name, and NOT_FOUND for an unknown id", async () => {
      const instanceId = await workforce.instance("Europe");
      expect(await workforce.signIn.getInstance({ instanceId })).toEqual({ instanceId, name: "Europe" });
      for (const unknown of ["instance_AAAAAAAAAAAAAAAAAAAAA", "", "\0"])
        expect(await refusal(workforce.signIn.getInstance({ instanceId: unknown }))).toMatchObject({
          code: "NOT_FOUND",
          reason: "instance_not_found",
        });
    });
  });
});
