import { sql } from "kysely";
import { eachStore } from "../../support/stores.ts";
import { auditOf } from "../recoveries/recovery-kit.ts";
import { ACKNOWLEDGED, openKit, type WebhooksKit } from "../webhooks-kit.ts";

const UNKNOWN = "delivery_AAAAAAAAAAAAAAAAAAAAA";

eachStore((_, open) => {
  describe("RevealBody (R-X404)", () => {
    let kit: WebhooksKit;
    beforeEach(async () => {
      kit = await openKit(open);
      await kit.subscribe();
    });

    const reveal = (deliveryId: string) => kit.operator.revealBody({ deliveryId });

    it("gives the bytes that are sent, while the delivery is pending and after its end", async () => {
      const claimed = await kit.claimOne();
      const pending = await reveal(claimed.deliveryId);
      await kit.record(claimed, ACKNOWLEDGED);
      const settled = await reveal(claimed.deliveryId);
      expect(pending).toEqual({ deliveryId: claimed.deliveryId, eventType: "user.updated", body: claimed.body });
      expect(settled).toEqual(pending);
    });

    it("leaves an audit entry, without anything of the body", async () => {
      const { deliveryId } = await kit.claimOne();
      await reveal(deliveryId);
      const entries = await auditOf(kit.opened, "delivery.revealBody");
      expect(entries).toEqual([
        { actor: "operator", action: "delivery.revealBody", object: deliveryId, facts: { eventType: "user.updated" } },
      ]);
    });

    it("says that a body is no longer kept, and that there is no such delivery, and then leaves no entry", async () => {
      const { deliveryId } = await kit.claimOne();
      await sql`delete from webhooks_delivery_bodies`.execute(kit.opened.store.view());
      await expect(reveal(deliveryId)).rejects.toMatchObject({ code: "FAILED_PRECONDITION", reason: "body_removed" });
      await expect(reveal(UNKNOWN)).rejects.toMatchObject({ code: "NOT_FOUND", reason: "delivery_not_found" });
      await expect(reveal("delivery")).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [expect.objectContaining({ field: "delivery_id" })],
      });
      expect(await auditOf(kit.opened, "delivery.revealBody")).toEqual([]);
    });
  });
});
