import { TransportError } from "@temporalio/worker";
import { isDenied, ServerUnfit } from "./server-check.ts";
import { isUnanswered } from "./unanswered.ts";

/**
 * Every failure to connect is one class of error, so the cause is found by its message. An error that matches none of
 * these means that the server is unreachable.
 */
const REASONS: readonly (readonly [words: RegExp, sentence: (address: string) => string])[] = [
  [
    /InvalidCertificate\((?:Expired|NotValidYet)/,
    (address) =>
      `The certificate of the server at ${address} is not good today: it has expired, or begins later. Renew it, or set this machine's clock.`,
  ],
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
  [
    /failed to parse private key/,
    () =>
      "temporal-tls-key is of a kind that Temporal's client cannot use. Give a certificate with a key of RSA, P-256, P-384 or Ed25519.",
  ],
  // Before TLS 1.3 a server ends the handshake itself, with an alert or without a word.
  [/AlertReceived|tls handshake eof/, ends],
  // In TLS 1.3 a server checks our certificate after we have begun to send; its alert may or may not arrive before the
  // connection breaks.
  [/^Failed to call GetSystemInfo.*(transport error|operation was canceled)/, ends],
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

function ends(address: string): string {
  return `The server at ${address} ends our connections: does it want TLS, or a certificate? See temporal-tls and temporal-tls-certificate.`;
}

function refuses(address: string): string {
  return `The server at ${address} refuses us. See temporal-api-key.`;
}
