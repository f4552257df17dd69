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
import { NO_STORE } from "../../browser/oauth-error.ts";
import { toTokenStatus } from "./introspection-wire.ts";

/** POST /auth/introspect (RFC 7662, R-S20). A failed authentication is 401, however it was tried (§2.3). */
export const introspectTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["introspectToken"]> => ({
  async handle(request) {
    const misplaced = whatIsMisplaced(request, TOKEN_REFERENCE);
    if (misplaced !== undefined) return invalidRequest(misplaced);
    try {
      const application = toCredentials(request.body, authorizationOf(request));
      const call = { requestId: request.requestId, metadata: request.trace };
      const reply = await tokens.introspectToken({ application, token: request.body.token }, call);
      return { status: 200, headers: NO_STORE, body: toTokenStatus(reply) };
    } catch (error) {
      return failedCall(error, request, log, true);
    }
  },
  invalid: async (request, parts) => invalidRequest(whyNoTokenReference(request, parts)),
});
