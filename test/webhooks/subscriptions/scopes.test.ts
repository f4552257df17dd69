import { SecretKind } from "../../../generated/proto/gatehouse/webhooks/v1/operator.ts";
import { ConnectionsService } from "../../../generated/proto/gatehouse/workforce/v1/connections.ts";
import type { Failure } from "../../../src/runtime/basis/errors.ts";
import type { IntegrationId } from "../../../src/runtime/basis/ids.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../src/runtime/changes/change.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import { deliveryRepository } from "../../../src/webhooks/deliveries/delivery-repository.ts";
import { formerRepository } from "../../../src/webhooks/deliveries/former-repository.ts";
import { settledRepository } from "../../../src/webhooks/deliveries/settled-repository.ts";
import { subscriptionDeliveriesRepository } from "../../../src/webhooks/deliveries/subscription-deliveries-repository.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { type SubscriptionLives, subscriptionLives } from "../../../src/webhooks/subscription-lives-composition.ts";
import { integrationScope, type Scope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import {
  connections,
  INSTANCE_INTEGRATION_ID,
  INTEGRATION_ID,
  MASTER_KEY,
  type WebhooksKit,
  webhooksKit,
} from "../webhooks-kit.ts";
import { update } from "./subscription-requests.ts";

const OWN = integrationScope(INTEGRATION_ID, "production");
const FOREIGN = integrationScope(newId("integration", systemRandom) as IntegrationId, "theirs");
const CALL = { requestId: "req_1", signal: new AbortController().signal } as Call;

function livesOf({ store, wake }: TestStore, { clock }: WebhooksKit): SubscriptionLives {
  const db = store.view<WebhooksTables>();
  const moves = { ...settledRepository, ...formerRepository };
  return subscriptionLives({
    ...{ db, clock, wake, random: systemRandom, sealer: createSealer([MASTER_KEY], systemRandom) },
    changes: createChanges<WebhooksTables>({ store, clock, wake, random: systemRandom }),
    workforce: connections.connect(ConnectionsService),
    endpoints: { allowHttp: false, allowedNetworks: [], allowedPorts: [] },
    subscriptions: subscriptionRepository(db),
    deliveries: deliveryRepository(db, moves),
    ofSubscription: subscriptionDeliveriesRepository(moves),
  });
}

/** Each method with a subscription's id, as an integration calls it. */
const METHODS: Readonly<
  Record<string, (lives: SubscriptionLives, scope: Scope, subscriptionId: string) => Promise<unknown>>
> = {
  get: (lives, scope, subscriptionId) => lives.get(scope, { subscriptionId }),
  update: (lives, scope, subscriptionId) => lives.update(scope, update(subscriptionId, { description: "x" }), CALL),
  pause: (lives, scope, subscriptionId) => lives.pause(scope, { subscriptionId }, CALL),
  resume: (lives, scope, subscriptionId) => lives.resume(scope, { subscriptionId }, CALL),
  enable: (lives, scope, subscriptionId) => lives.enable(scope, { subscriptionId }, CALL),
  ping: (lives, scope, subscriptionId) => lives.ping(scope, { subscriptionId, waitMs: 0 }, CALL),
  rotateSecret: (lives, scope, subscriptionId) =>
    lives.rotateSecret(scope, { subscriptionId, kind: SecretKind.SYMMETRIC }, CALL),
  revokeSecret: (lives, scope, subscriptionId) => lives.revokeSecret(scope, { subscriptionId, number: 9 }, CALL),
  remove: (lives, scope, subscriptionId) => lives.remove(scope, { subscriptionId }, CALL),
};

const REQUEST = {
  label: "own",
  instanceIntegrationId: INSTANCE_INTEGRATION_ID,
  endpointUrl: "https://hooks.example/in",
  eventTypes: ["*"],
  tenantIds: [],
};

eachStore((_, open) => {
  describe("the scope of an integration (R-X279)", () => {
    let kit: WebhooksKit;
    let lives: SubscriptionLives;
    let id: string;
    beforeEach(async () => {
      const opened = await open([webhooksMigrations]);
      kit = webhooksKit(opened);
      lives = livesOf(opened, kit);
      ({ id } = await kit.subscribe({ label: "first" }));
    });

    it.each(Object.keys(METHODS))(
      "%s of a foreign subscription fails as it does for one that there is not",
      async (name) => {
        const method = METHODS[name] as (typeof METHODS)[string];
        const unknown = newId("subscription", systemRandom);
        const failures = [
          await method(lives, FOREIGN, id).catch((error: Failure) => error),
          await method(lives, OWN, unknown).catch((error: Failure) => error),
        ];
        expect(
          (failures as Failure[]).map(({ code, reason, message }) => [
            code,
            reason,
            message.replace(/subscription_\w{21}/, "…"),
          ]),
        ).toEqual(Array(2).fill(["NOT_FOUND", "subscription_not_found", "There is no subscription …."]));
        expect(await lives.get(OWN, { subscriptionId: id })).toMatchObject({
          subscription: { description: "", state: "SUBSCRIPTION_STATE_ACTIVE", secrets: [{ number: 1 }] },
        });
      },
    );

    it("lists its own alone, a page at a time", async () => {
      kit.clock.step(1);
      const second = await kit.subscribe({ label: "second" });
      expect((await lives.list(FOREIGN, {})).subscriptions).toEqual([]);
      const page = await lives.list(OWN, { limit: 1 });
      expect(page.subscriptions.map((one) => one.id)).toEqual([id]);
      const next = await lives.list(OWN, { limit: 1, cursor: page.nextCursor });
      expect([next.subscriptions.map((one) => one.id), next.nextCursor]).toEqual([[second.id], null]);
      for (const request of [{ limit: 0 }, { limit: 501 }, { cursor: "x" }])
        await expect(lives.list(OWN, request)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it("makes subscriptions of its own instance integrations, which await a ping, and is in the audit log by id and key", async () => {
      await expect(lives.create(FOREIGN, REQUEST, CALL)).rejects.toMatchObject({
        code: "NOT_FOUND",
        reason: "instance_integration_not_found",
      });
      const { subscription } = await lives.create(OWN, REQUEST, CALL);
      expect(subscription?.state).toBe("SUBSCRIPTION_STATE_PENDING");
      const moved = await lives.update(
        OWN,
        update(id, { endpointUrl: "https://other.example/", skipPing: true }),
        CALL,
      );
      expect(moved.subscription?.state).toBe("SUBSCRIPTION_STATE_PENDING");
      const entries = await kit.audit();
      expect(entries.filter(({ actor }) => actor === `integration:${INTEGRATION_ID}:production`)).toMatchObject([
        { action: "subscription.create", object: subscription?.id },
        { action: "subscription.update", object: id },
      ]);
    });

    it("has at most 100 of its own, however many operators make", async () => {
      await kit.multiply(100);
      await expect(lives.create(OWN, REQUEST, CALL)).rejects.toMatchObject({ reason: "too_many_subscriptions" });
      await kit.subscribe({ label: "by-operator" });
    });
  });
});
