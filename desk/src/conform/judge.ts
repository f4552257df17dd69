import { type Answer, isAcknowledged, post } from "../post.ts";
import { type Check, ruleFor, type Step } from "./check.ts";
import type { Exchange, Finding } from "./finding.ts";
import { IN_TIME } from "./genuine-checks.ts";
import type { MadePost, RequestMaker } from "./request-maker.ts";

/** The receiver that is scored. */
export interface Receiver {
  readonly url: URL;
  readonly timeoutMs: number;
}

/** Sends a request as it is. */
export const sendTo = ({ url, timeoutMs }: Receiver, { headers, body }: MadePost): Promise<Answer> =>
  post(url, headers, body, timeoutMs);

/** Sends the requests of a check one after the other, and compares the answers with what the rule asks for. */
export async function judge(receiver: Receiver, check: Check, maker: RequestMaker): Promise<Finding> {
  const exchanges: Exchange[] = [];
  let isServerError = false;
  let isReached = false;
  let failure = "";
  for (const step of await check.steps(maker)) {
    const answer = await sendTo(receiver, step.post);
    exchanges.push(exchangeOf(step, answer, receiver));
    isReached ||= answer.failure !== "connection";
    if (answer.failure === "connection") failure = answer.excerpt;
    isServerError ||= step.expected === "refused" && (answer.status ?? 0) >= 500;
  }
  const result = exchanges.every(({ isAsExpected }) => isAsExpected) ? "passed" : "failed";
  const note =
    result === "passed" && isServerError
      ? "It refuses with a server error (5xx). 400 or 401 would say that the request is at fault."
      : undefined;
  const rule = ruleFor(check, maker.scheme);
  return { ...rule, ...(!isReached && { advice: unansweredAdvice(check, failure) }), result, exchanges, note };
}

/** What to do when no connection gave an answer, by what the network said. */
function unansweredAdvice(check: Check, failure: string): string {
  if (/CERT|UNABLE_TO_VERIFY/.test(failure)) return UNTRUSTED;
  return check === IN_TIME ? UNREACHED : HUNG_UP;
}

const UNREACHED =
  "No connection gave an answer. Is the receiver running, and are the scheme, host and port of the address its own?";
const UNTRUSTED =
  "This machine does not trust the receiver's certificate. Name the file of its issuer's certificate in NODE_EXTRA_CA_CERTS, or score the receiver by http.";
/** Later checks follow an event that was acknowledged: the address is right. */
const HUNG_UP =
  "The connection ended without an answer, after others that had one: answer what you refuse with a status, for example 400. Or has the receiver stopped?";

function exchangeOf({ sent, expected }: Step, answer: Answer, { timeoutMs }: Receiver): Exchange {
  const isAsExpected =
    expected === "acknowledged" ? isAcknowledged(answer) : answer.status !== undefined && !isAcknowledged(answer);
  const wanted = expected === "acknowledged" ? `2xx within ${timeoutMs / 1000} s` : "a status that is not 2xx";
  return { sent, expected: wanted, got: inWords(answer, timeoutMs), isAsExpected };
}

/** An answer in words. */
export function inWords({ status, failure, excerpt, durationMs }: Answer, timeoutMs: number): string {
  if (failure === "timeout") return `no answer within ${timeoutMs / 1000} s`;
  if (status === undefined) return `no answer: ${excerpt}`;
  const shown = excerpt === "" || isQuiet(status) ? "" : ` “${excerpt}”`;
  return `${status}${shown} after ${durationMs} ms`;
}

const isQuiet = (status: number): boolean => status >= 200 && status < 300;
