import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";

/** The query's parameters as sent, repeated ones included, in order. The query has well-formed percent-encoding by now. */
export const toParameters = (rawQuery: string): Parameter[] =>
  // URLSearchParams takes one question mark off, and a second one belongs to the first name.
  [...new URLSearchParams(`?${rawQuery}`)].map(([name, value]) => ({ name, value }));
