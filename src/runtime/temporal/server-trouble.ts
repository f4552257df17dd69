import { TransportError } from "@temporalio/worker";
import { isDenied, ServerUnfit } from "./server-check.ts";

/**
 * CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE: codes of a call without an answer. The SDK's engine uses CANCELLED for a
 * timeout.
 */
const UNANSWERED: ReadonlySet<number | undefined> = new Set([1, 4, 14]);
const GRPC_UNKNOWN = 2;

/**
 * Every failure to connect is one class of error, so the cause is found by its message. An error that matches none of
 * these means that the server is unreachable.
 */
const REASONS: readonly (readonly [words: RegExp, sentence: (address: string) => string])[] = [
  [
    /InvalidCertificate/,
    (address) =>
      `The certificate of the server at ${address} is not trusted, or is for another name. See temporal-tls-ca and temporal-tls-server-name.`,
  ],
  [
    /InvalidMessage\(InvalidContentType\)/,
    (address) => `The server at ${address} does not speak TLS. Remove temporal-tls, or see temporal-address.`,
  ],
  [/valid authentication credentials|does not have permission/, refuses],
  // In TLS 1.3 a server checks our certificate after we have begun to send; its alert may or may not arrive before the
  // connection breaks.
  [
    /^Failed to call GetSystemInfo.*(transport error|operation was canceled)/,
    (address) =>
      `The server at ${address} ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.`,
  ],
];

/** Why Temporal cannot be used. */
export interface ServerTrouble {
  /** For health checks and operators. */
  readonly sentence: string;
  /** The error to log when the sentence does not explain it. */
  readonly error?: unknown;
}

/** Distinguishes an unreachable server, an unsuitable server, and a worker that fails by itself. */
export function troubleOf(error: unknown, address: string): ServerTrouble {
  if (error instanceof ServerUnfit) return { sentence: error.message };
  if (isDenied(error)) return { sentence: refuses(address) };
  if (error instanceof TransportError) {
    const [, sentence] = REASONS.find(([words]) => words.test(error.message)) ?? [];
    if (sentence !== undefined) return { sentence: sentence(address) };
  }
  if (isUnanswered(error)) return { sentence: `The server at ${address} does not answer.` };
  return { sentence: "The Temporal worker cannot run: the log says why.", error };
}

function refuses(address: string): string {
  return `The server at ${address} refuses us. See temporal-api-key.`;
}

/** A connection that breaks in the middle of a call is an UNKNOWN error with these words. */
function isUnanswered(error: unknown): boolean {
  if (error instanceof TransportError) return true;
  const { code, message } = (error ?? {}) as { readonly code?: number; readonly message?: string };
  return UNANSWERED.has(code) || (code === GRPC_UNKNOWN && /transport error/i.test(message ?? ""));
}
