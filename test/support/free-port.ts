import { randomInt } from "node:crypto";
import { createServer } from "node:net";

/**
 * All of them are below the ports that systems give to outgoing connections, any of which may take one between this choice
 * and its use, and none is known for another service, so that each can be an endpoint's (`endpoint-port.ts`).
 */
const FIRST = 14_000;
/** Each of Jest's workers has ports of its own: what one has chosen and not used yet, another cannot choose. */
const PER_WORKER = 3_000;
const WORKERS = 4;
const TRIES = 100;

const ownFirst = FIRST + ((Number(process.env.JEST_WORKER_ID ?? 1) - 1) % WORKERS) * PER_WORKER;
let next = randomInt(PER_WORKER);

/** A port of this machine that nothing listens on at the moment, and that was not chosen shortly before. */
export async function freePort(): Promise<number> {
  for (let tries = 0; tries < TRIES; tries++) {
    const port = ownFirst + (next++ % PER_WORKER);
    if (await isFree(port)) return port;
  }
  throw new Error(`${TRIES} ports from ${ownFirst} on are taken.`);
}

const isFree = (port: number): Promise<boolean> =>
  new Promise((resolve) => {
    const server = createServer();
    server.once("error", () => resolve(false));
    server.listen(port, "127.0.0.1", () => server.close(() => resolve(true)));
  });
