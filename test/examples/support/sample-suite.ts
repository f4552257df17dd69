import { Webhook } from "standardwebhooks";
import { describeWith, type OptionalPart } from "../../support/optional-part.ts";
import { type GatehouseStandIn, gatehouseStandIn } from "./gatehouse-stand-in.ts";
import { type Sample, SIGNING_SECRET, sampleIsInstalled, startSample } from "./sample-process.ts";

/** What an event is delivered with, where it differs from what is right. */
export interface DeliveryOptions {
  readonly secret?: string;
  readonly signedAt?: Date;
  /** Sent instead of the body that was signed. */
  readonly sentBody?: string;
  readonly headers?: Record<string, string>;
  /** Of the endpoint; `/webhooks` unless given. */
  readonly path?: string;
}

/** A running sample beside a stand-in for Gatehouse, renewed for every test. */
export interface SampleContext {
  readonly gatehouse: GatehouseStandIn;
  readonly sample: Sample;
  /** Ends the sample and starts it again, with more in its environment. */
  restart(env: Record<string, string>): Promise<void>;
  /** Follows no redirect. */
  get(path: string, init?: RequestInit): Promise<Response>;
  pageText(path: string): Promise<string>;
  /** Signs with the independent implementation and POSTs; resolves with the status. */
  deliver(event: { id: string }, options?: DeliveryOptions): Promise<number>;
  // biome-ignore lint/suspicious/noExplicitAny: the list is JSON, and each test names the members it reads.
  received(): Promise<any[]>;
}

const THE_SAMPLE: OptionalPart = {
  name: "the sample integrator",
  missing: sampleIsInstalled ? undefined : "its packages are not installed: run `npm ci` in examples/integrator",
};

/** A suite about the sample. */
export function sampleSuite(title: string, body: (context: SampleContext) => void): void {
  describeWith(THE_SAMPLE, title, () => body(renewedForEveryTest()));
}

function renewedForEveryTest(): SampleContext {
  let gatehouse: GatehouseStandIn;
  let sample: Sample;
  beforeEach(async () => {
    gatehouse = await gatehouseStandIn();
    sample = await startSample(gatehouse.url);
  });
  afterEach(async () => {
    await sample.stop();
    await gatehouse[Symbol.asyncDispose]();
  });

  const get = (path: string, init: RequestInit = {}) => fetch(sample.url + path, { redirect: "manual", ...init });
  return {
    get gatehouse() {
      return gatehouse;
    },
    get sample() {
      return sample;
    },
    get,
    async restart(env) {
      await sample.stop();
      sample = await startSample(gatehouse.url, env);
    },
    async pageText(path) {
      return (await get(path)).text();
    },
    async deliver(
      event,
      { secret = SIGNING_SECRET, signedAt = new Date(), sentBody, headers, path = "/webhooks" } = {},
    ) {
      const body = JSON.stringify(event);
      const response = await get(path, {
        method: "POST",
        headers: {
          "content-type": "application/json",
          "webhook-id": event.id,
          "webhook-timestamp": String(Math.floor(signedAt.getTime() / 1000)),
          "webhook-signature": new Webhook(secret).sign(event.id, signedAt, body),
          ...headers,
        },
        body: sentBody ?? body,
      });
      return response.status;
    },
    async received() {
      return (await (await get("/events.json")).json()) as unknown[];
    },
  };
}
