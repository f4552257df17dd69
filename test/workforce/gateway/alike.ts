import type { Answer } from "../../support/http.ts";

/** All that may differ between two answers that must be alike: the request's name, the time, what is left of the rate (R-G3). */
const MAY_DIFFER = /^(x-request-id|date|ratelimit(-policy)?|retry-after)$/;

/** An answer without what may differ; headers as they came, in their order. */
export const comparable = ({ status, headers, text }: Answer) => {
  const requestId = headers.get("x-request-id") ?? "";
  const kept = [...headers].filter(([name]) => !MAY_DIFFER.test(name));
  return { status, headers: kept, text: text.replaceAll(requestId, "REQUEST") };
};
