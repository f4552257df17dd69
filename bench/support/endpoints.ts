import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";

/** Answers a POST in its own way, or never. */
type Answer = (response: ServerResponse) => void;

export type Endpoints = Awaited<ReturnType<typeof startEndpoints>>;

/**
 * Endpoints on all addresses of 127.0.0.0/8, each a host of its own. They answer 204 unless `answers` has another answer
 * for the path.
 */
export async function startEndpoints() {
  const arrivals: { readonly path: string; readonly at: number }[] = [];
  const counts = new Map<string, number>();
  const first = new Map<string, number>();
  const answers = new Map<string, Answer>();
  const server = createServer((request: IncomingMessage, response: ServerResponse) => {
    const chunks: Buffer[] = [];
    request.on("data", (chunk: Buffer) => chunks.push(chunk));
    request.on("end", () => {
      const path = request.url ?? "";
      const at = performance.now();
      const tenantId = /"clientId":"([^"]+)"/.exec(Buffer.concat(chunks).toString())?.[1] ?? "";
      const key = `${path} ${tenantId}`;
      if (!first.has(key)) first.set(key, at);
      arrivals.push({ path, at });
      counts.set(path, (counts.get(path) ?? 0) + 1);
      const answer = answers.get(path) ?? ((to) => to.writeHead(204).end());
      answer(response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "0.0.0.0", 4_096, resolve));
  const { port } = server.address() as AddressInfo;
  return {
    /** POSTs in their order, since the last reset; `at` in monotonic milliseconds. */
    arrivals,
    answers,
    /** POSTs to a path since the start. */
    count: (path: string) => counts.get(path) ?? 0,
    /** When the first event about a tenant arrived at a path, in monotonic milliseconds. */
    firstAt: (path: string, tenantId: string) => first.get(`${path} ${tenantId}`),
    origin: `http://127.0.0.1:${port}`,
    url: (path: string, host = "127.0.0.1") => `http://${host}:${port}${path}`,
    /** Waits until so many have arrived since the last reset. */
    async received(total: number) {
      while (arrivals.length < total) await sleep(2);
    },
    reset() {
      arrivals.length = 0;
    },
    stop: () => server.close().closeAllConnections(),
  };
}
