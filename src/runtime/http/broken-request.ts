import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
import { systemClock } from "../basis/clock.ts";
import type { Area, UnroutedCode } from "./operation.ts";

/** Status, phrase and code of an answer without an operation. */
type UnroutedAnswer = readonly [status: number, phrase: string, code: UnroutedCode];

const BROKEN: Readonly<Record<string, UnroutedAnswer>> = {
  HPE_HEADER_OVERFLOW: [431, "Request Header Fields Too Large", "headers_too_large"],
  ERR_HTTP_REQUEST_TIMEOUT: [408, "Request Timeout", "request_timeout"],
};

const BAD_REQUEST: UnroutedAnswer = [400, "Bad Request", "invalid_request"];

/** The answer to CONNECT, which no address offers. Its target may be a foreign host. */
export function answerToConnect(target: string, allow: string | undefined): UnroutedAnswer {
  if (!target.startsWith("/")) return BAD_REQUEST;
  return allow === undefined ? [404, "Not Found", "not_found"] : [405, "Method Not Allowed", "method_not_allowed"];
}

/** Why a connection ended without a readable request. */
export function reasonOf({ code }: Error & { code?: string }, { bytesRead }: Socket, status: number | undefined) {
  if (status === undefined) return "broken";
  if (status === 431) return "headers_too_large";
  if (code !== "ERR_HTTP_REQUEST_TIMEOUT") return "malformed";
  return bytesRead === 0 ? "silent" : "slow";
}

/** False for a failure below HTTP, for example of a TLS handshake, which cannot be answered in HTTP. */
export const isAnswerable = ({ code = "" }: Error & { code?: string }): boolean => /^(HPE_|ERR_HTTP_)/.test(code);

/**
 * Answers bytes that are not an HTTP request; node:http does not pass them to Fastify. Returns the status, or undefined
 * when no answer is possible.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  area: Area,
  requestId: string,
  options: UnroutedOptions,
): number | undefined {
  if (!isAnswerable(error) || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const answer = BROKEN[error.code ?? ""] ?? BAD_REQUEST;
  writeUnrouted(socket, answer, area, requestId, options);
  return answer[0];
}

interface UnroutedOptions {
  readonly headers?: Readonly<Record<string, string>>;
  /** How long the client may take to close its side, in milliseconds. */
  readonly leaveMs: number;
}

/**
 * Answers without Fastify's help, and closes the connection: what the client still sends is dropped, and it need not
 * close its side for that.
 */
export function writeUnrouted(
  socket: Duplex,
  [status, phrase, code]: UnroutedAnswer,
  area: Area,
  requestId: string,
  { headers: more, leaveMs }: UnroutedOptions,
): void {
  const { body, type, headers } = area.unrouted(status, code, requestId);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${phrase}`,
    `content-type: ${type ?? "application/json"}`,
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    "x-content-type-options: nosniff",
    // Node writes it for the others; an origin server that has a clock must (RFC 9110 §6.6.1).
    `date: ${systemClock.now().toUTCString()}`,
    ...Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${String(value)}`),
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
  // Closed at once while the client still writes, the connection would take the answer with it (RFC 9112 §9.6). No
  // timeout of node:http is left for it.
  const leaving = setTimeout(() => socket.destroy(), leaveMs);
  socket.once("close", () => clearTimeout(leaving)).resume();
}
