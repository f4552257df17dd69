import type { Socket } from "node:net";
import type { Duplex } from "node:stream";
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

/**
 * Answers bytes that are not an HTTP request; node:http does not pass them to Fastify. Returns the status, or undefined
 * when no answer is possible.
 */
export function answerBrokenRequest(
  error: Error & { code?: string },
  socket: Socket,
  area: Area,
  requestId: string,
): number | undefined {
  // A failure below HTTP, for example of a TLS handshake, cannot be answered in HTTP.
  if (!/^(HPE_|ERR_HTTP_)/.test(error.code ?? "") || !socket.writable) {
    socket.destroy();
    return undefined;
  }
  const answer = BROKEN[error.code ?? ""] ?? BAD_REQUEST;
  writeUnrouted(socket, answer, area, requestId);
  return answer[0];
}

/** Answers without Fastify's help, and closes the connection. */
export function writeUnrouted(
  socket: Duplex,
  [status, phrase, code]: UnroutedAnswer,
  area: Area,
  requestId: string,
  more: Readonly<Record<string, string>> = {},
): void {
  const { body, type, headers } = area.unrouted(status, code, requestId);
  const text = JSON.stringify(body);
  const lines = [
    `HTTP/1.1 ${status} ${phrase}`,
    `content-type: ${type ?? "application/json"}`,
    `content-length: ${Buffer.byteLength(text)}`,
    `x-request-id: ${requestId}`,
    ...Object.entries({ ...headers, ...more }).map(([name, value]) => `${name}: ${String(value)}`),
    "connection: close",
  ];
  socket.end(`${lines.join("\r\n")}\r\n\r\n${text}`);
}
