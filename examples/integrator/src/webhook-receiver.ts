import type { IncomingMessage } from "node:http";
import { Webhook, WebhookVerificationError } from "standardwebhooks";
import type { Delivery, EventLog } from "./event-log.ts";
import { isEvent } from "./platform-event.ts";
import type { Settings } from "./settings.ts";

const BODY_BYTES_MAX = 256 * 1024;
const EXCERPT_CHARACTERS = 2000;

/** Handles one POST: verifies it, adds it to the list, and returns the status that acknowledges or refuses it. */
export type WebhookReceiver = (request: IncomingMessage) => Promise<{ status: 204 | 400 | 413; delivery: Delivery }>;

export function webhookReceiver({ signingSecret }: Settings, log: EventLog): WebhookReceiver {
  const verifier = new Webhook(signingSecret);
  return async (request) => {
    const receivedAt = new Date();
    const webhookId = header(request, "webhook-id").slice(0, 100);
    const body = await rawBody(request);
    if (body === undefined) {
      const reason = `The body is larger than ${BODY_BYTES_MAX / 1024} KiB`;
      return { status: 413, delivery: log.add({ receivedAt, webhookId, reason, excerpt: "" }) };
    }
    const refuse = (reason: string) => {
      const excerpt = body.toString("utf8", 0, EXCERPT_CHARACTERS);
      return { status: 400, delivery: log.add({ receivedAt, webhookId, reason, excerpt }) } as const;
    };
    try {
      // Verify before parsing, and verify the received bytes: JSON that was parsed and serialised again has another
      // signature.
      const event = verifier.verify(body, {
        "webhook-id": header(request, "webhook-id"),
        "webhook-timestamp": header(request, "webhook-timestamp"),
        "webhook-signature": header(request, "webhook-signature"),
      });
      if (!isEvent(event)) return refuse("The signature is right, but the body is not an event");
      // 2xx means "I have it". A repetition is acknowledged as well; otherwise it would be sent again.
      return { status: 204, delivery: log.add({ receivedAt, webhookId, event }) };
    } catch (error) {
      if (error instanceof WebhookVerificationError) return refuse(error.message);
      if (error instanceof SyntaxError) return refuse("The signature is right, but the body is not JSON");
      throw error;
    }
  };
}

/**
 * The received bytes; undefined when the body is too large. A large body is read to its end and discarded, so that the
 * sender can read the answer.
 */
async function rawBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of request as AsyncIterable<Buffer>) {
    bytes += chunk.length;
    if (bytes <= BODY_BYTES_MAX) chunks.push(chunk);
    else chunks.length = 0;
  }
  return bytes <= BODY_BYTES_MAX ? Buffer.concat(chunks) : undefined;
}

function header(request: IncomingMessage, name: string): string {
  const value = request.headers[name];
  return typeof value === "string" ? value : "";
}
