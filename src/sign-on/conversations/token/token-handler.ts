import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { GRANT_TYPES, isGrantType } from "../../applications/application.ts";
import { CROSS_ORIGIN, type OAuthTools } from "../../browser/oauth-error.ts";
import { tokenOperation, withoutText } from "../../browser/token-operation.ts";
import { refuse } from "../../refusals/refused.ts";
import { GRANTS, PARAMETERS, toExchangeTokenRequest, toTokenResponse } from "./token-wire.ts";

/** POST /auth/token (spec §4.1). A failed Authorization header is 401, every other refusal 400 (R-S3). */
export const exchangeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  tools: OAuthTools,
): Operation<operations["exchangeToken"]> =>
  tokenOperation({
    tools,
    parameters: PARAMETERS,
    read: toExchangeTokenRequest,
    ask: tokens.exchangeToken,
    show: (reply) => ({ status: 200, headers: CROSS_ORIGIN, body: toTokenResponse(reply) }) as const,
    explain,
  });

/** The contract's oneOf would report every branch; one sentence about the first mistake helps more. */
function explain(fields: Readonly<Record<string, unknown>>) {
  const { grant_type: grantType } = fields;
  if (typeof grantType !== "string" || grantType === "") return refuse("parameter.missing", { name: "grant_type" });
  if (!isGrantType(grantType)) return refuse("grant_type.unknown", { types: GRANT_TYPES.join(" or ") });
  return withoutText(fields, GRANTS[grantType].required);
}
