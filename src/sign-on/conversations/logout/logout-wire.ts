import type { Parameter } from "#generated/proto/gatehouse/sign_on/v1/browser.ts";

/** The query's parameters as sent, repeated ones included, in order. The query has well-formed percent-encoding by now. */
export const queryParameters = (rawQuery: string): Parameter[] =>
  [...new URLSearchParams(`?${rawQuery}`)].map(([name, value]) => ({ name, value }));

/** The fields of a form, of which none stands twice by now. */
export const formParameters = (form: object): Parameter[] =>
  Object.entries(form).map(([name, value]) => ({ name, value: String(value) }));
