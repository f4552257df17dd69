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
    expect((await workforce.platform.listInstances({})).instances).toEqual([instance]);
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
    expect((await workforce.platform.listInstances({})).instances.map(({ id }) => id)).toEqual(made);
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
