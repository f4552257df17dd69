import { DeliveryFile } from "./delivery-file.ts";
import type { PlatformEvent } from "./platform-event.ts";

const DELIVERIES_MAX = 200;
const REMEMBERED_IDS_MAX = 10_000;

/** One POST that reached our endpoint. */
export type Delivery = {
  /** Our own number: counts arrivals from 1. */
  readonly number: number;
  readonly receivedAt: Date;
  readonly webhookId: string;
} & (
  | {
      readonly verified: true;
      readonly duplicate: boolean;
      readonly arrivedAfterMs: number;
      readonly event: PlatformEvent;
    }
  | { readonly verified: false; readonly reason: string; readonly excerpt: string }
);

export type Received = { readonly receivedAt: Date; readonly webhookId: string } & (
  | { readonly event: PlatformEvent }
  | { readonly reason: string; readonly excerpt: string }
);

/**
 * The last deliveries, newest first, in memory and in a file, so that they are still listed after a restart. A real
 * program would use a database, and have each event there before it acknowledges it.
 */
export class EventLog {
  #deliveries: readonly Delivery[] = [];
  #count = 0;
  readonly #knownIds = new Set<string>();
  readonly #file: DeliveryFile | undefined;

  /** Without a path everything is lost when the program ends. */
  constructor(path?: string) {
    this.#file = path === undefined ? undefined : new DeliveryFile(path);
    for (const delivery of this.#file?.read() ?? []) {
      this.#deliveries = [delivery, ...this.#deliveries].slice(0, DELIVERIES_MAX);
      this.#count = delivery.number;
      if (delivery.verified) this.#remember(delivery.webhookId);
    }
  }

  add(received: Received): Delivery {
    this.#count += 1;
    const delivery = this.#judge(received, this.#count);
    this.#deliveries = [delivery, ...this.#deliveries].slice(0, DELIVERIES_MAX);
    this.#file?.append(delivery, this.#deliveries);
    return delivery;
  }

  /** Those that came after a number; all when none has come with it, as after a restart without a file. */
  list(after = 0): readonly Delivery[] {
    return this.#deliveries.filter(({ number }) => number > after || after > this.#count);
  }

  find(number: number): Delivery | undefined {
    return this.#deliveries.find((delivery) => delivery.number === number);
  }

  #judge(received: Received, number: number): Delivery {
    const { receivedAt, webhookId } = received;
    if (!("event" in received)) {
      return { number, receivedAt, webhookId, verified: false, reason: received.reason, excerpt: received.excerpt };
    }
    const { event } = received;
    // Delivery is at least once, and webhook-id is the same on every attempt. Only verified ids are remembered:
    // otherwise a forged event could make the real one look like a repetition.
    const duplicate = this.#knownIds.has(webhookId);
    this.#remember(webhookId);
    const arrivedAfterMs = receivedAt.getTime() - Date.parse(event.occurredAt);
    return { number, receivedAt, webhookId, verified: true, duplicate, arrivedAfterMs, event };
  }

  #remember(webhookId: string): void {
    this.#knownIds.add(webhookId);
    const [oldest] = this.#knownIds;
    if (this.#knownIds.size > REMEMBERED_IDS_MAX && oldest !== undefined) this.#knownIds.delete(oldest);
  }
}
