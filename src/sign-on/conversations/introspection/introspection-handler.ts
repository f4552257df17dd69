import type { TokensService } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { operations } from "#generated/types/sign-on.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { Operation } from "#runtime/http/operation.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { NO_STORE } from "../../browser/oauth-error.ts";
import { tokenReferenceOperation } from "../../browser/token-operation.ts";
import { toTokenStatus } from "./introspection-wire.ts";

/** POST /auth/introspect (RFC 7662, R-S20). A failed authentication is always 401 (§2.3). */
export const introspectTokenOperation = (
  tokens: PromiseClient<typeof TokensService>,
  log: Log,
): Operation<operations["introspectToken"]> =>
  tokenReferenceOperation({
    log,
    challenged: "always",
    ask: tokens.introspectToken,
    show: (reply) => ({ status: 200, headers: NO_STORE, body: toTokenStatus(reply) }) as const,
  });
