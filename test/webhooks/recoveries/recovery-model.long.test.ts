import fc from "fast-check";
import { RecoveryState } from "../../../generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { lowerWordOf } from "../../../src/runtime/basis/enum-words.ts";
import { eachStore } from "../../support/stores.ts";
import { present } from "../../support/world.ts";
import { ACKNOWLEDGED, openKit, userUpdated, type WebhooksKit } from "../webhooks-kit.ts";
import { driveUntilFull, HOUR_MS, ofLastDay } from "./recovery-kit.ts";
import { RecoveryModel } from "./recovery-model.ts";

const RUNS = 25;
/** Half of the places: more than a run has deliveries. */
const FLAGS = { "webhook-recovery-share": "0.5" };

type Operation =
  | { readonly do: "emit" | "start" | "drive" | "pause" | "activate" | "pauseIt" | "resumeIt" | "cancelIt" }
  | { readonly do: "resend"; readonly which: number }
  | { readonly do: "attempt"; readonly acknowledged: number };

const operation: fc.Arbitrary<Operation> = fc.oneof(
  { weight: 4, arbitrary: fc.constant({ do: "emit" } as const) },
  { weight: 6, arbitrary: fc.record({ do: fc.constant("attempt" as const), acknowledged: fc.nat(255) }) },
  { weight: 2, arbitrary: fc.record({ do: fc.constant("resend" as const), which: fc.nat(7) }) },
  { weight: 6, arbitrary: fc.constantFrom({ do: "drive" } as const, { do: "start" } as const) },
  { weight: 2, arbitrary: fc.constantFrom({ do: "pause" } as const, { do: "activate" } as const) },
  {
    weight: 2,
    arbitrary: fc.constantFrom({ do: "pauseIt" } as const, { do: "resumeIt" } as const, { do: "cancelIt" } as const),
  },
);

/** A subscription of the store beside the model of it. */
class Pair {
  readonly model = new RecoveryModel();
  #recoveryId = "";
  readonly kit: WebhooksKit;
  readonly subscriptionId: string;

  constructor(kit: WebhooksKit, subscriptionId: string) {
    this.kit = kit;
    this.subscriptionId = subscriptionId;
  }

  async run(step: Operation): Promise<void> {
    const { kit, model } = this;
    kit.clock.step(1_000);
    switch (step.do) {
      case "emit":
        if (model.deliveries.length === 8) return;
        await kit.emit(userUpdated());
        await kit.relay();
        return model.emit();
      case "attempt":
        return this.#attempt((index) => (step.acknowledged & (1 << index)) !== 0);
      case "resend":
        return this.#resend(step.which);
      case "start":
        return this.#start();
      case "drive":
        await driveUntilFull(kit);
        return model.drive();
      case "pause":
      case "activate":
        model.isActive = step.do === "activate";
        return this.#setState(model.isActive ? "active" : "paused");
      default:
        return this.#change(step.do);
    }
  }

  /** Both, in the same words. */
  async seen() {
    const deliveries = (await this.#deliveries()).map(({ state, attempts }) => `${state} ${attempts.length}`);
    const { recovery } =
      this.#recoveryId === "" ? {} : await this.kit.operator.getRecovery({ recoveryId: this.#recoveryId });
    return { deliveries, recovery: recovery ? lowerWordOf(RecoveryState, recovery.state) : undefined };
  }

  expected() {
    const deliveries = this.model.deliveries.map(({ state, posts }) => `${state} ${posts}`);
    return { deliveries, recovery: this.model.recovery?.state };
  }

  async #deliveries() {
    return (await this.kit.deliveries()).filter(({ subscriptionId }) => subscriptionId === this.subscriptionId);
  }

  async #attempt(isAcknowledged: (index: number) => boolean): Promise<void> {
    const { kit } = this;
    kit.clock.step(2 * HOUR_MS);
    const ids = (await this.#deliveries()).map(({ id }) => id);
    for (const one of await kit.claim())
      await kit.record(one, isAcknowledged(ids.indexOf(one.deliveryId)) ? ACKNOWLEDGED : {});
    this.model.attempt(isAcknowledged);
  }

  async #resend(which: number): Promise<void> {
    const one = this.model.deliveries[which];
    const delivery = (await this.#deliveries())[which];
    if (one === undefined || delivery === undefined) return;
    const isDone = await succeeds(this.kit.operator.resendDelivery({ deliveryId: delivery.id }));
    expect(isDone).toBe(this.model.canResend(one));
    if (isDone) this.model.resend(one);
  }

  async #start(): Promise<void> {
    const { operator, clock } = this.kit;
    const from = new Date(clock.now().getTime() - 20 * 24 * HOUR_MS);
    const request = ofLastDay(this.kit, this.subscriptionId, { from });
    const started = await operator.startRecovery(request).catch(() => undefined);
    expect(started !== undefined).toBe(this.model.canStart());
    if (started === undefined) return;
    this.#recoveryId = present(started.recovery).id;
    this.model.start();
  }

  async #change(wanted: "pauseIt" | "resumeIt" | "cancelIt"): Promise<void> {
    const { operator } = this.kit;
    const call = {
      pauseIt: operator.pauseRecovery,
      resumeIt: operator.resumeRecovery,
      cancelIt: operator.cancelRecovery,
    };
    if (this.#recoveryId === "") return;
    const isDone = await succeeds(call[wanted]({ recoveryId: this.#recoveryId }));
    const state = ({ pauseIt: "paused", resumeIt: "running", cancelIt: "cancelled" } as const)[wanted];
    if (isDone) this.model.change(state);
  }

  async #setState(state: string): Promise<void> {
    await this.kit.tables
      .updateTable("webhooks_subscriptions")
      .set({ state })
      .where("id", "=", this.subscriptionId)
      .execute();
  }
}

const succeeds = (call: Promise<unknown>): Promise<boolean> =>
  call.then(
    () => true,
    () => false,
  );

eachStore((dialect, open) => {
  it("dispatcher, resends and recoveries do what one simple model does (R-E8, R-E10, R-X280, R-X281)", async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(operation, { minLength: 5, maxLength: 40 }), async (operations) => {
        const kit = await openKit(open, { flags: FLAGS });
        const pair = new Pair(kit, (await kit.subscribe()).id);
        for (const step of operations) {
          await pair.run(step);
          expect(await pair.seen()).toEqual(pair.expected());
        }
        expect(pair.model.deliveries.every(({ round, posts }) => posts <= 3 + (round - 1))).toBe(true);
      }),
      { numRuns: dialect === "sqlite" ? RUNS : Math.ceil(RUNS / 5) },
    );
  }, 120_000);
});
