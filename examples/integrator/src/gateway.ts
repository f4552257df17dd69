import { networkReason } from "./network-reason.ts";
import type { Settings } from "./settings.ts";

const TIMEOUT_MS = 5000;

/** One request to the gateway and what came back, for showing. */
export interface GatewayAnswer {
  readonly path: string;
  readonly durationMs: number;
  /** Nothing when there was no answer at all; then `failure` says why. */
  readonly status?: number;
  readonly failure?: string;
  /** Parsed when it is JSON, text otherwise. */
  readonly body?: unknown;
  /** Tell it to the operator, it finds the request in the logs. */
  readonly requestId?: string;
}

export interface Gateway {
  /** Never throws: an answer that is an error, or no answer, is a result too. */
  get(path: string): Promise<GatewayAnswer>;
}

export function gateway({ gatewayUrl, apiKey }: Settings): Gateway {
  return {
    async get(path) {
      const startedAt = performance.now();
      const durationMs = () => Math.round(performance.now() - startedAt);
      try {
        const response = await fetch(addressBelow(gatewayUrl, path), {
          headers: { "x-api-key": apiKey, accept: "application/json, application/problem+json" },
          redirect: "error", // The key goes to the gateway and nowhere else.
          signal: AbortSignal.timeout(TIMEOUT_MS),
        });
        const body = parsed(await response.text());
        const requestId = response.headers.get("x-request-id") ?? idInProblem(body);
        return { path, durationMs: durationMs(), status: response.status, body, ...(requestId ? { requestId } : {}) };
      } catch (error) {
        return { path, durationMs: durationMs(), failure: networkReason(error) ?? String(error) };
      }
    },
  };
}

/** Whether a `links.self` stays inside the gateway's API: the API key must not follow it to any other place. */
export function isGatewayPath(gatewayUrl: string, path: unknown): path is string {
  // Parsed before it is compared: that resolves "..", "@" and backslashes the way `fetch` will.
  return typeof path === "string" && (URL.parse(gatewayUrl + path)?.href.startsWith(`${gatewayUrl}/v`) ?? false);
}

function addressBelow(gatewayUrl: string, path: string): string {
  if (!isGatewayPath(gatewayUrl, path)) throw new Error(`Not a path of the gateway: ${path}`);
  return gatewayUrl + path;
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
