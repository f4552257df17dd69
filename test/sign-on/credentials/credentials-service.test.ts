import { describeSignOn } from "../sign-on-fixture.ts";

const NOBODY = "person_AAAAAAAAAAAAAAAAAAAAA";

describeSignOn("setting a password (NIST SP 800-63B)", (scene) => {
  const set = (personId: string, password: string) => scene().signOn.signOn.setPassword({ personId, password });
  const refusal = async (password: string) =>
    set(scene().world.personId, password).then(
      () => undefined,
      ({ code, violations }) => ({ code, violations }),
    );
  const refusedBecause = (reason: string) => ({
    code: "INVALID_ARGUMENT",
    violations: [{ field: "password", reason: expect.stringContaining(reason) }],
  });

  it.each([
    ["14 characters", "a".repeat(14)],
    ["nothing", ""],
    ["1025 characters", "a".repeat(1_025)],
    ["14 characters of four bytes", "🙂".repeat(14)],
  ])("refuses %s", async (_, password) => {
    expect(await refusal(password)).toEqual(refusedBecause("must have 15 to 1024 characters"));
  });

  it.each([
    ["one letter fifteen times", "a".repeat(15), "one piece repeated"],
    ["a common one with a year", "liverpool-2026!", "common password"],
    ["the person's own address", "maren.dahl@harbour.example", "the person's name or address"],
  ])("refuses %s (R-X95)", async (_, password, reason) => {
    expect(await refusal(password)).toEqual(refusedBecause(reason));
  });

  it("takes any characters: no composition rules", async () => {
    expect(await refusal("pass\u00a0wörd 🙂 密碼 \t\n ok")).toBeUndefined();
  });

  it("refuses a malformed person id, and an unknown person (R-S19)", async () => {
    await expect(set("maren", "seven quiet herons")).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    const unknown = { code: "NOT_FOUND", reason: "person_not_found" };
    await expect(set(NOBODY, "seven quiet herons")).rejects.toMatchObject(unknown);
    const credentials = await scene()
      .signOn.db.selectFrom("sign_on_credentials")
      .select("person_id")
      .where("person_id", "=", NOBODY)
      .execute();
    expect(credentials).toEqual([]);
  });

  it("omits the password from its refusal and from the log", async () => {
    const { signOn } = scene();
    await set("canary-person", "canary-password").catch(() => undefined);
    await set(NOBODY, "canary-pass").catch(() => undefined);
    expect(JSON.stringify(signOn.log.lines)).not.toContain("canary-pass");
  });
});
