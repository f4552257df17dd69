import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { CROSS_ORIGIN, type OAuthTools } from "../../browser/oauth-error.ts";
import { tokenReferenceOperation } from "../../browser/token-operation.ts";

/** POST /auth/revoke (RFC 7009, R-S20). Statuses as at the token endpoint (R-S3). */
export const revokeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  tools: OAuthTools,
): Operation<operations["revokeToken"]> =>
  tokenReferenceOperation({
    tools,
    ask: tokens.revokeToken,
    show: () => ({ status: 200, headers: CROSS_ORIGIN }) as const,
  });
