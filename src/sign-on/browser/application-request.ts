import type { Log } from "#runtime/basis/log.ts";
import type { BrokenRequest, EdgeRequest, InvalidPart } from "#runtime/http/operation.ts";
import { CROSS_ORIGIN, type OAuthErrorBody, oauthErrorBody, oauthFault, oauthRefusal } from "./oauth-error.ts";

/** Answers a failed authentication of the application (RFC 6749 §5.2). */
const BASIC_CHALLENGE = 'Basic realm="sign-on", charset="UTF-8"';

/** The one Authorization header; `undefined` when there is none. */
export const authorizationOf = ({ headers }: EdgeRequest): string | undefined =>
  typeof headers.authorization === "string" ? headers.authorization : undefined;

/**
 * What stands at the wrong place, as a sentence. Addresses are logged and kept by others, so what stands in one is no secret any more (S31,
 * RFC 6749 §2.3.1).
 * @param names the parameters of the operation's body.
 */
export function whatIsMisplaced({ rawQuery, countOf }: EdgeRequest, names: readonly string[]): string | undefined {
  const query = rawQuery === "" ? undefined : new URLSearchParams(rawQuery);
  const name = names.find((candidate) => query?.has(candidate));
  if (name !== undefined) return `The parameter ${name} belongs in the body, not in the address.`;
  return countOf("authorization") > 1 ? "The Authorization header stands more than once." : undefined;
}

/** Why a body could not be read at all, whatever it was to say; `undefined` when it was read. */
export function whyUnreadable({ body }: BrokenRequest, parts: readonly InvalidPart[]): string | undefined {
  const first = parts[0];
  if (first?.in === "header") return "The content type must be application/json or application/x-www-form-urlencoded.";
  return first !== undefined && first.name === "/" && body === undefined ? `The body ${first.detail}.` : undefined;
}

/** The members of a body that breaks the contract; none when it is no object. */
export const fieldsOf = ({ body }: BrokenRequest): Readonly<Record<string, unknown>> =>
  typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};

/** Refuses as RFC 6749 §5.2 asks. */
export const refused = (body: OAuthErrorBody) => ({ status: 400, headers: CROSS_ORIGIN, body }) as const;

export const invalidRequest = (sentence: string) => refused(oauthErrorBody("invalid_request", sentence));

/** 401 with the challenge that belongs to it. */
const unauthenticated = (body: OAuthErrorBody) =>
  ({ status: 401, headers: { ...CROSS_ORIGIN, "www-authenticate": BASIC_CHALLENGE }, body }) as const;

/**
 * What a failed call becomes for the application that made it: the refusal that services decided, or a fault of ours.
 * @param challenged whether a failed authentication is answered by 401 and a challenge, in place of 400.
 */
export function failedCall(error: unknown, request: EdgeRequest, log: Log, challenged: boolean) {
  const refusal = oauthRefusal(error);
  if (refusal === undefined) return oauthFault(error, request, log);
  const body = oauthErrorBody(refusal.code, refusal.description);
  return refusal.code === "invalid_client" && challenged ? unauthenticated(body) : refused(body);
}

/** What revocation and introspection read, and read from the body alone. */
export const TOKEN_REFERENCE = ["token", "token_type_hint", "client_id", "client_secret"] as const;

/** Why a body that breaks the contract names no token. */
export function whyNoTokenReference(request: BrokenRequest, parts: readonly InvalidPart[]): string {
  const unreadable = whatIsMisplaced(request, TOKEN_REFERENCE) ?? whyUnreadable(request, parts);
  if (unreadable !== undefined) return unreadable;
  const { token } = fieldsOf(request);
  return token === undefined || token === "" ? "The parameter token is missing." : "Every parameter must be a text.";
}
