import { eachStore } from "../../support/stores.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  let workforce: Workforce;

  beforeEach(async () => {
    workforce = await openWorkforce(open);
  });

  describe("FindPerson", () => {
    it("compares addresses trimmed and lower-cased, and shows them as given (R-D2)", async () => {
      const tenant = await workforce.tenant(await workforce.instance());
      const { person } = await workforce.user(tenant.id, "  Maren.Dahl@Example.com ");
      expect(person.email).toBe("Maren.Dahl@Example.com");
      expect(await workforce.signIn.findPerson({ email: "\tMAREN.dahl@example.COM " })).toEqual({
        personId: person.id,
        disabled: false,
        enabledAt: null,
      });
      await workforce.raw("update workforce_people set disabled = 1");
      expect(await workforce.signIn.findPerson({ email: "maren.dahl@example.com" })).toMatchObject({ disabled: true });
      expect(await workforce.signIn.findPerson({ email: "somebody@example.com" })).toEqual({
        personId: null,
        disabled: false,
        enabledAt: null,
      });
    });

    it("finds the person however the letters of the address are composed (R-D2)", async () => {
      const tenant = await workforce.tenant(await workforce.instance());
      const { person } = await workforce.user(tenant.id, "zoe\u0308@bu\u0308cher.example");
      expect(person.email).toBe("zoe\u0308@bu\u0308cher.example");
      expect(await workforce.signIn.findPerson({ email: "zo\u00eb@b\u00fccher.example" })).toMatchObject({
        personId: person.id,
      });
      const worker = await workforce.worker(tenant.id, "zo\u00eb@b\u00fccher.example");
      expect(worker.person?.id).toBe(person.id);
    });

    it.each(["", "maren", "maren\0@example.com", "maren@example.com\ud800", "%", "x".repeat(100_000)])(
      "finds no person for an invalid address",
      async (email) => {
        expect(await workforce.signIn.findPerson({ email })).toEqual({
          personId: null,
          disabled: false,
          enabledAt: null,
        });
      },
    );
  });
});
