import { webhooksMigrations } from "../../src/webhooks/services.ts";
import { openProxied } from "../support/postgres-proxy.ts";
import { onPostgres } from "../support/stores.ts";
import { present } from "../support/world.ts";
import { ACKNOWLEDGED, type WebhooksKit, webhooksKit } from "./webhooks-kit.ts";

/** A subscription with a delivered and a pending delivery, and the call that changes it. */
interface Asked {
  readonly subscriptionId: string;
  readonly ifMatch: { readonly entityTags: string[] };
  readonly deliveryId: string;
  readonly from: Date;
  readonly call: { readonly requestId: string };
}

type Act = (webhooks: WebhooksKit, asked: Asked) => Promise<object>;

/** The server commits, and its answer never arrives, since the connection is cut. */
onPostgres((open, closeLater) => {
  it.each<[string, Act, readonly string[]]>([
    [
      "subscription.delete",
      ({ subscriptions }, { call, ...asked }) => subscriptions.deleteSubscription(asked, call),
      ["delivered", "cancelled"],
    ],
    [
      "subscription.pause",
      ({ subscriptions }, { call, ...asked }) => subscriptions.pauseSubscription(asked, call),
      ["delivered", "pending"],
    ],
    [
      "recovery.start",
      ({ operator }, { subscriptionId, from, call }) =>
        operator.startRecovery({ subscriptionId, from, states: [], eventTypes: [], tenantIds: [] }, call),
      ["delivered", "pending"],
    ],
    [
      "delivery.resend",
      ({ operator }, { deliveryId, call }) => operator.resendDelivery({ deliveryId }, call),
      ["pending", "pending"],
    ],
    [
      "subscription.triggerTestEvent",
      ({ testEvents }, { subscriptionId, call }) =>
        testEvents.triggerTestEvent({ subscriptionId, eventType: "user.updated" }, call),
      ["delivered", "pending", "pending"],
    ],
  ])("is done once, and answered as done: %s (R-X333)", async (action, act, states) => {
    const opened = await open([webhooksMigrations]);
    const direct = webhooksKit(opened);
    const { id: subscriptionId } = await direct.subscribe();
    await direct.record(await direct.claimOne(), ACKNOWLEDGED);
    await direct.emit();
    await direct.relay();
    const [delivery] = await direct.deliveries();
    const { subscription } = await direct.subscriptions.getSubscription({ subscriptionId });
    const { proxy, store } = await openProxied(opened, closeLater);

    const commits = proxy.cutAtAnswer("COMMIT", 1);
    const answer = await act(webhooksKit({ ...opened, store }), {
      subscriptionId,
      ifMatch: { entityTags: [present(subscription).entityTag] },
      deliveryId: present(delivery).id,
      from: new Date(direct.clock.now().getTime() - 3_600_000),
      call: { requestId: "call-1" },
    });
    expect(commits()).toBeGreaterThan(0);
    proxy.pass();
    expect(answer).toEqual(expect.any(Object));
    expect((await direct.audit()).map((entry) => entry.action)).toEqual(["subscription.create", action]);
    expect((await direct.deliveries()).map(({ state }) => state)).toEqual(states);
  });

  it("a deletion whose second commit has no answer is answered as done (R-X333)", async () => {
    const opened = await open([webhooksMigrations]);
    const direct = webhooksKit(opened);
    const { id: subscriptionId } = await direct.subscribe();
    await direct.emit();
    await direct.relay();
    const { proxy, store } = await openProxied(opened, closeLater);
    const commits = proxy.cutAtAnswer("COMMIT", 2);
    const { subscription } = await webhooksKit({ ...opened, store }).subscriptions.deleteSubscription({
      subscriptionId,
    });
    expect(commits()).toBeGreaterThan(1);
    expect([subscription?.id, (await direct.deliveries()).map(({ state }) => state)]).toEqual([
      subscriptionId,
      ["cancelled"],
    ]);
  });
});
