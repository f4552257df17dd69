import type { CallOptions, PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";

/** Longer than a busy machine takes: a call that it refused for being late would say nothing of what a test is about. */
const PATIENCE_MS = 30_000;

/** The same client, whose calls wait so long for their answer unless they say how long. */
export function patiently<S extends ServiceDefinition>(client: PromiseClient<S>): PromiseClient<S> {
  const calls = Object.entries(client as Record<string, (request: unknown, options: CallOptions) => unknown>);
  return Object.fromEntries(
    calls.map(([name, call]) => [
      name,
      (request: unknown, options: CallOptions = {}) => call(request, { deadlineMs: PATIENCE_MS, ...options }),
    ]),
  ) as PromiseClient<S>;
}
