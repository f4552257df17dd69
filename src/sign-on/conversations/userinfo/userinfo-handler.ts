import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { EdgeRequest, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { NO_STORE, oauthErrorBody, oauthFault, oauthRefusal } from "../../browser/oauth-error.ts";
import { toUserinfo } from "./userinfo-wire.ts";

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const REALM = 'Bearer realm="userinfo"';

/** GET /auth/userinfo (spec §4.1, RFC 6750). */
export const getUserinfoOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["getUserinfo"]> => ({
  async handle(request) {
    const accessToken = bearerOf(request);
    if (accessToken === undefined) return noToken();
    try {
      const claims = await tokens.getUserinfo(
        { accessToken },
        { requestId: request.requestId, metadata: request.trace },
      );
      return { status: 200, headers: NO_STORE, body: toUserinfo(claims) };
    } catch (error) {
      const refusal = oauthRefusal(error);
      if (refusal?.code === "invalid_token") return invalidToken(refusal.description);
      if (refusal?.code === "insufficient_scope") return insufficientScope(refusal.description);
      return oauthFault(error, request, log);
    }
  },
  invalid: async () => invalidToken("The request is malformed."),
});

/** The token of the one Authorization header; two headers, or another scheme, are no token. */
function bearerOf({ headers, countOf }: EdgeRequest): string | undefined {
  const { authorization } = headers;
  return typeof authorization === "string" && countOf("authorization") === 1
    ? BEARER.exec(authorization)?.[1]
    : undefined;
}

/** RFC 6750 §3.1: without a token the challenge names no error. */
const noToken = () =>
  ({
    status: 401,
    headers: { ...NO_STORE, "www-authenticate": REALM },
    body: oauthErrorBody("invalid_token", "An access token is missing."),
  }) as const;

const invalidToken = (description: string) =>
  ({
    status: 401,
    headers: { ...NO_STORE, "www-authenticate": `${REALM}, error="invalid_token", error_description="${description}"` },
    body: oauthErrorBody("invalid_token", description),
  }) as const;

const insufficientScope = (description: string) =>
  ({
    status: 403,
    headers: {
      ...NO_STORE,
      "www-authenticate": `${REALM}, error="insufficient_scope", error_description="${description}", scope="openid"`,
    },
    body: oauthErrorBody("insufficient_scope", description),
  }) as const;
