import { randomInt } from "node:crypto";
import { createServer } from "node:net";
import { availableParallelism } from "node:os";

/**
 * All of them are below the ports that systems give to outgoing connections, any of which may take one between this choice
 * and its use, and none is known for another service, so that each can be an endpoint's (`endpoint-port.ts`).
 */
const FIRST = 14_000;
const COUNT = 12_000;
const TRIES = 100;

/** Each of so many workers of Jest has ports of its own: what one has chosen and not used yet, another cannot choose. */
export function portsOf(worker: number, workers: number): { readonly first: number; readonly count: number } {
  const count = Math.floor(COUNT / workers);
  return { first: FIRST + ((worker - 1) % workers) * count, count };
}

/** As many as `jest.config.ts` has, or those of a run that asks for a few. */
const WORKERS = Math.max(4, availableParallelism() + 1);
const own = portsOf(Number(process.env.JEST_WORKER_ID ?? 1), WORKERS);
let next = randomInt(own.count);

/** A port of this machine that nothing listens on at the moment, and that was not chosen shortly before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = own.first + (next++ % own.count);
    if (await isFree(port)) return port;
  }
  throw new Error(`${TRIES} ports from ${own.first} on are taken.`);
}

export const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
