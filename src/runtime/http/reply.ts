import { type ServerResponse, validateHeaderValue } from "node:http";
import { Readable } from "node:stream";
import { TLSSocket } from "node:tls";
import type { FastifyReply, FastifyRequest } from "fastify";
import { Failure, type FailureCode } from "../basis/errors.ts";
import type { Break } from "./observe.ts";
import type { AnyReply, Chunks } from "./operation.ts";

export type Send = (request: FastifyRequest, reply: FastifyReply, answer: AnyReply) => FastifyReply;

interface SenderTools {
  /** How long a client may take for one chunk, in milliseconds. */
  readonly takeMs: number;
  /** True when an answer that begins now is the last one on its connection. */
  isLast(): boolean;
  /** Called before an answer is broken off for another reason than that its client left. */
  breaking(answer: ServerResponse, why: Break): void;
}

/**
 * Writes an answer; every answer carries the request id and is never sniffed.
 * @throws TypeError, before anything is written, for a header that HTTP cannot carry.
 */
export const replySender =
  (tools: SenderTools): Send =>
  (request, reply, { status, headers = NO_HEADERS, type, body, chunks }) => {
    const names = Object.keys(headers);
    for (const name of names) assertCarried(name, headers[name]);
    reply.code(status);
    reply.header("x-request-id", request.id);
    reply.header("x-content-type-options", "nosniff");
    for (const name of names) reply.header(name, headers[name]);
    if (tools.isLast()) reply.header("connection", "close");
    if (body === undefined && chunks === undefined) return reply.send();
    reply.header("content-type", charset(type ?? "application/json"));
    if (chunks !== undefined) return sendChunks(request, reply, chunks, tools);
    // Bytes are sent as they are, and so is a text: pages, YAML, and JSON whose bytes an entity tag names. No operation
    // answers with a bare JSON string.
    const whole = body instanceof Uint8Array || typeof body === "string" ? body : JSON.stringify(body);
    if (whole.length > PART_LENGTH && isSentByTls(request, reply)) return sendParts(reply, whole);
    if (whole instanceof Uint8Array) return reply.send(whole);
    // Node writes a text together with its headers, and bytes beside them.
    return reply.serializer(asItIs).send(whole);
  };

/**
 * Over TLS Node says nothing of a write until its client has taken all of it: as one write, a long body would look like one
 * of which nothing is taken.
 */
const PART_LENGTH = 256 * 1024;

const isSentByTls = ({ method, raw: { socket } }: FastifyRequest, { raw }: FastifyReply): boolean =>
  method !== "HEAD" && !raw.destroyed && socket instanceof TLSSocket;

function sendParts(reply: FastifyReply, whole: string | Uint8Array): FastifyReply {
  const bytes = typeof whole === "string" ? Buffer.from(whole) : whole;
  const parts = function* () {
    for (let at = 0; at < bytes.length; at += PART_LENGTH) yield bytes.subarray(at, at + PART_LENGTH);
  };
  reply.header("content-length", bytes.length);
  return reply.send(Readable.from(parts()));
}

const NO_HEADERS: NonNullable<AnyReply["headers"]> = {};

function assertCarried(name: string, value: unknown): void {
  if (Array.isArray(value)) for (const line of value) validateHeaderValue(name, String(line));
  else validateHeaderValue(name, String(value));
}

/** With a serializer Fastify adds no charset to application/json, which has none (RFC 8259 §11). */
const asItIs = (text: string): string => text;

const charset = (mediaType: string): string =>
  mediaType.startsWith("text/") ? `${mediaType}; charset=utf-8` : mediaType;

/** Of failures that say what a client may not read, or not any more; all others are ours. */
const REFUSAL_CODES: ReadonlySet<FailureCode> = new Set([
  "UNAUTHENTICATED",
  "PERMISSION_DENIED",
  "NOT_FOUND",
  "FAILED_PRECONDITION",
]);

const isRefusal = (error: unknown): boolean => error instanceof Failure && REFUSAL_CODES.has(error.code);

/**
 * Sends a body while it is made, no faster than the client reads it. When it fails, or the client stops reading, the
 * connection is closed: without the last chunk a client cannot mistake a part for the whole (RFC 9112 §7.1).
 */
function sendChunks(
  request: FastifyRequest,
  reply: FastifyReply,
  chunks: Chunks,
  { takeMs, breaking }: SenderTools,
): FastifyReply {
  const { raw } = reply;
  // Fastify would read all of it to answer HEAD.
  if (request.method === "HEAD" || raw.destroyed) {
    chunks.discard();
    return reply.send(Readable.from([]));
  }
  raw.once("close", () => {
    if (!raw.writableFinished) chunks.discard();
  });
  const taken = async function* () {
    try {
      for await (const chunk of chunks) {
        const timer = setTimeout(() => {
          breaking(raw, { reason: "stalled" });
          raw.destroy();
        }, takeMs);
        try {
          yield chunk;
        } finally {
          clearTimeout(timer);
        }
      }
    } catch (error) {
      breaking(raw, { reason: isRefusal(error) ? "refused" : "failed", error });
      throw error;
    }
  };
  return reply.send(Readable.from(taken()));
}
