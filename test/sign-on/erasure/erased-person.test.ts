import { PasswordLinkPurpose } from "../../../generated/proto/gatehouse/sign_on/v1/people.ts";
import { ErasureService } from "../../../generated/proto/gatehouse/workforce/v1/erasure.ts";
import { erasureMigrations } from "../../../src/runtime/erasure/erasures.ts";
import { closingAfterAll } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { makeWorld } from "../../support/world.ts";
import { openSignOn, type SignOn, signOnSets, withPerson } from "../sign-on-fixture.ts";

eachStore((_, open) => {
  describe("a person who is erased (R-X260)", () => {
    let signOn: SignOn;
    let personId: string;
    const closeLater = closingAfterAll();
    const erased = {
      code: "FAILED_PRECONDITION",
      reason: "erased",
      message: expect.stringContaining("is erased for good"),
    };

    beforeAll(async () => {
      signOn = await openSignOn(await open([...signOnSets, erasureMigrations]), closeLater);
      const world = await makeWorld(signOn);
      ({ personId } = await withPerson(signOn, world, "tomas@harbour.example"));
      const id = { $case: "personId", value: personId } as const;
      await signOn.as("platform", ErasureService).erase({ target: { id } });
      await signOn.db.deleteFrom("sign_on_credentials").where("person_id", "=", personId).execute();
    });

    it("gets no password", async () => {
      const set = signOn.signOn.setPassword({ personId, password: "seven quiet herons" });
      await expect(set).rejects.toMatchObject(erased);
      const hashes = signOn.db.selectFrom("sign_on_credentials").select("person_id").where("person_id", "=", personId);
      expect(await hashes.execute()).toEqual([]);
    });

    it.each([PasswordLinkPurpose.INVITATION, PasswordLinkPurpose.RESET])(
      "gets no link for %s, and nobody is advised to enable the person",
      async (purpose) => {
        const key = { $case: "personId", value: personId } as const;
        await expect(signOn.people.createPasswordLink({ key, purpose })).rejects.toMatchObject(erased);
      },
    );
  });
});
