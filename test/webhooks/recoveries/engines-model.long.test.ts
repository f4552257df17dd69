import { join } from "node:path";
import fc from "fast-check";
import { SubscriptionsService } from "../../../generated/proto/gatehouse/webhooks/v1/subscriptions.ts";
import { carrierTo } from "../../../src/roles/carriers.ts";
import type { PromiseClient } from "../../../src/runtime/rpc/call.ts";
import { eventually } from "../../support/eventually.ts";
import { openProcesses, type ProcessGatehouse } from "../../support/processes.ts";
import { type Closer, withScope } from "../../support/scope.ts";
import { makeWorld, present, type World } from "../../support/world.ts";
import { eachEngine, type FlagsOf } from "../each-engine.ts";
import { type LocationSubscriber, subscribeToLocations } from "./location-subscriber.ts";
import { inShort } from "./recovery-kit.ts";
import { RecoveryModel } from "./recovery-model.ts";

/** Three attempts, after waits that a timer of Temporal can wait for. */
const QUICK = {
  "webhook-attempt-delays": "1s,1s",
  "webhook-jitter": "0",
  "webhook-timeout-ms": "5000",
  "webhook-lease-ms": "10000",
  "log-level": "error",
};
const PATIENCE_MS = 60_000;
const EVENTS_MAX = 8;
/** Of a run: each has a subscription of its own, and they run side by side. */
const PLANS = 12;

/** What happens to a subscription, and which of its events (by bits) its endpoint acknowledges from then on. */
type Step =
  | { readonly do: "emit"; readonly count: number; readonly acknowledged: number }
  | { readonly do: "resend"; readonly which: number; readonly acknowledged: number }
  | { readonly do: "recover"; readonly acknowledged: number }
  | { readonly do: "pause" | "resume"; readonly acknowledged: number };

const acknowledged = fc.nat(2 ** EVENTS_MAX - 1);
const emit: fc.Arbitrary<Step> = fc.record({
  ...{ do: fc.constant("emit" as const), count: fc.integer({ min: 1, max: 3 }), acknowledged },
});
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 3, arbitrary: emit },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant("resend" as const), which: fc.nat(EVENTS_MAX - 1), acknowledged }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant("recover" as const), acknowledged }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constantFrom("pause" as const, "resume" as const), acknowledged }) },
);
/** Events come first: there is nothing to do without one. */
const plan = fc
  .tuple(emit, fc.array(step, { minLength: 7, maxLength: 7 }))
  .map(([first, rest]): readonly Step[] => [first, ...rest]);
const plans = fc.array(plan, { minLength: PLANS, maxLength: PLANS });

interface Kit {
  readonly gatehouse: ProcessGatehouse;
  readonly subscriptions: PromiseClient<typeof SubscriptionsService>;
  readonly world: World;
}

/** A subscription of the product beside the model of it. Each step ends when nothing is under way. */
class Pair {
  readonly model = new RecoveryModel();
  readonly #kit: Kit;
  readonly #since = new Date(Date.now() - 60_000);
  #acknowledged = 0;
  #subscriber: LocationSubscriber | undefined;
  #recoveryId = "";

  constructor(kit: Kit) {
    this.#kit = kit;
  }

  async open(closeLater: (closer: Closer) => void, label: string): Promise<void> {
    this.#subscriber = await subscribeToLocations(closeLater, {
      ...this.#kit,
      label,
      answer: ({ event }) => ({ status: isSet(this.#acknowledged, numberOf(event.data.name)) ? 204 : 500 }),
    });
  }

  async run(step: Step): Promise<void> {
    const { model } = this;
    this.#acknowledged = step.acknowledged;
    await this.#do(step);
    for (let turn = 0; turn < 5; turn++) {
      model.drive();
      model.attempt((index) => isSet(step.acknowledged, index));
    }
    model.drive();
    const expected = {
      deliveries: model.deliveries.map(({ state, posts }) => `${state}: ${posts} attempts, ${posts} POSTs`),
      recovery: model.recovery?.state,
    };
    const isExpected = (seen: unknown) => JSON.stringify(seen) === JSON.stringify(expected);
    expect(await eventually(() => this.#seen(), isExpected, PATIENCE_MS)).toEqual(expected);
  }

  async #seen() {
    const { webhooks } = this.#kit.gatehouse;
    const { receiver, subscriptionId } = present(this.#subscriber);
    const { deliveries } = await webhooks.listDeliveries({ subscriptionId, states: [], limit: 500 });
    const recoveryId = this.#recoveryId;
    return {
      deliveries: deliveries
        .toReversed()
        .map(
          ({ state, attempts, eventId }) =>
            `${state.replace("DELIVERY_STATE_", "").toLowerCase()}: ${attempts.length} attempts, ${receiver.countOf(eventId)} POSTs`,
        ),
      recovery:
        recoveryId === "" ? undefined : inShort(present((await webhooks.getRecovery({ recoveryId })).recovery)).state,
    };
  }

  async #do(step: Step): Promise<void> {
    const { model } = this;
    const { subscriptions, gatehouse } = this.#kit;
    const { webhooks } = gatehouse;
    const { subscriptionId, createLocation } = present(this.#subscriber);
    if (step.do === "emit") {
      for (let made = 0; made < step.count && model.deliveries.length < EVENTS_MAX; made++) {
        await createLocation(`Quay ${model.deliveries.length}`);
        model.emit();
      }
    } else if (step.do === "resend") {
      const one = model.deliveries[step.which];
      if (one === undefined) return;
      const { deliveries } = await webhooks.listDeliveries({ subscriptionId, states: [], limit: 500 });
      const deliveryId = present(deliveries.toReversed()[step.which]).id;
      const isDone = await succeeds(webhooks.resendDelivery({ deliveryId }));
      expect(isDone).toBe(model.canResend(one));
      if (isDone) model.resend(one);
    } else if (step.do === "recover") {
      const { recovery } = await webhooks
        .startRecovery({ subscriptionId, from: this.#since, states: [], eventTypes: [], tenantIds: [] })
        .catch(() => ({ recovery: null }));
      expect(recovery !== null).toBe(model.canStart());
      if (recovery === null) return;
      this.#recoveryId = recovery.id;
      model.start();
    } else {
      await (step.do === "pause"
        ? subscriptions.pauseSubscription({ subscriptionId })
        : subscriptions.resumeSubscription({ subscriptionId }));
      model.isActive = step.do === "resume";
    }
  }
}

const isSet = (bits: number, index: number): boolean => (bits & (1 << index)) !== 0;
const numberOf = (name: string): number => Number(name.split(" ")[1]);
const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

function contract(flagsOf: FlagsOf): void {
  withScope((closeLater) => {
    let kit: Kit;
    beforeAll(async () => {
      const gatehouse = await openProcesses(closeLater, { flags: { ...QUICK, ...(await flagsOf(closeLater)) } });
      const carrier = carrierTo(join(gatehouse.dataDirectory, "sockets"), "operator");
      closeLater(() => carrier.close());
      const subscriptions = carrier.connect(SubscriptionsService);
      kit = { gatehouse, subscriptions, world: await makeWorld(gatehouse) };
    }, 90_000);

    it("do what the model of the store's recoveries does, from one end to the other (R-E6, R-E8, R-E10)", async () => {
      let label = 0;
      const property = fc.asyncProperty(plans, async (all) => {
        await Promise.all(
          all.map(async (plan) => {
            const pair = new Pair(kit);
            await pair.open(closeLater, `plan-${++label}`);
            for (const step of plan) await pair.run(step);
          }),
        );
      });
      // One run, which says its seed: it takes half a minute.
      await fc.assert(property, { numRuns: 1, unbiased: true, endOnFailure: true });
    }, 300_000);
  });
}

eachEngine("attempts, resends and recoveries", contract);
