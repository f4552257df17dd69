import { DeliveryState, SecretKind, SubscriptionState } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import { SubscriptionsService } from "#generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { socketCarrier } from "#runtime/rpc/socket-client.ts";
import { codeBlocks } from "../../../tools/guides/code-blocks.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { withScope } from "../../support/scope.ts";
import { present } from "../../support/world.ts";
import { openPlace, type Place } from "./support/place.ts";
import { Reader } from "./support/reader.ts";

describe("a receiver that moves to another path and answers 410 at the old one, with the printed receiver", () =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let startReceiver: () => Promise<unknown>;
    let nextId: string;

    const subscriptions = async () => (await place.gatehouse.webhooks.listSubscriptions({ states: [] })).subscriptions;
    const delivered = async () =>
      (await place.gatehouse.webhooks.listDeliveries({ states: [DeliveryState.DELIVERED], limit: 0 })).deliveries;

    beforeAll(async () => {
      place = await openPlace(closeLater);
      const { handOver, gatehouse, world } = place;
      reader = await Reader.begin(handOver);
      closeLater(() => reader.end());
      await reader.findPackages({ "gatehouse-sdk": "generated/sdk/typescript" });
      const blocks = codeBlocks((await call(gatehouse.url, "/docs/guides/receive-events.md")).text);
      await reader.follow(present(blocks.find(({ file }) => file === "receive.ts")));
      const start = present(blocks.find(({ text }) => text === "node receive.ts"));
      startReceiver = () => reader.follow(start);
      const endpointUrl = `${handOver.SUBSCRIPTION_ENDPOINT}/2027`;
      const { subscription, signingSecret } = await gatehouse.webhooks.createSubscription({
        label: "reader-2027",
        instanceIntegrationId: world.instanceIntegrationId,
        endpointUrl,
        eventTypes: ["*"],
        tenantIds: [],
      });
      nextId = present(subscription).id;
      await reader.take("OLD_WEBHOOK_SECRET", handOver.WEBHOOK_SECRET ?? "");
      await reader.take("WEBHOOK_SECRET", signingSecret);
      await reader.take("SUBSCRIPTION_ENDPOINT", endpointUrl);
    });

    it("gets each event at both paths, and acts on it once", async () => {
      await startReceiver();
      await place.change();
      const both = await eventually(delivered, ({ length }) => length === 2);
      expect(new Set(both.map(({ subscriptionId }) => subscriptionId)).size).toBe(2);
      const printed = await reader.printed("received client.created");
      expect(printed.match(/received client\.created/g)).toHaveLength(1);
      expect(printed).not.toContain("refused");
    });

    it("then answers 410 at the old path, which ends the old subscription and not the new one", async () => {
      await reader.take("GONE_PATH", "/events");
      await startReceiver();
      await place.change();
      const isEnded = ({ state }: { state: SubscriptionState }) => state === SubscriptionState.DISABLED;
      const states = await eventually(subscriptions, (all) => all.some(isEnded));
      expect(states.map(({ label, state }) => [label, state])).toEqual([
        ["reader", SubscriptionState.DISABLED],
        ["reader-2027", SubscriptionState.ACTIVE],
      ]);
      const atNew = await eventually(delivered, ({ length }) => length === 3);
      expect(atNew.filter(({ subscriptionId }) => subscriptionId === nextId)).toHaveLength(2);
    });
  }));

describe("a signing secret, replaced as keys-and-secrets says, with the printed receiver", () =>
  withScope((closeLater) => {
    let place: Place;
    let reader: Reader;
    let startReceiver: () => Promise<unknown>;
    let subscriptions: PromiseClient<typeof SubscriptionsService>;
    let subscriptionId: string;

    const delivered = async () =>
      (await place.gatehouse.webhooks.listDeliveries({ states: [DeliveryState.DELIVERED], limit: 0 })).deliveries;

    beforeAll(async () => {
      place = await openPlace(closeLater);
      const { handOver, gatehouse } = place;
      const operator = socketCarrier(`${gatehouse.dataDirectory}/sockets/operator.sock`);
      closeLater(() => operator.close());
      subscriptions = operator.connect(SubscriptionsService);
      subscriptionId = present((await gatehouse.webhooks.listSubscriptions({ states: [] })).subscriptions[0]).id;
      reader = await Reader.begin(handOver);
      closeLater(() => reader.end());
      await reader.findPackages({ "gatehouse-sdk": "generated/sdk/typescript" });
      const blocks = codeBlocks((await call(gatehouse.url, "/docs/guides/receive-events.md")).text);
      await reader.follow(present(blocks.find(({ file }) => file === "receive.ts")));
      const start = present(blocks.find(({ text }) => text === "node receive.ts"));
      startReceiver = () => reader.follow(start);
    });

    it("accepts events with the old secret, then with the new one, and when the old one is revoked (R-X273)", async () => {
      await startReceiver();
      await place.change();
      await eventually(delivered, ({ length }) => length === 1);
      const { secret } = await subscriptions.rotateSecret({ subscriptionId, kind: SecretKind.SYMMETRIC });
      await place.change();
      await eventually(delivered, ({ length }) => length === 2);
      await reader.take("WEBHOOK_SECRET", secret ?? "");
      await startReceiver();
      await place.change();
      await eventually(delivered, ({ length }) => length === 3);
      await subscriptions.revokeSecret({ subscriptionId, number: 1 });
      await place.change();
      const all = await eventually(delivered, ({ length }) => length === 4);
      expect(all.map(({ attempts }) => attempts.map(({ outcome }) => outcome))).toEqual(
        Array(4).fill(["acknowledged"]),
      );
    });
  }));
