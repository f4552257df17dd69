import { performance } from "node:perf_hooks";
import { Agent, type Dispatcher, Pool } from "undici";
import type { ClaimedAttempt } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { type NotSent, type Outcome, outcomeOfStatus } from "../deliveries/outcome.ts";
import { portProblem } from "../endpoints/endpoint-port.ts";
import type { EndpointRules } from "../endpoints/endpoint-url.ts";
import {
  AddressForbidden,
  addressGuard,
  type ConnectorOptions,
  guardedConnector,
  NameUnresolved,
} from "./address-guard.ts";
import { AnswerTooLong } from "./answer-bytes.ts";
import { type Mask, maskOf } from "./masked-answer.ts";
import type { Resolve } from "./name-resolver.ts";
import { type Trouble, troubleOf } from "./own-trouble.ts";

/** Of an answer's body (R-E7). */
const READ_BYTES_MAX = 64 * 1024;
const KEPT_BYTES_MAX = 4 * 1024;
const HEADER_BYTES_MAX = 16 * 1024;
const RETRY_AFTER_LENGTH_MAX = 64;
/** How long the rest of an answer may take that has acknowledged already. */
const REST_MS = 1_000;
/** Shorter than the 5 s after which many servers close: a request on a closing connection is a failed attempt. */
const KEEP_ALIVE_MS = 4_000;
/** A busy connection would stay at the address of its beginning, wherever its name leads by now (R-X415). */
const CONNECTION_MS = 60_000;

/** How one POST ended, or that it never left. */
export interface AttemptResult {
  readonly outcome: Outcome | NotSent;
  /** Of our own, when it was not sent. */
  readonly trouble?: Trouble | undefined;
  readonly httpStatus: number | undefined;
  readonly durationMs: number;
  readonly retryAfter: string | undefined;
  readonly responseExcerpt: Buffer;
}

export interface AttemptSender {
  /** Never throws: whatever happens is a result of trying. */
  send(attempt: Pick<ClaimedAttempt, "endpointUrl" | "headers" | "body">): Promise<AttemptResult>;
  close(): Promise<void>;
}

export interface AttemptSenderOptions extends Omit<EndpointRules, "namesSettings"> {
  /** From looking up the name to the last byte of the answer (R-E7); of a 2xx to the end of its headers (R-X308). */
  readonly timeoutMs: number;
  readonly connectTimeoutMs: number;
  /** Connections to one origin. */
  readonly connections: number;
  readonly resolve: Resolve;
  /** True when a resolver answers at all; asked when a name could not be looked up. */
  readonly resolverAnswers: () => Promise<boolean>;
  /** Called when a connection is open. */
  readonly connected?: ConnectorOptions["connected"];
  /** Certificates that are trusted instead of the system's; for tests. */
  readonly trusted?: string | undefined;
}

/**
 * Sends claimed attempts. Redirects are not followed, compression is not asked for, proxies of the environment are not
 * used (S46, S47).
 */
export function attemptSender(options: AttemptSenderOptions): AttemptSender {
  const guard = addressGuard(options.allowedNetworks, options.resolve, options.own);
  const agent = new Agent({
    // A single connection, too, in a pool: outside of one none ends by its age.
    factory: (origin, poolOptions: Pool.Options) => new Pool(origin, { ...poolOptions, clientTtl: CONNECTION_MS }),
    connect: guardedConnector({
      guard,
      connectTimeoutMs: options.connectTimeoutMs,
      trusted: options.trusted,
      connected: options.connected,
    }),
    connections: options.connections,
    pipelining: 1,
    allowH2: false,
    keepAliveTimeout: KEEP_ALIVE_MS,
    keepAliveMaxTimeout: 60_000,
    maxHeaderSize: HEADER_BYTES_MAX,
    // One deadline of ours covers everything; undici's are for idle time only.
    headersTimeout: 0,
    bodyTimeout: 0,
  });
  return {
    send: ({ endpointUrl, headers, body }) =>
      new Promise((resolve) => {
        const judge = (error: unknown) => {
          const isTimeout = error === undefined || outcomeOfError(error) === "timeout";
          const { hostname } = URL.canParse(endpointUrl) ? new URL(endpointUrl) : { hostname: "" };
          const lookingUp = isTimeout && guard.isLookingUp(hostname);
          return troubleOf({ error, lookingUp, waiting: lookingUp && guard.isWaiting(hostname) }, options);
        };
        const exchange = new Exchange({ timeoutMs: options.timeoutMs, judge, mask: maskOf(headers) }, resolve);
        try {
          const url = new URL(endpointUrl);
          if (url.protocol !== "https:" && !options.allowHttp)
            throw new AddressForbidden("Endpoints must be https where webhook-allow-http is not set.");
          if (portProblem(url, options.allowedPorts) !== undefined)
            throw new AddressForbidden("The port is not one that webhook-endpoint-ports allows.");
          const fields = headers.flatMap(({ name, value }) => [name, value]);
          agent.dispatch(
            {
              origin: url.origin,
              path: url.pathname + url.search,
              method: "POST",
              headers: [...fields, "accept-encoding", "identity"],
              body,
            },
            exchange,
          );
        } catch (error) {
          exchange.onResponseError(null, error as Error);
        }
      }),
    close: () => agent.destroy(),
  };
}

/** Ends what is still going on over the connection. It is never shown: the attempt is settled by then. */
const ENDED = new Error("The attempt has ended.");

interface ExchangeOptions {
  readonly timeoutMs: number;
  /** Our own trouble that an error before the request shows; `undefined` when it is the endpoint's. */
  readonly judge: (error: unknown) => Promise<Trouble | undefined>;
  /** For what is kept of the answer. */
  readonly mask: Mask | undefined;
}

/** One request and its answer, with the deadline over both. Settles once; what comes later is dropped. */
class Exchange implements Dispatcher.DispatchHandler {
  readonly #startedAt = performance.now();
  readonly #settle: (result: AttemptResult) => void;
  readonly #judge: ExchangeOptions["judge"];
  readonly #mask: ExchangeOptions["mask"];
  #deadline: NodeJS.Timeout;
  readonly #kept: Buffer[] = [];
  #keptBytes = 0;
  #readBytes = 0;
  readonly #endsAt: number;
  #controller: Dispatcher.DispatchController | undefined;
  /** True once bytes of the request may have left. */
  #begun = false;
  #settled = false;
  #status: number | undefined;
  #retryAfter: string | undefined;
  #isRetryAfterCut = false;
  #isWhole = false;

  constructor({ timeoutMs, judge, mask }: ExchangeOptions, settle: (result: AttemptResult) => void) {
    this.#settle = settle;
    this.#judge = judge;
    this.#mask = mask;
    this.#deadline = setTimeout(() => this.#fail("timeout", undefined), timeoutMs);
    this.#endsAt = this.#startedAt + timeoutMs;
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller;
    // The deadline passed while the connection was made: nothing may leave any more.
    if (this.#settled) controller.abort(ENDED);
    else this.#begun = true;
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: Record<string, unknown>): void {
    if (status < 100) this.#fail("protocol", undefined);
    if (status < 200) return;
    this.#status = status;
    const [retryAfter] = [headers["retry-after"]].flat();
    if (typeof retryAfter === "string") {
      this.#retryAfter = retryAfter.trim().slice(0, RETRY_AFTER_LENGTH_MAX);
      this.#isRetryAfterCut = retryAfter.trim().length > RETRY_AFTER_LENGTH_MAX;
    }
    if (outcomeOfStatus(status) === "acknowledged") this.#hurry();
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    this.#readBytes += chunk.length;
    const room = KEPT_BYTES_MAX - this.#keptBytes;
    if (room > 0) {
      // A copy: the chunk is a window on a buffer that is reused.
      this.#kept.push(Buffer.from(chunk.subarray(0, room)));
      this.#keptBytes += Math.min(room, chunk.length);
    }
    // A longer answer is cut off: its status counts.
    if (this.#readBytes >= READ_BYTES_MAX) this.#endByStatus();
  }

  onResponseEnd(): void {
    this.#controller = undefined;
    this.#isWhole = this.#readBytes === this.#keptBytes;
    this.#endByStatus();
  }

  onResponseError(_: Dispatcher.DispatchController | null, error: Error): void {
    // Cut off like a long body: its status counts, when it has come.
    if (error instanceof AnswerTooLong) this.#endByStatus();
    else this.#fail(outcomeOfError(error), error);
  }

  /** The status acknowledges (R-X308); the rest is for operators to read, and must not keep a place from others. */
  #hurry(): void {
    clearTimeout(this.#deadline);
    const restMs = Math.min(REST_MS, Math.max(0, this.#endsAt - performance.now()));
    this.#deadline = setTimeout(() => this.#endByStatus(), restMs);
  }

  /** No complete answer: the endpoint's failure, unless the request never began and the trouble is our own. */
  #fail(outcome: Outcome, error: unknown): void {
    if (this.#begun) {
      this.#end(outcome);
      return;
    }
    const end = this.#settling();
    if (end === undefined) return;
    void this.#judge(error).then(
      (trouble) => end(trouble === undefined ? outcome : "not_sent", trouble),
      () => end(outcome),
    );
  }

  #endByStatus(): void {
    this.#end(this.#status === undefined ? "protocol" : outcomeOfStatus(this.#status));
  }

  #end(outcome: Outcome): void {
    this.#settling()?.(outcome);
    this.#controller?.abort(ENDED);
  }

  /**
   * Settles from now on: nothing may leave any more. What to call with the outcome, or `undefined` when it is settled
   * already.
   */
  #settling(): ((outcome: AttemptResult["outcome"], trouble?: Trouble) => void) | undefined {
    if (this.#settled) return undefined;
    this.#settled = true;
    clearTimeout(this.#deadline);
    const durationMs = Math.round(performance.now() - this.#startedAt);
    return (outcome, trouble) =>
      this.#settle({
        outcome,
        trouble,
        httpStatus: this.#status,
        durationMs,
        retryAfter: this.#retryAfter && (this.#mask?.(this.#retryAfter, this.#isRetryAfterCut) ?? this.#retryAfter),
        responseExcerpt: this.#excerpt(),
      });
  }

  /** The kept bytes, without the values of extra headers. */
  #excerpt(): Buffer {
    const kept = Buffer.concat(this.#kept);
    if (this.#mask === undefined || kept.length === 0) return kept;
    return Buffer.from(this.#mask(kept.toString("latin1"), !this.#isWhole), "latin1").subarray(0, KEPT_BYTES_MAX);
  }
}

/**
 * OpenSSL's findings on certificates and Node's own on TLS, by the beginnings of their codes. Findings that Node has no code
 * for are UNSPECIFIED, such as a key that is too short.
 */
const TLS =
  /^(UNSPECIFIED|ERR_TLS|ERR_SSL|EPROTO|CERT_|CRL_|UNABLE_TO_|DEPTH_ZERO|SELF_SIGNED|HOSTNAME_MISMATCH|INVALID_|ERROR_IN_C|PATH_LENGTH|SUBJECT_ISSUER|AKID_|KEYUSAGE)/;
const PROTOCOL = /^(HPE_|UND_ERR_HEADERS_OVERFLOW|UND_ERR_RES_|UND_ERR_INVALID_ARG)/;
const TIMEOUT = /^(UND_ERR_(CONNECT|HEADERS|BODY)_TIMEOUT|ETIMEDOUT)$/;

/** Why no complete answer came. Everything that fits nowhere else is the connection's fault. */
export function outcomeOfError(error: unknown): Outcome {
  if (error instanceof AddressForbidden) return "address";
  if (error instanceof NameUnresolved) return "dns";
  const { code = "", name } = (error ?? {}) as Partial<NodeJS.ErrnoException>;
  if (TIMEOUT.test(code)) return "timeout";
  if (PROTOCOL.test(code) || name === "HTTPParserError") return "protocol";
  return TLS.test(code) ? "tls" : "connection";
}
