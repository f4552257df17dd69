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
import { deliveryMoves } from "../../../src/webhooks/deliveries/moves-service.ts";
import { newDeliveryRepository } from "../../../src/webhooks/deliveries/new-delivery-repository.ts";
import { subscriptionDeliveriesRepository } from "../../../src/webhooks/deliveries/subscription-deliveries-repository.ts";
import { integrationScope, type Scope } from "../../../src/webhooks/subscriptions/scope.ts";
import { subscriptionRepository } from "../../../src/webhooks/subscriptions/subscription-repository.ts";
import { type ComposedSubscriptions, composeSubscriptions } from "../../../src/webhooks/subscriptions-composition.ts";
import type { WebhooksTables } from "../../../src/webhooks/tables.ts";
import { eachStore, type TestStore } from "../../support/stores.ts";
import {
  connections,
  INSTANCE_INTEGRATION_ID,
  INTEGRATION_ID,
  MASTER_KEY,
  openKit,
  type WebhooksKit,
} from "../webhooks-kit.ts";
import { update } from "./subscription-requests.ts";

const OWN = integrationScope(INTEGRATION_ID, "production");
const FOREIGN = integrationScope(newId("integration", systemRandom) as IntegrationId, "theirs");
const CALL = { requestId: "req_1", signal: new AbortController().signal } as Call;

function composed({ store, wake }: TestStore, { clock }: WebhooksKit): ComposedSubscriptions {
  const db = store.view<WebhooksTables>();
  return composeSubscriptions({
    db,
    clock,
    wake,
    random: systemRandom,
    sealer: createSealer([MASTER_KEY], systemRandom),
    changes: createChanges<WebhooksTables>({ store, clock, wake, random: systemRandom }),
    workforce: connections.connect(ConnectionsService),
    endpoints: { allowHttp: false, allowedNetworks: [], allowedPorts: [] },
    subscriptions: subscriptionRepository(db),
    deliveries: deliveryRepository(db, deliveryMoves),
    newDeliveries: newDeliveryRepository(deliveryMoves),
    ofSubscription: subscriptionDeliveriesRepository(deliveryMoves),
  });
}

/** Each method with a subscription's id, as an integration calls it. */
const METHODS: Readonly<
  Record<string, (methods: ComposedSubscriptions, scope: Scope, subscriptionId: string) => Promise<unknown>>
> = {
  get: (methods, scope, subscriptionId) => methods.get(scope, { subscriptionId }),
  update: (methods, scope, subscriptionId) => methods.update(scope, update(subscriptionId, { description: "x" }), CALL),
  pause: (methods, scope, subscriptionId) => methods.pause(scope, { subscriptionId }, CALL),
  resume: (methods, scope, subscriptionId) => methods.resume(scope, { subscriptionId }, CALL),
  enable: (methods, scope, subscriptionId) => methods.enable(scope, { subscriptionId }, CALL),
  ping: (methods, scope, subscriptionId) => methods.ping(scope, { subscriptionId, waitMs: 0 }, CALL),
  rotateSecret: (methods, scope, subscriptionId) =>
    methods.rotateSecret(scope, { subscriptionId, kind: SecretKind.SYMMETRIC }, CALL),
  revokeSecret: (methods, scope, subscriptionId) => methods.revokeSecret(scope, { subscriptionId, number: 9 }, CALL),
  remove: (methods, scope, subscriptionId) => methods.remove(scope, { subscriptionId }, CALL),
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
    let methods: ComposedSubscriptions;
    let id: string;
    beforeEach(async () => {
      kit = await openKit(open);
      methods = composed(kit.opened, kit);
      ({ id } = await kit.subscribe({ label: "first" }));
    });

    it.each(Object.keys(METHODS))(
      "%s of a foreign subscription fails as it does for one that does not exist",
      async (name) => {
        const method = METHODS[name] as (typeof METHODS)[string];
        const unknown = newId("subscription", systemRandom);
        const failures = [
          await method(methods, FOREIGN, id).catch((error: Failure) => error),
          await method(methods, OWN, unknown).catch((error: Failure) => error),
        ];
        expect(
          (failures as Failure[]).map(({ code, reason, message }) => [
            code,
            reason,
            message.replace(/subscription_\w{21}/, "…"),
          ]),
        ).toEqual(Array(2).fill(["NOT_FOUND", "subscription_not_found", "There is no subscription …."]));
        expect(await methods.get(OWN, { subscriptionId: id })).toMatchObject({
          subscription: { description: "", state: "SUBSCRIPTION_STATE_ACTIVE", secrets: [{ number: 1 }] },
        });
      },
    );

    it("lists its own alone, a page at a time", async () => {
      kit.clock.step(1);
      const second = await kit.subscribe({ label: "second" });
      expect((await methods.list(FOREIGN, { states: [] })).subscriptions).toEqual([]);
      const page = await methods.list(OWN, { states: [], limit: 1 });
      expect(page.subscriptions.map((one) => one.id)).toEqual([id]);
      const next = await methods.list(OWN, { states: [], limit: 1, cursor: page.nextCursor });
      expect([next.subscriptions.map((one) => one.id), next.nextCursor]).toEqual([[second.id], null]);
      for (const request of [{ limit: 0 }, { limit: 501 }, { cursor: "x" }])
        await expect(methods.list(OWN, { states: [], ...request })).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
      const ofOwn = { states: [], integrationId: INTEGRATION_ID };
      expect((await methods.list(FOREIGN, ofOwn)).subscriptions).toEqual([]);
    });

    it("makes subscriptions of its own instance integrations, which await a ping, and is in the audit log by id and key", async () => {
      await expect(methods.create(FOREIGN, REQUEST, CALL)).rejects.toMatchObject({
        code: "NOT_FOUND",
        reason: "instance_integration_not_found",
      });
      const { subscription } = await methods.create(OWN, REQUEST, CALL);
      expect(subscription?.state).toBe("SUBSCRIPTION_STATE_PENDING");
      const moved = await methods.update(
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
      await expect(methods.create(OWN, REQUEST, CALL)).rejects.toMatchObject({ reason: "too_many_subscriptions" });
      await kit.subscribe({ label: "by-operator" });
    });

    it("has at most 100 of its own when many are made at once (R-X279)", async () => {
      await kit.multiply(97);
      const made = await Promise.allSettled(
        Array.from({ length: 12 }, (_, index) =>
          methods.create(OWN, { ...REQUEST, label: `own-${index}`, endpointUrl: "" }, CALL),
        ),
      );
      const refused = made.flatMap((one) => (one.status === "rejected" ? [(one.reason as Failure).reason] : []));
      expect(refused).toEqual(Array(9).fill("too_many_subscriptions"));
      expect((await methods.list(OWN, { states: [], limit: 500 })).subscriptions).toHaveLength(100);
    });
  });
});
