import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import type { FaultProxy } from "../../support/fault-proxy.ts";
import { openProxied } from "../../support/postgres-proxy.ts";
import { onPostgres } from "../../support/stores.ts";
import { type WebhooksKit, webhooksKit } from "../webhooks-kit.ts";

/** The server commits, and its answer never arrives, since the connection is cut. */
onPostgres((open, closeLater) => {
  let direct: WebhooksKit;
  let proxy: FaultProxy;
  let webhooks: WebhooksKit;

  beforeEach(async () => {
    const opened = await open([webhooksMigrations]);
    direct = webhooksKit(opened);
    const between = await openProxied(opened, closeLater);
    proxy = between.proxy;
    const { store } = between;
    webhooks = webhooksKit({ ...opened, store });
  });

  async function losing<T>(act: () => Promise<T>): Promise<T> {
    const commits = proxy.cutAtAnswer("COMMIT", 1);
    const answer = await act();
    expect(commits()).toBeGreaterThan(0);
    proxy.pass();
    return answer;
  }
  const audited = async () => (await direct.audit()).map(({ action }) => action);
  const numbersOf = async (subscriptionId: string) => {
    const { subscription } = await direct.subscriptions.getSubscription({ subscriptionId });
    return subscription?.secrets.map(({ number }) => number);
  };

  it("a subscription is made once, and its secret is shown (R-X333)", async () => {
    const { id, secret } = await losing(() => webhooks.subscribe());
    const { subscriptions } = await direct.operator.listSubscriptions({ states: [] });
    expect(subscriptions.map((one) => one.id)).toEqual([id]);
    expect(secret).toMatch(/^whsec_/);
    expect(await audited()).toEqual(["subscription.create"]);
  });

  it.each([
    ["made here", undefined],
    ["of the receiver", `whsec_${Buffer.alloc(32, 5).toString("base64")}`],
  ])("a secret %s is replaced once, also with a tag that this changes (R-X333)", async (_, own) => {
    const { id } = await direct.subscribe();
    const { subscription } = await direct.subscriptions.getSubscription({ subscriptionId: id });
    const answer = await losing(() =>
      webhooks.subscriptions.rotateSecret({
        subscriptionId: id,
        kind: SecretKind.SYMMETRIC,
        secret: own,
        ifMatch: { entityTags: [subscription?.entityTag ?? ""] },
      }),
    );
    expect(answer.number).toBe(2);
    expect(await numbersOf(id)).toEqual([2, 1]);
    expect(await audited()).toEqual(["subscription.create", "subscription.rotateSecret"]);
  });
});
