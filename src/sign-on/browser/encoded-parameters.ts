import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";

/** The parameters of a query or a form as sent, repeated ones included, in order. Percent-encoding is well-formed by now. */
export const toParameters = (encoded: string): Parameter[] =>
  // URLSearchParams removes one question mark; a second one belongs to the first name.
  [...new URLSearchParams(`?${encoded}`)].map(([name, value]) => ({ name, value }));
