import { eachStore } from "../../support/stores.ts";
import { openTenant, there, type Workforce } from "../workforce-fixture.ts";

eachStore((_, open) => {
  describe("InviteUser with signed_in_before: a seat that moves here (R-G17, R-X22)", () => {
    let workforce: Workforce;
    let instanceId: string;
    let tenantId: string;

    beforeEach(async () => {
      ({ workforce, instanceId, tenantId } = await openTenant(open));
    });

    it("begins ACTIVE, and a sign-in neither changes nor emits anything", async () => {
      const user = await workforce.user(tenantId, "maren@example.com", { signedInBefore: true });
      expect(user.status).toBe("USER_STATUS_ACTIVE");
      await workforce.events();
      await workforce.signs(user.person.id, instanceId);
      expect(await workforce.events()).toEqual([]);
    });

    it("begins INVITED when the flag is false", async () => {
      expect((await workforce.user(tenantId, "maren@example.com", { signedInBefore: false })).status).toBe(
        "USER_STATUS_INVITED",
      );
    });

    it("manages later users, as any ACTIVE Owner does", async () => {
      const owner = await workforce.user(tenantId, "owner@example.com", { roleName: "Owner", signedInBefore: true });
      expect((await workforce.user(tenantId, "maren@example.com")).managerId).toBe(owner.id);
    });

    it("is part of the request's content (R-G18)", async () => {
      const request = { requestId: "r-1", tenantId, email: "maren@example.com", emailVerified: false };
      const first = there((await workforce.platform.inviteUser({ ...request, signedInBefore: true })).user);
      const again = there((await workforce.platform.inviteUser({ ...request, signedInBefore: true })).user);
      expect(again).toEqual(first);
      await expect(workforce.platform.inviteUser(request)).rejects.toMatchObject({ reason: "request_id_reused" });
    });
  });
});
