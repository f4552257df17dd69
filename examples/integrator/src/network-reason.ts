/**
 * The short code of a request that got no answer ("ECONNREFUSED", "no answer in time"), or undefined for any other
 * error.
 */
export function networkReason(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined;
  if (error.name === "TimeoutError") return "no answer in time";
  // fetch hides the interesting part one level down: TypeError("fetch failed", { cause }).
  if (!(error instanceof TypeError) || error.cause === undefined) return undefined;
  const { code, message } = error.cause as NodeJS.ErrnoException;
  return code ?? message ?? "connection failed";
}
