import type { components } from "#generated/types/sign-on.ts";
import type { ErrorCode } from "./check.ts";

type OAuthError = components["schemas"]["OAuthError"];

/** What an application needs besides code and sentence, to ask about an error and to read about it. */
export interface ErrorSource {
  readonly requestId: string;
  readonly issuer: string;
}

/**
 * An error in words of the wire, the same at the redirect URI and in an answer (RFC 6749 §4.1.2.1, §5.2; R-X209). The
 * sentence ends with the request id, since the developer often sees nothing else of the answer; `error_uri` is the page
 * about the code, the same for every request.
 */
export const toErrorWire = (
  error: ErrorCode,
  sentence: string,
  { requestId, issuer }: ErrorSource,
): Required<OAuthError> => ({
  error,
  error_description: requestId === "" ? sentence : `${sentence} (${requestId})`,
  error_uri: `${issuer}/problems/sign-on-${error.replaceAll("_", "-")}`,
});
