import { SecretKind, SubscriptionState } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { eventually } from "../../support/eventually.ts";
import type { Closer } from "../../support/scope.ts";
import { eachStore } from "../../support/stores.ts";
import { type ReceiverAnswer, startWebhookReceiver, type WebhookReceiver } from "../../support/webhook-receiver.ts";
import { options, update } from "../subscriptions/subscription-requests.ts";
import { openKit, runningClock, type WebhooksKit } from "../webhooks-kit.ts";

const WAIT_MS = 10_000;
const CALL = { deadlineMs: 20_000 };

eachStore((_, open) => {
  describe("a ping, through the worker to an endpoint that verifies it (R-X270, R-X271)", () => {
    let kit: WebhooksKit;
    let receiver: WebhookReceiver;
    let id: string;
    let closers: Closer[];
    beforeEach(async () => {
      closers = [];
      kit = await openKit(open, { clock: runningClock });
      receiver = await startWebhookReceiver();
      closers.push(() => receiver.stop());
    });
    afterEach(async () => {
      for (const close of closers.toReversed()) await close();
    });

    /** Subscribes; the ping that is sent then gets the answer. Returns the state afterwards. */
    async function subscribed(answer: ReceiverAnswer): Promise<SubscriptionState | undefined> {
      receiver.answerNext(answer);
      const { id: made, secret } = await kit.subscribe({ endpointUrl: receiver.url, ...options({ pingFirst: true }) });
      id = made;
      receiver.secret = secret;
      const running = kit.run();
      closers.push(running.stop);
      await eventually(kit.deliveries, ([first]) => first !== undefined && first.state !== "pending");
      const { event } = await receiver.next();
      expect(event).toMatchObject({ type: "webhook.ping", data: { subscriptionId: id } });
      return (await kit.subscriptions.getSubscription({ subscriptionId: id })).subscription?.state;
    }
    const ping = () => kit.subscriptions.pingSubscription({ subscriptionId: id, waitMs: WAIT_MS }, CALL);

    it("makes a new subscription active, which then gets events", async () => {
      expect(await subscribed({ status: 204 })).toBe(SubscriptionState.ACTIVE);
      await kit.emit();
      expect((await receiver.next()).event.type).toBe("user.updated");
    });

    it.each<[string, ReceiverAnswer, object]>([
      [
        "a refusal",
        { status: 401, body: "no such secret" },
        { outcome: "refused", httpStatus: 401, answer: "no such secret" },
      ],
      ["a redirect", { status: 302, headers: { location: "/elsewhere" } }, { outcome: "redirect", httpStatus: 302 }],
      ["410", { status: 410 }, { outcome: "gone", httpStatus: 410 }],
      ["a cut connection", "reset", { outcome: "connection" }],
    ])(
      "shows what came back instead: %s; it stays pending until another one is acknowledged",
      async (__, answer, attempt) => {
        expect(await subscribed(answer)).toBe(SubscriptionState.PENDING);
        receiver.answerNext(answer);
        const refused = await ping();
        expect(refused.subscription?.state).toBe(SubscriptionState.PENDING);
        expect(refused.ping?.attempts).toMatchObject([attempt]);
        const acknowledged = await ping();
        expect(acknowledged.subscription?.state).toBe(SubscriptionState.ACTIVE);
        expect(acknowledged.ping?.attempts).toMatchObject([{ outcome: "acknowledged", httpStatus: 204 }]);
      },
    );

    it("to a changed endpoint is signed with both secrets in an overlap, and with the key pair", async () => {
      await subscribed({ status: 204 });
      const old = receiver.secret;
      const { secret } = await kit.subscriptions.rotateSecret({ subscriptionId: id, kind: SecretKind.SYMMETRIC });
      await kit.subscriptions.rotateSecret({ subscriptionId: id, kind: SecretKind.ASYMMETRIC });
      for (const [path, verifiedWith] of [
        ["/first", old],
        ["/second", secret ?? ""],
      ] as const) {
        receiver.secret = verifiedWith;
        await kit.subscriptions.updateSubscription(update(id, { endpointUrl: new URL(path, receiver.url).href }));
        const { headers, path: posted } = await receiver.next();
        const versions = String(headers["webhook-signature"])
          .split(" ")
          .map((signature) => signature.split(",")[0]);
        expect([posted, versions]).toEqual([path, ["v1", "v1", "v1a"]]);
      }
    });
  });
});
