import { EVENT_TYPES } from "../../../../generated/event-types.ts";
import { openGatehouse } from "../../../support/gatehouse.ts";
import { withScope } from "../../../support/scope.ts";
import { startWebhookReceiver, type WebhookReceiver } from "../../../support/webhook-receiver.ts";
import { makeWorld } from "../../../support/world.ts";
import { gatehouse, type Ran } from "../../command-line.ts";

describe("gatehouse subscriptions test, beside a running Gatehouse (R-X317)", () => {
  withScope((closeLater) => {
    let receiver: WebhookReceiver;
    let run: (...words: string[]) => Promise<Ran>;

    beforeAll(async () => {
      const product = await openGatehouse(closeLater);
      await makeWorld(product);
      receiver = await startWebhookReceiver();
      closeLater(() => receiver.stop());
      run = (...words) => gatehouse([...words, "--data-directory", product.dataDirectory]);
      const made = await run(
        ...["subscriptions", "create", "--label", "tried", "--instance-integration", "Marigold", "--json"],
        ...["--endpoint-url", receiver.url, "--event-type", "user.*", "--skip-ping"],
      );
      receiver.secret = JSON.parse(made.stdout).signingSecret;
    });

    it("sends a user.updated that is marked as a test, and its delivery can be shown", async () => {
      const { exitCode, stdout } = await run("subscriptions", "test", "tried", "--json");
      const { eventId, deliveryId } = JSON.parse(stdout);
      expect(exitCode).toBe(0);
      expect((await receiver.next()).event).toMatchObject({ id: eventId, type: "user.updated", test: true });
      expect((await run("deliveries", "show", deliveryId)).stdout).toContain(`user.updated (${eventId})`);
    });

    it("sends another type that is asked for", async () => {
      await run("subscriptions", "test", "tried", "--event-type", "user.created");
      expect((await receiver.next()).event).toMatchObject({ type: "user.created", test: true });
    });

    it("lists the types when there is no such type", async () => {
      const { exitCode, stderr } = await run("subscriptions", "test", "tried", "--event-type", "user.upgraded");
      expect(exitCode).toBe(1);
      expect(stderr).toContain(`--event-type must be one of ${EVENT_TYPES.join(", ")}`);
    });

    it("refuses a type that the subscription does not ask for", async () => {
      const { exitCode, stderr } = await run("subscriptions", "test", "tried", "--event-type", "worker.updated");
      expect(exitCode).toBe(1);
      expect(stderr).toContain("The subscription asks for user.*, not for worker.updated");
    });
  });
});
