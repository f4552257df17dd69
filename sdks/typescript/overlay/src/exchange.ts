import { cancelled, GatehouseError, localError, merged, retryAfterOf, unexpectedAnswer } from "./gatehouse-error.js";
import type { RememberedAnswer, RememberedAnswers } from "./remembered-answers.js";
import type { FetchAPI } from "./runtime.js";
import { pause, Turnstile } from "./turnstile.js";

export interface ExchangeOptions {
  readonly fetch: FetchAPI;
  /** Of one attempt, until the last byte of its answer. */
  readonly deadlineMs: number;
  /** Further attempts after the first. */
  readonly retries: number;
  /** The longest `Retry-After` that is waited for. */
  readonly longestWaitMs: number;
  /** The bytes of one answer's body, its content coding undone. */
  readonly answerBytesMax: number;
  /** Undefined: none are remembered. */
  readonly remembered: RememberedAnswers | undefined;
  /** True for an address of the gateway: only reads of it are attempted again and remembered. */
  readonly isGateway: (url: string) => boolean;
}

/** Headers that describe a body: the remembered one, where a 304 has confirmed it (RFC 9111 §3.2). */
const OF_THE_BODY = /^(?:content-(?:encoding|length|range|type)|transfer-encoding)$/i;

/** Answers without a status come from failed attempts. */
const RETRIED_STATUSES = new Set([429, 503]);
const USER_AGENT = "gatehouse-sdk-typescript/0.0.0";
/** False in browsers: they send a name of their own, and ask a server before they send it another. */
const namesItself =
  (globalThis as { readonly process?: { readonly versions?: object } }).process?.versions !== undefined;
const FIRST_PAUSE_MS = 500;
const PAUSE_MS_MAX = 8_000;

/** One request as this package makes it: with a deadline, retries of reads, and entity tags of answers that are remembered. */
export const exchange = (options: ExchangeOptions): FetchAPI => {
  const { isGateway, remembered, retries } = options;
  const turnstile = new Turnstile();
  return async (input, init = {}) => {
    const url = String(input);
    const isRead = (init.method ?? "GET") === "GET" && isGateway(url);
    const headers = new Headers(init.headers);
    if (namesItself && !headers.has("user-agent")) headers.set("user-agent", USER_AGENT);
    const key = `${url} ${headers.get("x-api-key")}`;
    const ours = isRead && !headers.has("if-none-match") ? remembered : undefined;
    const known = ours?.find(key);
    if (known !== undefined) headers.set("if-none-match", known.entityTag);
    // A redirect would lead to an address that was not asked for, and the API key with it.
    const request = { ...init, headers, redirect: "manual" } as const;
    const signal = init.signal ?? undefined;
    const once = () => attempt(options, url, request);
    const place = turnstile.newPlace();
    const passage = {
      place,
      send: once,
      leavesAtOnce: asksToWait(url),
      limitedForMs: (answer: Answer) => limitedForMs(options, answer),
      signal,
    };
    const answer =
      isRead && retries > 0
        ? await repeated(options, () => turnstile.pass(passage), signal).finally(() => turnstile.leave(place))
        : await once();
    if (answer.status === 304 && known !== undefined)
      // What the confirmation says is newer (RFC 9111 §4.3.4).
      return responseOf(
        200,
        merged(
          known.headers,
          [...answer.headers].filter(([name]) => !OF_THE_BODY.test(name)),
        ),
        known.body,
      );
    const entityTag = isStorable(answer.headers) ? answer.headers.get("etag") : null;
    if (ours !== undefined && answer.status === 200 && entityTag !== null && isJson(answer.body))
      ours.remember(key, { entityTag, headers: answer.headers, body: answer.body });
    return responseOf(answer.status, answer.headers, answer.body);
  };
};

/** False for an answer that is to be kept nowhere (RFC 9111 §5.2.2.5), as those about webhooks. */
const isStorable = (headers: Headers): boolean => !/\bno-store\b/i.test(headers.get("cache-control") ?? "");

/** A body that was cut on its way is not remembered: each 304 would confirm it again, until something changes. */
function isJson(body: Uint8Array): boolean {
  try {
    JSON.parse(new TextDecoder().decode(body));
    return true;
  } catch {
    return false;
  }
}

/** True for a read of the feed that the server may answer later: when there is an event. */
const asksToWait = (url: string): boolean => Number(new URL(url).searchParams.get("wait")) > 0;

interface Answer extends Pick<RememberedAnswer, "headers" | "body"> {
  readonly status: number;
}

/** Attempts a read until it has an answer that is worth no further attempt. */
async function repeated(
  options: ExchangeOptions,
  send: () => Promise<Answer>,
  signal: AbortSignal | undefined,
): Promise<Answer> {
  for (let failures = 0; ; failures++) {
    const isLast = failures >= options.retries;
    const answer = await send().catch((error: unknown) => {
      if (isLast || !isNoAnswer(error)) throw error;
      return undefined;
    });
    if (answer !== undefined && (isLast || !RETRIED_STATUSES.has(answer.status))) return answer;
    const askedMs = answer === undefined ? undefined : askedWaitMs(answer);
    if (answer !== undefined && askedMs !== undefined && askedMs > options.longestWaitMs) return answer;
    // The turnstile waits.
    if (answer?.status === 429 && askedMs !== undefined) continue;
    await pause(askedMs ?? backOffMs(failures), signal);
  }
}

/** How long the key is over its limit, by an answer that says so and whose time is not too long to be waited for. */
function limitedForMs({ longestWaitMs }: ExchangeOptions, answer: Answer): number | undefined {
  const askedMs = answer.status === 429 ? askedWaitMs(answer) : undefined;
  return askedMs === undefined || askedMs > longestWaitMs ? undefined : askedMs;
}

const isNoAnswer = (error: unknown): boolean => (error as { readonly code?: unknown }).code === "no_answer";

/** The wait that an answer names; undefined when it names none. */
function askedWaitMs({ headers }: Answer): number | undefined {
  const retryAfter = retryAfterOf(headers);
  return retryAfter === undefined ? undefined : retryAfter * 1000;
}

/** Any time up to one that doubles with each failure. */
const backOffMs = (failures: number): number => Math.random() * Math.min(FIRST_PAUSE_MS * 2 ** failures, PAUSE_MS_MAX);

async function attempt(
  { fetch, deadlineMs, answerBytesMax }: ExchangeOptions,
  url: string,
  init: RequestInit,
): Promise<Answer> {
  const deadline = AbortSignal.timeout(deadlineMs);
  const signal = init.signal ? AbortSignal.any([init.signal, deadline]) : deadline;
  try {
    const response = await fetch(url, { ...init, signal });
    const body = await bodyOf(response, answerBytesMax);
    return { status: response.status, headers: response.headers, body };
  } catch (cause) {
    if (cause instanceof GatehouseError) throw cause;
    if (init.signal?.aborted) throw cancelled(init.signal);
    if (deadline.aborted)
      throw localError("deadline_exceeded", `There was no whole answer within ${deadlineMs} ms.`, cause);
    throw localError("no_answer", `Gatehouse cannot be reached at ${new URL(url).origin}.`, cause);
  }
}

/** @throws GatehouseError for a body above the bound, of which no more is read. */
async function bodyOf(response: Response, bytesMax: number): Promise<Uint8Array> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  for await (const piece of piecesOf(response)) {
    length += piece.byteLength;
    if (length > bytesMax) throw unexpectedAnswer(response, `The answer is larger than ${bytesMax} bytes.`);
    pieces.push(piece);
  }
  const body = new Uint8Array(length);
  let at = 0;
  for (const piece of pieces) {
    body.set(piece, at);
    at += piece.byteLength;
  }
  return body;
}

async function* piecesOf(response: Response): AsyncGenerator<Uint8Array> {
  // A body that is another kind of stream comes from a fetch that is not the platform's.
  if (typeof response.body?.getReader !== "function") return yield new Uint8Array(await response.arrayBuffer());
  const reader = response.body.getReader();
  try {
    for (let read = await reader.read(); !read.done; read = await reader.read()) yield read.value;
  } finally {
    // Ends the connection of a body that was not read to its end. Nobody waits for it, and it may have failed already.
    reader.cancel().catch(() => {});
  }
}

/** Answers with these have no body, whatever was sent (Fetch §2.2.3). */
const BODILESS_STATUSES = new Set([204, 205, 304]);

/** A response with bytes that were read and decoded before. The status 0 is that of a redirect in a browser. */
function responseOf(status: number, headers: Headers, body: Uint8Array): Response {
  const kept = new Headers(headers);
  kept.delete("content-encoding");
  kept.delete("content-length");
  if (status === 0) throw localError("unexpected_answer", "The answer is a redirect, and this package follows none.");
  // Proxies answer with such a status, and no Response can have it.
  if (status > 599) throw unexpectedAnswer({ status, headers }, `The answer is none of Gatehouse's: status ${status}.`);
  const isEmpty = body.byteLength === 0 || BODILESS_STATUSES.has(status);
  return new Response(isEmpty ? null : (body as BodyInit), { status, headers: kept });
}
