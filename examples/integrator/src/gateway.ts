import { Gatehouse, GatehouseError } from "gatehouse-sdk";
import { networkReason } from "./network-reason.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 5000;

/** One request to the gateway and its answer, for display. */
export interface GatewayAnswer {
  readonly path: string;
  readonly durationMs: number;
  /** Absent when there was no answer; then `failure` says why. */
  readonly status?: number;
  readonly failure?: string;
  /** Parsed when it is JSON, text otherwise. */
  readonly body?: unknown;
  /** Give it to the operator: it identifies the request in the logs. */
  readonly requestId?: string;
}

/** An answer and, when it matches the contract, its value. */
export interface Asked<Value> {
  readonly answer: GatewayAnswer;
  readonly value?: Value;
}

export interface Gateway {
  /** One call of the SDK. Never throws: an error, or no answer, is a result too. */
  ask<Value>(call: (api: Gatehouse["gateway"]) => Promise<Value>): Promise<Asked<Value>>;
  /** Fetches the resource of a `links.self`. */
  follow(link: string): Promise<Asked<unknown>>;
}

export function gateway(settings: Settings): Gateway {
  return {
    ask: (call) => observed(settings, ({ gateway: api }) => call(api)),
    follow: (link) => observed(settings, (sdk) => sdk.follow(link)),
  };
}

/**
 * The SDK throws unless a call succeeds. This page shows the result of every request, so each answer is recorded here
 * first, and no request is made a second time.
 */
async function observed<Value>(
  { gatewayUrl, apiKey }: Settings,
  call: (sdk: Gatehouse) => Promise<Value>,
): Promise<Asked<Value>> {
  const startedAt = performance.now();
  let path = "";
  let seen: Response | undefined;
  const lookingOn: typeof fetch = async (address, init) => {
    path = String(address).slice(gatewayUrl.length);
    const response = await fetch(address, init);
    seen = response.clone();
    return response;
  };
  const options = { deadlineMs: TIMEOUT_MS, retries: 0, entityTags: false } as const;
  const result = await call(new Gatehouse({ ...options, baseUrl: gatewayUrl, apiKey, fetch: lookingOn })).then(
    (value) => ({ value }),
    (error: unknown) => ({ error }),
  );
  const durationMs = Math.round(performance.now() - startedAt);
  // An answer that stops in the middle is none, here as for the SDK.
  const text = await seen?.text().catch(() => undefined);
  if (seen === undefined || text === undefined) {
    const error = "error" in result ? result.error : undefined;
    const failure = networkReason(error instanceof GatehouseError ? error.cause : error) ?? String(error);
    return { answer: { path, durationMs, failure } };
  }
  const body = parsed(text);
  const requestId = seen.headers.get("x-request-id") ?? idInProblem(body);
  const answer = { path, durationMs, status: seen.status, body, ...(requestId ? { requestId } : {}) };
  return "value" in result ? { answer, value: result.value } : { answer };
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

function idInProblem(body: unknown): string | undefined {
  const id = (body as { requestId?: unknown } | null)?.requestId;
  return typeof id === "string" ? id : undefined;
}
