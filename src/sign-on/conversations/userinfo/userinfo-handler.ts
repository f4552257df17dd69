import type { GetUserinfoResponse, TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { components, operations } from "#generated/types/sign-on.ts";
import type { EdgeRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { type AskedRequest, edgeCall } from "../../browser/edge-call.ts";
import { CROSS_ORIGIN, type OAuthTools, oauthFault, oauthRefusal } from "../../browser/oauth-error.ts";
import { withClaims } from "../../claims/claims-wire.ts";
import type { OAuthErrorCode } from "../../refusals/check.ts";
import { toErrorWire } from "../../refusals/error-wire.ts";
import { type Refused, refuse } from "../../refusals/refused.ts";

type Tokens = PromiseClient<typeof TokensService>;

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const REALM = 'Bearer realm="userinfo"';

/** GET /auth/userinfo (spec §4.1, RFC 6750 §2.1). */
export const getUserinfoOperation = (tokens: Tokens, tools: OAuthTools): Operation<operations["getUserinfo"]> => ({
  handle: (request) => answer(tokens, tools, request, bearerOf(request)),
  invalid: async (request) => refusedReply(refuse("userinfo.malformed"), request, tools),
});

/** POST /auth/userinfo (OIDC Core §5.3.1): the token in the header, or in a form (RFC 6750 §2.2). */
export const postUserinfoOperation = (tokens: Tokens, tools: OAuthTools): Operation<operations["postUserinfo"]> => ({
  async handle(request) {
    const inHeader = bearerOf(request);
    const inBody = request.body?.access_token || undefined;
    if (inHeader !== undefined && inBody !== undefined)
      return refusedReply(refuse("access_token.twice"), request, tools);
    return answer(tokens, tools, request, inHeader ?? inBody);
  },
  invalid: async (request, parts) => refusedReply(whyInvalid(parts), request, tools),
});

async function answer(tokens: Tokens, tools: OAuthTools, request: AskedRequest, accessToken: string | undefined) {
  if (request.countOf("authorization") > 1)
    return refusedReply(refuse("authorization_header.repeated"), request, tools);
  if (accessToken === undefined) return noToken(request, tools);
  try {
    const claims = await tokens.getUserinfo({ accessToken }, edgeCall(request));
    return { status: 200, headers: CROSS_ORIGIN, body: toUserinfo(claims) } as const;
  } catch (error) {
    const refusal = oauthRefusal(error);
    const body = refusal && errorOf(refusal.code, refusal.description, request, tools);
    if (body?.error === "invalid_token") return invalidToken(body);
    if (body?.error === "insufficient_scope") return insufficientScope(body);
    return oauthFault(error, request, tools);
  }
}

/** The token of the only Authorization header; `undefined` for two headers or another scheme. */
function bearerOf({ headers, countOf }: EdgeRequest): string | undefined {
  const { authorization } = headers;
  return typeof authorization === "string" && countOf("authorization") === 1
    ? BEARER.exec(authorization)?.[1]
    : undefined;
}

/** The token of a request, unverified; only to find the application that it names. */
export function tokenOf(request: AskedRequest): string | undefined {
  const { access_token } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  return bearerOf(request) ?? (typeof access_token === "string" ? access_token : undefined);
}

function whyInvalid([first]: readonly InvalidPart[]) {
  if (first?.in === "header") return refuse("body.media_type", { types: "application/x-www-form-urlencoded" });
  if (first?.in !== "body") return refuse("userinfo.malformed");
  return refuse("body.malformed", { problem: first.name === "/" ? first.detail : "is malformed" });
}

type ErrorBody = ReturnType<typeof toErrorWire>;

const errorOf = (
  error: OAuthErrorCode,
  sentence: string,
  { requestId }: EdgeRequest,
  { issuer }: OAuthTools,
): ErrorBody => toErrorWire(error, sentence, { requestId, issuer });

/** RFC 6750 §3.1: without a token the challenge names no error. */
function noToken(request: EdgeRequest, tools: OAuthTools) {
  const refused = refuse("access_token.missing");
  const { status, headers, body } = invalidToken(errorOf(refused.error, refused.sentence, request, tools));
  return { status, headers: { ...headers, "www-authenticate": REALM }, body, refused };
}

/** The answer to a refusal that the edge decides by itself. */
function refusedReply(refused: Refused<"invalid_request" | "invalid_token">, request: EdgeRequest, tools: OAuthTools) {
  const body = errorOf(refused.error, refused.sentence, request, tools);
  return { ...(refused.error === "invalid_token" ? invalidToken(body) : invalidRequest(body)), refused };
}

/**
 * Code and sentence as in the body, as attributes (RFC 6750 §3). The address of the page is in the body alone: the form of
 * this header was released without it.
 */
const challenge = ({ error, error_description }: ErrorBody): string =>
  `${REALM}, error="${error}", error_description="${error_description}"`;

const invalidRequest = (body: ErrorBody) =>
  ({ status: 400, headers: { ...CROSS_ORIGIN, "www-authenticate": challenge(body) }, body }) as const;

const invalidToken = (body: ErrorBody) =>
  ({ status: 401, headers: { ...CROSS_ORIGIN, "www-authenticate": challenge(body) }, body }) as const;

const insufficientScope = (body: ErrorBody) =>
  ({
    status: 403,
    headers: { ...CROSS_ORIGIN, "www-authenticate": `${challenge(body)}, scope="openid"` },
    body,
  }) as const;

/** `aub` is the sample's spelling of `aud` (R-S4). */
export const toUserinfo = (answer: GetUserinfoResponse): components["schemas"]["Userinfo"] =>
  withClaims({ sub: answer.subject, aud: answer.audience, aub: answer.audience }, answer);

/** The application that an access token names, verified or not; `undefined` for an unreadable token. */
export function applicationOfToken(accessToken: string | undefined): string | undefined {
  const payload = accessToken?.split(".")[1];
  if (payload === undefined) return undefined;
  try {
    const { client_id } = JSON.parse(Buffer.from(payload, "base64url").toString("utf8")) as { client_id?: unknown };
    return typeof client_id === "string" ? client_id : undefined;
  } catch {
    return undefined;
  }
}
