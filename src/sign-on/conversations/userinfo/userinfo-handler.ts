import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { EdgeRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { CROSS_ORIGIN, oauthErrorBody, oauthFault, oauthRefusal } from "../../browser/oauth-error.ts";
import { toUserinfo } from "./userinfo-wire.ts";

type Tokens = PromiseClient<typeof TokensService>;

const BEARER = /^bearer +([A-Za-z0-9\-._~+/]+=*)$/i;
const REALM = 'Bearer realm="userinfo"';

/** GET /auth/userinfo (spec §4.1, RFC 6750 §2.1). */
export const getUserinfoOperation = (tokens: Tokens, log: Log): Operation<operations["getUserinfo"]> => ({
  handle: (request) => tell(tokens, log, request, bearerOf(request)),
  invalid: async () => invalidToken("The request is malformed."),
});

/** POST /auth/userinfo (OIDC Core §5.3.1): the token in the header, or in a form (RFC 6750 §2.2). */
export const postUserinfoOperation = (tokens: Tokens, log: Log): Operation<operations["postUserinfo"]> => ({
  async handle(request) {
    const inHeader = bearerOf(request);
    const inBody = request.body?.access_token || undefined;
    if (inHeader !== undefined && inBody !== undefined)
      return invalidRequest("The access token stands in the header and in the body.");
    return tell(tokens, log, request, inHeader ?? inBody);
  },
  invalid: async (_, parts) => invalidRequest(whyInvalid(parts)),
});

async function tell(tokens: Tokens, log: Log, request: EdgeRequest, accessToken: string | undefined) {
  if (accessToken === undefined) return noToken();
  try {
    const claims = await tokens.getUserinfo({ accessToken }, { requestId: request.requestId, metadata: request.trace });
    return { status: 200, headers: CROSS_ORIGIN, body: toUserinfo(claims) } as const;
  } catch (error) {
    const refusal = oauthRefusal(error);
    if (refusal?.code === "invalid_token") return invalidToken(refusal.description);
    if (refusal?.code === "insufficient_scope") return insufficientScope(refusal.description);
    return oauthFault(error, request, log);
  }
}

/** The token of the one Authorization header; two headers, or another scheme, are no token. */
function bearerOf({ headers, countOf }: EdgeRequest): string | undefined {
  const { authorization } = headers;
  return typeof authorization === "string" && countOf("authorization") === 1
    ? BEARER.exec(authorization)?.[1]
    : undefined;
}

/** The token that a request gives, for those who only need to know whose it would be. */
export function tokenOf(request: EdgeRequest & { readonly body?: unknown }): string | undefined {
  const { access_token } = (request.body ?? {}) as Readonly<Record<string, unknown>>;
  return bearerOf(request) ?? (typeof access_token === "string" ? access_token : undefined);
}

const whyInvalid = ([first]: readonly InvalidPart[]): string =>
  first?.in === "header"
    ? "The content type must be application/x-www-form-urlencoded."
    : `The body ${first?.name === "/" ? first.detail : "is malformed"}.`;

/** RFC 6750 §3.1: without a token the challenge names no error. */
const noToken = () =>
  ({
    status: 401,
    headers: { ...CROSS_ORIGIN, "www-authenticate": REALM },
    body: oauthErrorBody("invalid_token", "An access token is missing."),
  }) as const;

const invalidRequest = (description: string) =>
  ({
    status: 400,
    headers: {
      ...CROSS_ORIGIN,
      "www-authenticate": `${REALM}, error="invalid_request", error_description="${description}"`,
    },
    body: oauthErrorBody("invalid_request", description),
  }) as const;

const invalidToken = (description: string) =>
  ({
    status: 401,
    headers: {
      ...CROSS_ORIGIN,
      "www-authenticate": `${REALM}, error="invalid_token", error_description="${description}"`,
    },
    body: oauthErrorBody("invalid_token", description),
  }) as const;

const insufficientScope = (description: string) =>
  ({
    status: 403,
    headers: {
      ...CROSS_ORIGIN,
      "www-authenticate": `${REALM}, error="insufficient_scope", error_description="${description}", scope="openid"`,
    },
    body: oauthErrorBody("insufficient_scope", description),
  }) as const;
