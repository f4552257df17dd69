import { TransportError } from "@temporalio/worker";
import { isRefusal, ServerUnfit } from "./server-check.ts";

/** CANCELLED, DEADLINE_EXCEEDED, UNAVAILABLE: what a call ends with that nobody answered. The engine says CANCELLED when its time is over. */
const UNANSWERED: ReadonlySet<number | undefined> = new Set([1, 4, 14]);
const GRPC_UNKNOWN = 2;

/** What connecting fails with is one class of error; only its words tell why. What matches none of these is a server that is away. */
const REASONS: readonly (readonly [words: RegExp, sentence: (address: string) => string])[] = [
  [
    /InvalidCertificate/,
    (address) =>
      `The certificate of the server at ${address} is not trusted, or is for another name. See temporal-tls-ca and temporal-tls-server-name.`,
  ],
  [/valid authentication credentials|does not have permission/, refuses],
  // TLS 1.3 lets a server judge our certificate when we have begun to speak; whether its alert arrives before the connection breaks is chance.
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
  /** What has to be read in the log, since the sentence does not say it. */
  readonly error?: unknown;
}

/** Tells a server that is away from one that does not fit, and both from a worker that fails by itself. */
export function troubleOf(error: unknown, address: string): ServerTrouble {
  if (error instanceof ServerUnfit) return { sentence: error.message };
  if (isRefusal(error)) return { sentence: refuses(address) };
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
