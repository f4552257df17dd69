import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { BrokenRequest, InvalidPart, Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import {
  authorizationOf,
  failedCall,
  fieldsOf,
  invalidRequest,
  refused,
  whatIsMisplaced,
  whyUnreadable,
} from "../../browser/application-request.ts";
import { CROSS_ORIGIN, oauthErrorBody } from "../../browser/oauth-error.ts";
import { GRANT_TYPES, PARAMETERS, toExchangeTokenRequest, toTokenResponse } from "./token-wire.ts";

/** POST /auth/token (spec §4.1). Every refusal is 400, but a failed Authorization header 401 (R-S3). */
export const exchangeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["exchangeToken"]> => ({
  async handle(request) {
    const { requestId, trace } = request;
    const misplaced = whatIsMisplaced(request, PARAMETERS);
    if (misplaced !== undefined) return invalidRequest(misplaced);
    const authorization = authorizationOf(request);
    try {
      const reply = await tokens.exchangeToken(toExchangeTokenRequest(request.body, authorization), {
        requestId,
        metadata: trace,
      });
      return { status: 200, headers: CROSS_ORIGIN, body: toTokenResponse(reply) };
    } catch (error) {
      return failedCall(error, request, log, authorization !== undefined);
    }
  },
  invalid: async (request, parts) => explain(request, parts),
});

/** The contract's oneOf would report every branch; one sentence about the first mistake helps more. */
function explain(request: BrokenRequest, parts: readonly InvalidPart[]) {
  const unreadable = whatIsMisplaced(request, PARAMETERS) ?? whyUnreadable(request, parts);
  if (unreadable !== undefined) return invalidRequest(unreadable);
  const fields = fieldsOf(request);
  const grantType = fields.grant_type;
  if (typeof grantType !== "string" || grantType === "") return invalidRequest("The parameter grant_type is missing.");
  if (!(GRANT_TYPES as readonly string[]).includes(grantType))
    return refused(oauthErrorBody("unsupported_grant_type", `The grant type must be ${GRANT_TYPES.join(" or ")}.`));
  const needed = grantType === "refresh_token" ? ["refresh_token"] : ["code", "redirect_uri"];
  const missing = needed.find((name) => fields[name] === undefined || fields[name] === "");
  return invalidRequest(
    missing === undefined ? "Every parameter must be a text." : `The parameter ${missing} is missing.`,
  );
}
