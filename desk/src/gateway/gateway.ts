import { setTimeout as pause } from "node:timers/promises";
import { CommandError, EXIT } from "../command-error.ts";
import { oneLine, reasonOf } from "../post.ts";

/** The gateway's answer to one request. */
export type GatewayAnswer =
  | { readonly kind: "good"; readonly body: unknown }
  | { readonly kind: "problem"; readonly problem: Problem }
  /** Nothing came back. */
  | { readonly kind: "none"; readonly reason: string }
  /** What came back is none of the gateway's answers: of another program, or of one in between. */
  | { readonly kind: "foreign" };

/** What the gateway says is wrong (RFC 9457). */
export interface Problem {
  readonly status: number;
  readonly code: string;
  readonly detail: string;
  /** Of a feed: the cursor at which the kept part begins. */
  readonly keptFrom: string | undefined;
  /** From Retry-After. */
  readonly retryAfterMs: number | undefined;
}

interface GatewayRequest {
  readonly method?: "GET" | "POST";
  readonly path: string;
  readonly query?: Readonly<Record<string, string | undefined>>;
  readonly body?: unknown;
  /** False for a POST that can be asked again without harm. */
  readonly changes?: boolean;
  /** The longest wait that the gateway may ask for. */
  readonly longestWaitMs?: number;
  /** What a problem that does not pass means for this request, where that is not what it means for all. */
  readonly fixOf?: (problem: Problem) => string | undefined;
  /** True for the body of a success as the contract has it. */
  readonly isExpected: (body: unknown) => boolean;
  /** How long the answer may take. */
  readonly timeoutMs?: number;
  readonly signal?: AbortSignal;
}

/** The gateway's API, with one API key. */
export interface Gateway {
  /** Without a path, for messages and file names. */
  readonly address: URL;
  ask(request: GatewayRequest): Promise<GatewayAnswer>;
}

const TIMEOUT_MS = 15_000;

/** Asks the gateway at an address, below whose path its operations are. */
export const gatewayAt = (address: URL, apiKey: string): Gateway => ({
  address,
  async ask({ method = "GET", path, query = {}, body, isExpected, timeoutMs = TIMEOUT_MS, signal }) {
    // Set, not resolved: a path that begins with two slashes would name another host, which would get the key.
    const url = new URL(address);
    url.pathname = `${address.pathname.replace(/\/+$/, "")}${path}`;
    url.search = "";
    url.hash = "";
    for (const [name, value] of Object.entries(query)) if (value !== undefined) url.searchParams.set(name, value);
    const timeout = AbortSignal.timeout(timeoutMs);
    try {
      const answer = await fetch(url, {
        method,
        headers: { "x-api-key": apiKey, ...(body === undefined ? {} : { "content-type": "application/json" }) },
        body: body === undefined ? null : JSON.stringify(body),
        redirect: "manual",
        signal: signal === undefined ? timeout : AbortSignal.any([signal, timeout]),
      });
      const text = await answer.text();
      if (isOfAnother(answer, text)) return { kind: "foreign" };
      if (!answer.ok) return { kind: "problem", problem: problemOf(answer, text) };
      const value = jsonOf(text);
      return isExpected(value) ? { kind: "good", body: value } : { kind: "foreign" };
    } catch (error) {
      const isLate = (error as Error).name === "TimeoutError";
      return { kind: "none", reason: isLate ? `no answer within ${timeoutMs / 1000} s` : reasonOf(error) };
    }
  },
});

/** True for a redirect, and for "nothing here" without a problem's code, which the gateway always gives. */
const isOfAnother = ({ status }: Response, text: string): boolean =>
  (status >= 300 && status < 400) || ([404, 405].includes(status) && typeof membersOf(jsonOf(text)).code !== "string");

function problemOf({ status, headers }: Response, text: string): Problem {
  const said = membersOf(jsonOf(text));
  const word = (name: string) => (typeof said[name] === "string" ? oneLine(said[name]) : undefined);
  return {
    status,
    code: word("code") ?? `http_${status}`,
    detail: word("detail") ?? `The gateway answered ${status}.`,
    keptFrom: typeof said.keptFrom === "string" ? said.keptFrom : undefined,
    retryAfterMs: waitOf(headers.get("retry-after"), Date.now()),
  };
}

/** `undefined` for what is not JSON. */
function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The members of an object; none of everything else. */
export const membersOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null ? (value as Readonly<Record<string, unknown>>) : {};

const WAIT_MS_MAX = 60 * 60 * 1000;

/** Milliseconds that a Retry-After field asks to wait, at most an hour; `undefined` when it says nothing. */
export function waitOf(field: string | null, now: number): number | undefined {
  if (field === null) return undefined;
  const ms = /^\d{1,9}$/.test(field)
    ? Number(field) * 1000
    : /^[A-Z][a-z]{2}, /.test(field)
      ? Date.parse(field) - now
      : Number.NaN;
  return Number.isNaN(ms) ? undefined : Math.min(WAIT_MS_MAX, Math.max(0, ms));
}

/** True when the same request may succeed later. */
export const isPassing = ({ status }: Problem): boolean => status === 429 || status >= 500;

/** A problem that ends a command, in words. */
export function problemError({ status, code, detail }: Problem, otherFix?: string): CommandError {
  const fix = otherFix ?? fixOf(code) ?? fixOf(status);
  const what = { exitCode: EXIT.refused, reason: code, ...(fix === undefined ? {} : { fix }) };
  return new CommandError(`Gatehouse refused: ${detail} (${status}, ${code})`, what);
}

const fixOf = (word: string | number): string | undefined => (Object.hasOwn(FIXES, word) ? FIXES[word] : undefined);

/** What to do, by code or status. */
const FIXES: Readonly<Record<string | number, string>> = {
  event_type_not_subscribed: "Add the type to the subscription's eventTypes, or choose another subscription.",
  not_found: "Correct --gateway (or GATEWAY_URL): it is what comes before /v1.",
  401: "Is it the whole API key, and not revoked?",
  403: "The API key needs the scope webhooks: issue one that has it.",
};

/** For what is none of the gateway's answers. */
export const foreignError = ({ address }: Gateway): CommandError =>
  new CommandError(`What answers at ${address.href} is not the gateway.`, {
    fix: "Correct --gateway (or GATEWAY_URL).",
    exitCode: EXIT.notReachable,
  });

const TRIES = 4;
/** For somebody who waits before a terminal; what asks for a longer wait is said at once. */
const LONGEST_WAIT_MS = 10_000;
const OPEN = "It may have been done all the same: look before you ask again.";

/**
 * Asks until there is an answer that is no passing trouble, a few times. A change is asked for again only where it was
 * not made for certain: over the limit of the key. Where a longer wait is asked for, the problem is thrown with it.
 * @throws CommandError when there is none, or when the answer is a problem.
 */
export async function askPatiently(gateway: Gateway, request: GatewayRequest): Promise<unknown> {
  const changes = request.changes ?? request.method === "POST";
  for (let tries = 1; ; tries++) {
    const answer = await gateway.ask(request);
    if (answer.kind === "good") return answer.body;
    if (answer.kind === "none") {
      throw new CommandError(`${gateway.address.origin} does not answer: ${answer.reason}.`, {
        exitCode: EXIT.notReachable,
        ...(changes && { fix: OPEN }),
      });
    }
    if (answer.kind === "foreign") throw foreignError(gateway);
    const { problem } = answer;
    const isOpen = changes && problem.status >= 500;
    if (!isPassing(problem) || isOpen) throw problemError(problem, isOpen ? OPEN : request.fixOf?.(problem));
    const waitMs = problem.retryAfterMs ?? 1_000;
    if (waitMs > (request.longestWaitMs ?? LONGEST_WAIT_MS))
      throw problemError(problem, `Ask again in ${Math.ceil(waitMs / 1000)} s.`);
    if (tries === TRIES) throw problemError(problem);
    await pause(waitMs);
  }
}
