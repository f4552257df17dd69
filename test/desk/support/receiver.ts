import { createHmac } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export const SECRET = "whsec_Z2F0ZWhvdXNlIGRlc2sgdGVzdHMgb2YgMzIgYnl0ZXM=";
export const KEY = Buffer.from(SECRET.slice("whsec_".length), "base64");

/** One POST as a receiver sees it. */
export interface Incoming {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: string;
  readonly body: string;
}

/** What a receiver does with a POST: answers with a status, and counts what it deals with. */
export type Receiving = (incoming: Incoming, memory: Memory) => number | "never";

/** What a receiver remembers. */
export interface Memory {
  readonly seen: Set<string>;
  count: number;
}

export interface RunningReceiver {
  readonly url: string;
  readonly countUrl: string;
  readonly received: readonly Incoming[];
  close(): Promise<void>;
}

const isVerified = ({ id, timestamp, signatures, body }: Incoming): boolean => {
  try {
    new Webhook(SECRET).verify(body, {
      "webhook-id": id,
      "webhook-timestamp": timestamp,
      "webhook-signature": signatures,
    });
    return true;
  } catch {
    return false;
  }
};

/** Deals with an event that is new. */
const deal = ({ id }: Incoming, memory: Memory): 204 => {
  if (!memory.seen.has(id)) memory.count++;
  memory.seen.add(id);
  return 204;
};

/** As the guides say: verify by the standard's library, deduplicate, ignore what is unknown. */
export const good: Receiving = (incoming, memory) => (isVerified(incoming) ? deal(incoming, memory) : 400);

interface Parts {
  readonly key?: Buffer;
  readonly signed?: (incoming: Incoming) => string;
  readonly matches?: (entry: string, right: string) => boolean;
  readonly entries?: (signatures: string) => readonly string[];
  readonly isInTime?: (ageSeconds: number) => boolean;
}

/** A receiver that verifies by hand, with parts of it replaced by mistakes. */
export const byHand =
  ({
    key = KEY,
    signed = ({ id, timestamp, body }) => `${id}.${timestamp}.${body}`,
    matches = (entry, right) => entry === right,
    entries = (signatures) => signatures.split(" "),
    isInTime = (ageSeconds) => Math.abs(ageSeconds) <= 300,
  }: Parts): Receiving =>
  (incoming, memory) => {
    const right = `v1,${createHmac("sha256", key).update(signed(incoming)).digest("base64")}`;
    const isRight = entries(incoming.signatures).some((entry) => entry !== "" && matches(entry, right));
    const isNow = isInTime(Date.now() / 1000 - Number(incoming.timestamp));
    return isRight && isNow ? deal(incoming, memory) : 400;
  };

/** Serves a receiver at any path, and its count at `/count`. */
export async function runReceiver(receiving: Receiving): Promise<RunningReceiver> {
  const memory: Memory = { seen: new Set(), count: 0 };
  const received: Incoming[] = [];
  const server: Server = createServer((request, response) => void answer(request, response));
  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    if (request.method === "GET") return void response.end(JSON.stringify({ count: memory.count }));
    const header = (name: string) => String(request.headers[name] ?? "");
    const incoming = {
      id: header("webhook-id"),
      timestamp: header("webhook-timestamp"),
      signatures: header("webhook-signature"),
      body: await text(request),
    };
    received.push(incoming);
    const status = receiving(incoming, memory);
    if (status !== "never") response.writeHead(status).end();
  };
  await new Promise<void>((done) => void server.listen(0, "127.0.0.1", done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url: `${url}/hooks`,
    countUrl: `${url}/count`,
    received,
    close: () =>
      new Promise((done) => {
        server.close(() => done());
        server.closeAllConnections();
      }),
  };
}
