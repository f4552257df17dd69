import type { Answer } from "./http.ts";

/** Where an OAuth error says to read about its code (R-X209). */
export const errorUriOf = (error: string) =>
  expect.stringMatching(new RegExp(`^http://localhost:\\d+/problems/sign-on-${error.replaceAll("_", "-")}$`));

/** The request id of an answer as the sentence of its error ends with it. */
const referenceOf = (answer: Answer): string => ` (${answer.headers.get("x-request-id")})`;

/** An OAuth error in an answer, whole (RFC 6749 §5.2, R-X209); any sentence of RFC 6749's characters unless one is given. */
export const oauthError = (answer: Answer, error: string, sentence?: string) => ({
  error,
  error_description:
    sentence === undefined
      ? expect.stringMatching(/^[\x20-\x21\x23-\x5b\x5d-\x7e]+\. \(req_[A-Za-z0-9]{21}\)$/)
      : `${sentence}${referenceOf(answer)}`,
  error_uri: errorUriOf(error),
});

/** The body of an OAuth error without what differs from request to request. */
export const withoutReference = (answer: Answer): string => answer.text.replace(referenceOf(answer), "");

/** The challenge of an answer, with `req_…` in place of its request id. */
export const challengeOf = (answer: Answer): string | undefined =>
  answer.headers.get("www-authenticate")?.replace(referenceOf(answer), " (req_…)");
