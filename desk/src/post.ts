/** What came back of one POST. */
export interface Answer {
  /** `undefined` when there was no answer. */
  readonly status: number | undefined;
  /** Why there was none. */
  readonly failure: "timeout" | "connection" | undefined;
  /** The beginning of the answer's body, or what the network said; one line without control characters. */
  readonly excerpt: string;
  readonly durationMs: number;
}

const EXCERPT_LENGTH_MAX = 200;
/** Of an answer's body; the rest is not read. */
const READ_LENGTH_MAX = 4_096;
/** For the body, once the status is there. */
const READ_MS = 500;

/** True for 2xx, which alone acknowledges an event. */
export const isAcknowledged = ({ status }: Answer): boolean => status !== undefined && status >= 200 && status < 300;

/**
 * Posts the exact bytes, follows no redirect, and waits no longer than `timeoutMs` for the status. What follows the
 * status changes nothing, as little as it does for Gatehouse (R-X308).
 */
export async function post(
  url: URL,
  headers: Readonly<Record<string, string>>,
  body: string,
  timeoutMs: number,
): Promise<Answer> {
  const began = performance.now();
  const taken = () => Math.round(performance.now() - began);
  try {
    const signal = AbortSignal.timeout(timeoutMs);
    const answer = await fetch(url, { method: "POST", headers, body, redirect: "manual", signal });
    const durationMs = taken();
    return { status: answer.status, failure: undefined, excerpt: oneLine(await beginningOf(answer)), durationMs };
  } catch (error) {
    const failure = (error as Error).name === "TimeoutError" ? "timeout" : "connection";
    return { status: undefined, failure, excerpt: failure === "timeout" ? "" : reasonOf(error), durationMs: taken() };
  }
}

/** What arrives of a body soon; a connection that ends meanwhile ends it too. */
async function beginningOf({ body }: Response): Promise<string> {
  if (body === null) return "";
  const reader = body.getReader();
  const late = setTimeout(() => void reader.cancel().catch(() => undefined), READ_MS);
  const decoder = new TextDecoder();
  let text = "";
  try {
    while (text.length < READ_LENGTH_MAX) {
      const { done, value } = await reader.read();
      if (done) return text;
      text += decoder.decode(value, { stream: true });
    }
    await reader.cancel();
    return text;
  } catch {
    return text;
  } finally {
    clearTimeout(late);
  }
}

/** Why the network failed, in its own words. */
export function reasonOf(error: unknown): string {
  const { cause, message } = error as Error;
  const { code, message: inner } = (cause ?? {}) as { readonly code?: string; readonly message?: string };
  return oneLine(code ?? inner ?? message);
}

/** Text of others on one line of a terminal. */
export const oneLine = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}\s]+/gu, " ")
    .trim()
    .slice(0, EXCERPT_LENGTH_MAX);
