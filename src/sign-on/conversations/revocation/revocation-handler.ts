import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { CROSS_ORIGIN } from "../../browser/oauth-error.ts";
import { tokenReferenceOperation } from "../../browser/token-operation.ts";

/** POST /auth/revoke (RFC 7009, R-S20). Statuses as at the token endpoint (R-S3). */
export const revokeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["revokeToken"]> =>
  tokenReferenceOperation({
    log,
    ask: tokens.revokeToken,
    show: () => ({ status: 200, headers: CROSS_ORIGIN }) as const,
  });
