/** One delivery as the model has it. */
export interface ModelDelivery {
  state: "pending" | "delivered" | "exhausted" | "skipped";
  round: number;
  /** In this round. */
  attempts: number;
  /** In all rounds. */
  posts: number;
}

interface ModelRecovery {
  state: "running" | "paused" | "finished" | "cancelled";
  /** Not sent yet, by the round that they were in at its start. */
  readonly owed: Map<ModelDelivery, number>;
  /** Sent, by the round. */
  readonly sent: Map<ModelDelivery, number>;
  /** Skipped after they were sent. */
  readonly again: Set<ModelDelivery>;
}

const hasEnded = ({ state }: ModelRecovery): boolean => state === "finished" || state === "cancelled";

/**
 * Deliveries of one subscription, resends and recoveries as the rulings have them, without a store: nothing waits, and
 * every place is free.
 */
export class RecoveryModel {
  readonly deliveries: ModelDelivery[] = [];
  recovery: ModelRecovery | undefined;
  isActive = true;

  emit(): void {
    this.deliveries.push({ state: this.isActive ? "pending" : "skipped", round: 1, attempts: 0, posts: 0 });
  }

  /** Every pending delivery gets an attempt; `isAcknowledged` says of each, by its index, how it ends. */
  attempt(isAcknowledged: (index: number) => boolean): void {
    for (const [index, one] of this.deliveries.entries()) {
      if (one.state !== "pending") continue;
      if (!this.isActive) {
        one.state = "skipped";
        continue;
      }
      one.attempts++;
      one.posts++;
      if (isAcknowledged(index)) one.state = "delivered";
      else if (one.round > 1 || one.attempts === 3) one.state = "exhausted";
    }
  }

  canResend(one: ModelDelivery): boolean {
    return this.isActive && one.state !== "pending";
  }

  resend(one: ModelDelivery): void {
    Object.assign(one, { state: "pending", round: one.round + 1, attempts: 0 });
  }

  canStart(): boolean {
    return this.isActive && (this.recovery === undefined || hasEnded(this.recovery));
  }

  start(): void {
    const owed = this.deliveries.filter(({ state }) => state === "exhausted" || state === "skipped");
    this.recovery = {
      ...{ state: "running", sent: new Map(), again: new Set() },
      owed: new Map(owed.map((one) => [one, one.round])),
    };
  }

  /** Asks for what an unfinished recovery does, or does not. */
  change(wanted: "paused" | "running" | "cancelled"): void {
    if (this.recovery === undefined || hasEnded(this.recovery)) return;
    this.recovery.state = wanted;
  }

  /** Everything that the recovery can do before another attempt ends. */
  drive(): void {
    const { recovery } = this;
    if (recovery === undefined || hasEnded(recovery)) return;
    for (const [one, round] of recovery.sent) {
      if (one.round === round && one.state === "pending") continue;
      recovery.sent.delete(one);
      if (one.round === round && one.state === "skipped") recovery.again.add(one);
    }
    if (recovery.state === "paused") return;
    if (!this.isActive) {
      recovery.state = "paused";
      return;
    }
    for (const one of recovery.again) if (one.state === "skipped") this.#send(recovery, one);
    recovery.again.clear();
    for (const [one, round] of recovery.owed)
      if (one.round === round && one.state !== "pending") this.#send(recovery, one);
    recovery.owed.clear();
    if (recovery.sent.size === 0) recovery.state = "finished";
  }

  #send(recovery: ModelRecovery, one: ModelDelivery): void {
    this.resend(one);
    recovery.sent.set(one, one.round);
  }
}
