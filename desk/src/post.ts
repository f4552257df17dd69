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

/** True for 2xx, which alone acknowledges an event. */
export const isAcknowledged = ({ status }: Answer): boolean => status !== undefined && status >= 200 && status < 300;

/** Posts the exact bytes, follows no redirect, and waits no longer than `timeoutMs` for the whole answer. */
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
    const excerpt = oneLine(await answer.text());
    return { status: answer.status, failure: undefined, excerpt, durationMs: taken() };
  } catch (error) {
    const failure = (error as Error).name === "TimeoutError" ? "timeout" : "connection";
    return { status: undefined, failure, excerpt: failure === "timeout" ? "" : reasonOf(error), durationMs: taken() };
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
