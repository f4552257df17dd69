import { AuthorizationResponseError, ClientError, ResponseBodyError } from "openid-client";
import { networkReason } from "./network-reason.ts";
import type { Settings } from "./settings.ts";

/** A message for the person at the browser: what happened and what to do about it. */
export interface Problem {
  readonly status: number;
  readonly title: string;
  readonly explanation: string;
  readonly advice: string;
  /** The other side's own message. */
  readonly quote?: string;
}

export const noSignInUnderWay: Problem = {
  status: 400,
  title: "No sign-in is under way in this browser",
  explanation:
    "The answer of Gatehouse arrived, but this browser did not begin a sign-in here in the last ten minutes, or it refuses our cookie.",
  advice: "Sign in again, and use the same browser window all the way.",
};

export const answerToAnother: Problem = {
  status: 400,
  title: "This answer belongs to another sign-in",
  explanation:
    "Its state belongs to none of the sign-ins that wait in this browser: it is finished already, or somebody else made the link you followed.",
  advice: "Sign in again from this page. If you came by a link from elsewhere, do not trust it.",
};

const ADVICE: Record<string, string> = {
  access_denied:
    "If you pressed “Decline”, nothing is wrong: sign in again when you have changed your mind. Otherwise this person has no seat on the instance that the redirect URI belongs to; try another login.",
  unauthorized_client: "This application may not use this flow: compare its registration with Gatehouse's operator.",
  unsupported_response_type: "This is a fault in this program: Gatehouse offers the response type code only.",
  invalid_scope: "This application asks for a scope that it is not registered for: correct one or the other.",
  invalid_request: "This is a fault in this program: compare its request with the sign-on contract.",
  temporarily_unavailable: "Wait a moment, then sign in again.",
  server_error: "Sign in again; if it happens again, report it to Gatehouse's operator.",
};

const TOKEN_ADVICE: Record<string, string> = {
  invalid_client: "Compare client id and secret in this program's settings with the registration.",
  invalid_grant: "The code was too old or already used, for instance because the page was loaded twice. Sign in again.",
};

/**
 * Explains why a sign-in could not begin or finish. Order of checks: the browser's request, then Gatehouse's answer,
 * then the network.
 */
export function signInProblem(error: unknown, { issuer }: Settings): Problem {
  // The library throws this one only after it has checked `state` and `iss`: the text is Gatehouse's and cannot come
  // from a forged link.
  if (error instanceof AuthorizationResponseError) {
    return {
      status: error.error === "access_denied" ? 403 : 400,
      title: error.error === "access_denied" ? "Access was denied" : "Gatehouse refused the sign-in",
      explanation: "Gatehouse sent you back with this error instead of a code.",
      advice: ADVICE[error.error] ?? "Sign in again; if it happens again, report it to Gatehouse's operator.",
      quote: words(error.error, error.error_description),
    };
  }
  if (error instanceof ResponseBodyError) {
    return {
      status: 502,
      title: "Gatehouse refused an exchange with this program",
      explanation: "You did sign in, but the back-channel request that follows was refused.",
      advice: TOKEN_ADVICE[error.error] ?? "Sign in again; if it happens again, report it to Gatehouse's operator.",
      quote: words(error.error, error.error_description),
    };
  }
  const reason = networkReason(error);
  if (reason || (error instanceof ClientError && error.code === "OAUTH_TIMEOUT")) {
    return {
      status: 502,
      title: "Gatehouse does not answer",
      explanation: `There is no answer from ${issuer} (${reason ?? "no answer in time"}).`,
      advice:
        "Start it with “make run”, wait until it says that it is ready, then try again. This program needs no restart.",
    };
  }
  return {
    status: 502,
    title: "An answer of Gatehouse failed a check",
    explanation: "openid-client refused the answer, so the sign-in failed.",
    advice: `Sign in again. When it stays, compare the settings of this program (issuer ${issuer}) with Gatehouse's.`,
    quote: libraryWords(error),
  };
}

/** An answer of another issuer. The library checks it again; this function only explains it better. */
export function issuerMixUp(query: URLSearchParams, { issuer }: Settings): Problem | undefined {
  const iss = query.get("iss");
  if (iss !== null && iss !== issuer) {
    return {
      status: 400,
      title: "This answer comes from another issuer",
      explanation: `Its iss is not ${issuer}, which is where the sign-in began. Taking it could hand your code to a stranger.`,
      advice:
        "Compare the issuer in this program's settings with the address that Gatehouse printed at its start, then sign in again.",
    };
  }
  return undefined;
}

const words = (code: string, description: string | undefined) => (description ? `${code}: ${description}` : code);

function libraryWords(error: unknown): string {
  const messages: string[] = [];
  for (let cause = error; cause instanceof Error && messages.length < 3; cause = cause.cause)
    messages.push(cause.message);
  return messages.join(": ");
}
