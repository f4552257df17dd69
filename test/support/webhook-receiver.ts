import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { Webhook } from "standardwebhooks";
import type { Clock } from "../../src/runtime/basis/clock.ts";
import { eventDepartures } from "./event-contract.ts";

/** How the receiver answers one POST: with a status, by cutting the connection, or never. */
export type ReceiverAnswer =
  | {
      readonly status: number;
      readonly headers?: Readonly<Record<string, string>>;
      readonly body?: string;
      readonly delayMs?: number;
    }
  | "reset"
  | "silence";

/** One POST as it arrived, verified. */
export interface ReceivedDelivery {
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
  readonly body: Buffer;
  readonly webhookId: string;
  /** How many POSTs with this webhook-id arrived up to and including this one. */
  readonly nth: number;
  // biome-ignore lint/suspicious/noExplicitAny: tests reach into events of any type.
  readonly event: any;
  /** Why it was refused by the independent verifier or the event contract; empty for a good one. */
  readonly faults: readonly string[];
}

export interface ReceiverOptions {
  /** `whsec_…` of the subscription; may be set later. While there is none, signatures are not looked at. */
  readonly secret?: string;
  /** The sender's clock, if it is not the machine's: the verifier refuses timestamps five minutes off. */
  readonly clock?: Clock;
  /** What is answered when no answer is queued. 204 unless given. */
  readonly answer?: ReceiverAnswer | ((delivery: ReceivedDelivery) => ReceiverAnswer);
}

const DEFAULT_WAIT_MS = 30_000;

/** A subscriber's endpoint: a real HTTP server that verifies every POST with the independent `standardwebhooks` package. */
export class WebhookReceiver {
  readonly received: ReceivedDelivery[] = [];
  secret: string | undefined;
  readonly #server = createServer((request, response) => void this.#take(request, response));
  readonly #unread: ReceivedDelivery[] = [];
  readonly #waiting: ((delivery: ReceivedDelivery) => void)[] = [];
  readonly #queued: ReceiverAnswer[] = [];
  readonly #clock: Clock | undefined;
  readonly #answer: NonNullable<ReceiverOptions["answer"]>;
  readonly #faultsTold = new Set<ReceivedDelivery>();
  #stopped = false;

  constructor(options: ReceiverOptions) {
    this.secret = options.secret;
    this.#clock = options.clock;
    this.#answer = options.answer ?? { status: 204 };
  }

  async listen(): Promise<void> {
    await new Promise<void>((resolve) => this.#server.listen(0, "127.0.0.1", resolve));
  }

  /** For example `http://127.0.0.1:41234/webhooks`. */
  get url(): string {
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}/webhooks`;
  }

  /** Queues answers for the next POSTs, one each. */
  answerNext(...answers: readonly ReceiverAnswer[]): void {
    this.#queued.push(...answers);
  }

  /** How many POSTs arrived with this webhook-id. */
  countOf(webhookId: string): number {
    return this.received.filter((delivery) => delivery.webhookId === webhookId).length;
  }

  /**
   * The next POST not read yet, in order of arrival.
   * @throws Error when none comes in time, or when it was refused by the verifier or the event contract.
   */
  async next({ timeoutMs = DEFAULT_WAIT_MS }: { readonly timeoutMs?: number } = {}): Promise<ReceivedDelivery> {
    const delivery = this.#unread.shift() ?? (await this.#arrival(timeoutMs));
    this.#faultsTold.add(delivery);
    if (delivery.faults.length > 0)
      throw new Error(`A delivery was refused:\n${delivery.faults.join("\n")}\n${delivery.body}`);
    return delivery;
  }

  /**
   * Closes the endpoint, open connections included.
   * @throws Error when a POST that no test read was refused by the verifier or the event contract.
   */
  async stop(): Promise<void> {
    if (this.#stopped) return;
    this.#stopped = true;
    this.#server.closeAllConnections();
    await new Promise<void>((resolve) => this.#server.close(() => resolve()));
    const untold = this.received.filter((delivery) => delivery.faults.length > 0 && !this.#faultsTold.has(delivery));
    if (untold.length > 0)
      throw new Error(`Deliveries were refused:\n${untold.flatMap(({ faults }) => faults).join("\n")}`);
  }

  async #arrival(timeoutMs: number): Promise<ReceivedDelivery> {
    const { promise, resolve, reject } = Promise.withResolvers<ReceivedDelivery>();
    this.#waiting.push(resolve);
    const timer = setTimeout(() => {
      this.#waiting.splice(this.#waiting.indexOf(resolve), 1);
      reject(new Error(`No delivery arrived within ${timeoutMs} ms; ${this.received.length} arrived before.`));
    }, timeoutMs);
    return promise.finally(() => clearTimeout(timer));
  }

  async #take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    try {
      for await (const chunk of request) chunks.push(chunk as Buffer);
    } catch {
      return; // The sender hung up in the middle: no POST arrived.
    }
    const delivery = this.#judge(request, Buffer.concat(chunks));
    this.received.push(delivery);
    const waiting = this.#waiting.shift();
    if (waiting === undefined) this.#unread.push(delivery);
    else waiting(delivery);
    const answer = this.#queued.shift() ?? (typeof this.#answer === "function" ? this.#answer(delivery) : this.#answer);
    await respond(response, answer);
  }

  #judge(request: IncomingMessage, body: Buffer): ReceivedDelivery {
    const { headers, method, url: path = "/" } = request;
    const webhookId = String(headers["webhook-id"] ?? "");
    const faults = [...eventDepartures({ headers, body })];
    if (method !== "POST") faults.push(`the method is ${method}`);
    let event: unknown;
    try {
      event = JSON.parse(body.toString("utf8"));
      if (this.secret !== undefined) this.#verify(this.secret, body, headers);
    } catch (error) {
      faults.push(`standardwebhooks: ${(error as Error).message}`);
    }
    return { path, headers, body, webhookId, nth: this.countOf(webhookId) + 1, event, faults };
  }

  #verify(secret: string, body: Buffer, headers: IncomingHttpHeaders): void {
    const verify = () => new Webhook(secret).verify(body, headers as Record<string, string>);
    const clock = this.#clock;
    if (clock === undefined) return void verify();
    // The package reads Date.now() and takes no clock; verification is synchronous, so nothing else sees this.
    const standing = jest.spyOn(Date, "now").mockImplementation(() => clock.now().getTime());
    try {
      verify();
    } finally {
      standing.mockRestore();
    }
  }
}

async function respond(response: ServerResponse, answer: ReceiverAnswer): Promise<void> {
  if (answer === "silence") return;
  if (answer === "reset") return void response.socket?.resetAndDestroy();
  const { status, headers, body, delayMs } = answer;
  if (delayMs !== undefined) await sleep(delayMs, undefined, { ref: false });
  response.writeHead(status, { ...headers }).end(body);
}

export async function startWebhookReceiver(options: ReceiverOptions = {}): Promise<WebhookReceiver> {
  const receiver = new WebhookReceiver(options);
  await receiver.listen();
  return receiver;
}
