import { createHmac, createPublicKey, verify } from "node:crypto";
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";
import { Webhook } from "standardwebhooks";

export const SECRET = "whsec_Z2F0ZWhvdXNlIGRlc2sgdGVzdHMgb2YgMzIgYnl0ZXM=";
export const KEY = Buffer.from(SECRET.slice("whsec_".length), "base64");

/** The second pair of RFC 8032 §7.1, as texts of Standard Webhooks. */
export const PRIVATE_KEY =
  "whsk_TM0Imyj/ltqdtsNG7BFOD1uKMZ81q6Yk2oz27U+4pvs9QBfD6EOJWpK3CqdNG368nJgszy7ElozAzVXxKvRmDA==";
export const PUBLIC_KEY = "whpk_PUAXw+hDiVqStwqnTRt+vJyYLM8uxJaMwM1V8Sr0Zgw=";

/** One POST as a receiver sees it. */
export interface Incoming {
  readonly id: string;
  readonly timestamp: string;
  readonly signatures: string;
  readonly body: string;
}

/** What a receiver does with a POST: answers with a status, and counts what it deals with. */
export type Receiving = (incoming: Incoming, memory: Memory) => number | "never" | "hangs up";

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

/** Deals with what is verified, and refuses everything else. */
export const dealingWith =
  (isGenuine: (incoming: Incoming) => boolean): Receiving =>
  (incoming, memory) =>
    isGenuine(incoming) ? deal(incoming, memory) : 400;

/** As the guides say: verify by the standard's library, deduplicate, ignore what is unknown. */
export const good = dealingWith(isVerified);

interface Parts {
  readonly signed?: (incoming: Incoming) => string;
  readonly entries?: (signatures: string) => readonly string[];
  readonly isInTime?: (ageSeconds: number) => boolean;
}

/** A receiver that verifies each entry of the header by hand, with parts of it replaced by mistakes. */
export const verifying = (
  {
    signed = ({ id, timestamp, body }) => `${id}.${timestamp}.${body}`,
    entries = (signatures) => signatures.split(" "),
    isInTime = (ageSeconds) => Math.abs(ageSeconds) <= 300,
  }: Parts,
  isRight: (entry: string, content: string) => boolean,
): Receiving =>
  dealingWith(
    (incoming) =>
      entries(incoming.signatures).some((entry) => isRight(entry, signed(incoming))) &&
      isInTime(Date.now() / 1000 - Number(incoming.timestamp)),
  );

interface SecretParts extends Parts {
  readonly key?: Buffer;
  readonly matches?: (entry: string, right: string) => boolean;
}

/** A receiver that verifies v1 by hand. */
export const byHand = ({ key = KEY, matches = (entry, right) => entry === right, ...parts }: SecretParts): Receiving =>
  verifying(
    parts,
    (entry, content) =>
      entry !== "" && matches(entry, `v1,${createHmac("sha256", key).update(content).digest("base64")}`),
  );

interface KeyPairParts extends Parts {
  readonly verifies?: (entry: string, content: string) => boolean;
}

/** A receiver that verifies v1a by hand, by the public key of the tests. */
export const byPublicKey = ({ verifies = isSignedBy(PUBLIC_KEY), ...parts }: KeyPairParts): Receiving =>
  verifying(parts, verifies);

/** Whether an entry is a v1a signature of the content by the owner of a public key. */
export const isSignedBy =
  (publicKey: string) =>
  (entry: string, content: string): boolean => {
    const [scheme, signature = ""] = entry.split(",");
    const x = Buffer.from(publicKey.slice("whpk_".length), "base64").toString("base64url");
    const key = createPublicKey({ key: { kty: "OKP", crv: "Ed25519", x }, format: "jwk" });
    return scheme === "v1a" && verify(null, Buffer.from(content), key, Buffer.from(signature, "base64"));
  };

/** A receiver that may take its time to verify. */
export type ServedReceiving = (...of: Parameters<Receiving>) => ReturnType<Receiving> | Promise<ReturnType<Receiving>>;

/** Serves a receiver at any path, and its count at `/count`. */
export async function runReceiver(receiving: ServedReceiving): Promise<RunningReceiver> {
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
    const status = await receiving(incoming, memory);
    if (status === "hangs up") request.socket.destroy();
    else if (status !== "never") response.writeHead(status).end();
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
