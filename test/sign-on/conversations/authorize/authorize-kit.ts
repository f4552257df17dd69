import type { Answer } from "../../../support/http.ts";

/** A parameter list as sent, repeats and order kept. */
export const pathOf = (pairs: readonly (readonly [string, string])[]) =>
  `/auth/authorize?${new URLSearchParams(pairs as [string, string][])}`;
export const locationOf = (answer: Answer) =>
  new URL(answer.headers.get("location") ?? "none:", "http://relative.invalid");
export const parametersOf = (url: URL) => Object.fromEntries(url.searchParams);
export const claimsOf = (idToken: string) =>
  JSON.parse(Buffer.from(idToken.split(".")[1] ?? "", "base64url").toString()) as Record<string, unknown>;
