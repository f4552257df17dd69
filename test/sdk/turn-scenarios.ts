import { createServer, type ServerResponse } from "node:http";
import { type Command, type Driver, startDriver } from "../conformance/sdk-driver.ts";
import { listening } from "../support/listening.ts";
import { type Closer, withScope } from "../support/scope.ts";

/** Seconds until the turn of each refused read, in the order in which they are refused. */
const TURNS = [4, 1, 4, 1, 4, 1];
const LATER_MS = 4_000;
/** As many reads have each of the two turns. */
const TOGETHER = 3;
/** What a gateway lets pass that gives all the same turn, and how many ask at once. */
const PER_SECOND = 10;
const AT_ONCE = 40;
/** Timers of some platforms end a little early. */
const EARLY_MS = 100;
/** An SDK that sends one read after the other waits in vain for the first answer. */
const DEADLINE_MS = 10_000;

const TOO_MANY = { title: "Too many", status: 429, detail: "Wait.", code: "too_many_requests" };
const refusal = (seconds = 0) => ({ "content-type": "application/problem+json", "retry-after": String(seconds) });

/**
 * A gateway that refuses as many reads as there are turns, each with its own, once all are there. It answers those that come back when all of
 * a turn are there: none of them waits for the answer of another.
 */
async function startDoor(closeLater: (closer: Closer) => void) {
  let refusedAt = Number.NaN;
  const cameBackAt: number[] = [];
  let waiting: ServerResponse[] = [];
  const server = createServer((_, reply) => {
    const now = performance.now();
    waiting.push(reply);
    const isRefused = Number.isNaN(refusedAt);
    if (!isRefused) cameBackAt.push(now);
    if (waiting.length < (isRefused ? TURNS.length : TOGETHER)) return;
    if (isRefused) refusedAt = now;
    for (const [at, each] of waiting.entries())
      if (isRefused) each.writeHead(429, refusal(TURNS[at])).end(JSON.stringify(TOO_MANY));
      else each.writeHead(200, { "content-type": "application/json" }).end("[]");
    waiting = [];
  });
  const url = await listening(server, closeLater);
  return {
    url,
    /** When each read came back, in milliseconds since all were refused. */
    cameBackAfterMs: () => cameBackAt.map((at) => at - refusedAt),
  };
}

/** Lets so many requests pass in each second, and gives all that it refuses the same turn. */
async function startNarrowDoor(closeLater: (closer: Closer) => void) {
  let tokens = 0;
  let at = performance.now();
  const server = createServer((_, reply) => {
    const now = performance.now();
    tokens = Math.min(PER_SECOND, tokens + ((now - at) / 1000) * PER_SECOND);
    at = now;
    if (tokens < 1) return void reply.writeHead(429, refusal(1)).end(JSON.stringify(TOO_MANY));
    tokens--;
    reply.writeHead(200, { "content-type": "application/json" }).end("[]");
  });
  return { url: await listening(server, closeLater) };
}

/** How the reads of one object come back that were refused with different turns, the same in every language. */
export function turnScenarios(command: () => Command): void {
  withScope((closeLater) => {
    let driver: Driver;
    beforeAll(() => {
      driver = startDriver(closeLater, command());
    });

    it("sends as many reads in each second as have their turn then, none of them behind another's answer (R-X220)", async () => {
      const door = await startDoor(closeLater);
      const { value, error } = await driver.ask({
        ...{ door: "instanceIntegrations", arguments: [], baseUrl: door.url, apiKey: "key", keep: null },
        ...{ options: { deadlineMs: DEADLINE_MS, retries: 1, entityTags: false }, times: TURNS.length },
      });
      expect(error).toBeUndefined();
      expect(value).toEqual(TURNS.map(() => []));
      const after = door.cameBackAfterMs();
      expect(after).toHaveLength(TURNS.length);
      const turns = TURNS.toSorted((one, other) => one - other);
      expect(after.filter((ms, at) => ms < (turns[at] ?? 0) * 1000 - EARLY_MS)).toEqual([]);
      expect(after.filter((ms) => ms < LATER_MS - EARLY_MS)).toHaveLength(TOGETHER);
    });

    it("brings every read through a limit whose turns are more than it lets pass (R-X220)", async () => {
      const { url } = await startNarrowDoor(closeLater);
      const { value, error } = await driver.ask({
        ...{ door: "instanceIntegrations", arguments: [], baseUrl: url, apiKey: "key", keep: null },
        ...{ options: { entityTags: false }, times: AT_ONCE },
      });
      expect(error).toBeUndefined();
      expect(value).toEqual(Array(AT_ONCE).fill([]));
    }, 30_000);
  });
}
