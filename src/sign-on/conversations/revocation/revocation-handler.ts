import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { toCredentials } from "../../applications/application-credentials-wire.ts";
import {
  authorizationOf,
  failedCall,
  invalidRequest,
  TOKEN_REFERENCE,
  whatIsMisplaced,
  whyNoTokenReference,
} from "../../browser/application-request.ts";
import { CROSS_ORIGIN } from "../../browser/oauth-error.ts";

/** POST /auth/revoke (RFC 7009, R-S20). Statuses as at the token endpoint (R-S3). */
export const revokeTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["revokeToken"]> => ({
  async handle(request) {
    const misplaced = whatIsMisplaced(request, TOKEN_REFERENCE);
    if (misplaced !== undefined) return invalidRequest(misplaced);
    const authorization = authorizationOf(request);
    try {
      const application = toCredentials(request.body, authorization);
      const call = { requestId: request.requestId, metadata: request.trace };
      await tokens.revokeToken({ application, token: request.body.token }, call);
      return { status: 200, headers: CROSS_ORIGIN };
    } catch (error) {
      return failedCall(error, request, log, authorization !== undefined);
    }
  },
  invalid: async (request, parts) => invalidRequest(whyNoTokenReference(request, parts)),
});
