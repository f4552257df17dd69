import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { BrokenRequest, EdgeRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { NO_STORE, oauthErrorBody, oauthFault, oauthRefusal } from "../../browser/oauth-error.ts";
import { GRANT_TYPES, toExchangeTokenRequest, toTokenResponse } from "./token-wire.ts";

const BASIC_CHALLENGE = 'Basic realm="sign-on", charset="UTF-8"';

/** POST /auth/token (spec §4.1). Every refusal is 400, but a failed Authorization header 401 (R-S3). */
export const exchangeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["exchangeToken"]> => ({
  async handle(request) {
    const { headers, requestId, trace } = request;
    const misplaced = whatIsMisplaced(request);
    if (misplaced !== undefined)
      return { status: 400, headers: NO_STORE, body: oauthErrorBody("invalid_request", misplaced) };
    const authorization = typeof headers.authorization === "string" ? headers.authorization : undefined;
    try {
      const reply = await tokens.exchangeToken(toExchangeTokenRequest(request.body, authorization), {
        requestId,
        metadata: trace,
      });
      return { status: 200, headers: NO_STORE, body: toTokenResponse(reply) };
    } catch (error) {
      const refusal = oauthRefusal(error);
      if (refusal === undefined) return oauthFault(error, request, log);
      const body = oauthErrorBody(refusal.code, refusal.description);
      return refusal.code === "invalid_client" && authorization !== undefined
        ? { status: 401, headers: { ...NO_STORE, "www-authenticate": BASIC_CHALLENGE }, body }
        : { status: 400, headers: NO_STORE, body };
    }
  },
  invalid: async (request, parts) => ({ status: 400, headers: NO_STORE, body: explain(request, parts) }),
});

/** Addresses are logged and kept by others, so what stands in one is no secret any more (S31). */
const SECRETS = ["client_secret", "code", "code_verifier", "refresh_token"] as const;

function whatIsMisplaced({ rawQuery, countOf }: EdgeRequest): string | undefined {
  const query = new URLSearchParams(rawQuery);
  const secret = SECRETS.find((name) => query.has(name));
  if (secret !== undefined) return `The parameter ${secret} belongs in the body, not in the address.`;
  return countOf("authorization") > 1 ? "The Authorization header stands more than once." : undefined;
}

/** The contract's oneOf would report every branch; one sentence about the first mistake helps more. */
function explain({ body }: BrokenRequest, parts: readonly InvalidPart[]) {
  const first = parts[0];
  if (first?.in === "header")
    return oauthErrorBody(
      "invalid_request",
      "The content type must be application/json or application/x-www-form-urlencoded.",
    );
  if (first !== undefined && first.name === "/" && body === undefined)
    return oauthErrorBody("invalid_request", `The body ${first.detail}.`);
  const fields = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  const grantType = fields.grant_type;
  if (typeof grantType !== "string" || grantType === "")
    return oauthErrorBody("invalid_request", "The parameter grant_type is missing.");
  if (!(GRANT_TYPES as readonly string[]).includes(grantType)) {
    return oauthErrorBody("unsupported_grant_type", `The grant type must be ${GRANT_TYPES.join(" or ")}.`);
  }
  const needed = grantType === "refresh_token" ? ["refresh_token"] : ["code", "redirect_uri"];
  const missing = needed.find((name) => fields[name] === undefined || fields[name] === "");
  return oauthErrorBody(
    "invalid_request",
    missing === undefined ? "Every parameter must be a text." : `The parameter ${missing} is missing.`,
  );
}
