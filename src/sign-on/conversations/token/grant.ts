import type { Identity } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { type Call, deadlineExceeded, isPastDeadline } from "#runtime/rpc/call.ts";
import type { AuthenticatedApplication } from "../../applications/application.ts";
import type { RequestableClaim } from "../../claims/requested-claims.ts";
import type { Scope } from "../../claims/scopes.ts";
import type { TokenFamily } from "../../refresh-tokens/token-family.ts";

/**
 * The result of a grant: the family, the scopes of this answer, the new refresh token, and the contents of an ID token.
 */
export interface Granted {
  readonly family: TokenFamily;
  readonly scopes: readonly Scope[];
  readonly refreshToken: string;
  /** Only where the grant calls for an ID token (R-S10: never on refresh). */
  readonly idToken:
    | {
        readonly identity: Identity;
        readonly nonce: string | undefined;
        /** Single claims besides those of the scopes. */
        readonly claims: readonly RequestableClaim[];
      }
    | undefined;
  /**
   * Fulfilled once the grant is durably spent. The tokens are signed meanwhile; without it none of them may leave. Rejected with the refusal
   * of a grant that another request has spent.
   */
  readonly spent: Promise<void>;
}

/** The request's id, and until when its caller waits. */
export type GrantCall = Pick<Call, "requestId" | "deadlineAt">;

/**
 * Must be called before a second use of a code or refresh token counts as theft. A paused process may continue a
 * request that its caller has meanwhile retried elsewhere: that is not theft, and the caller no longer waits for the
 * answer (R-X185).
 * @throws DEADLINE_EXCEEDED when the caller has given up.
 */
export function assertWaitedFor(call: GrantCall): void {
  if (isPastDeadline(call)) throw deadlineExceeded();
}

/** One way of obtaining tokens (RFC 6749 §1.3). */
export interface Grant<Request> {
  /** Begins to spend a grant that has passed all checks. @throws a refusal of spec §7.2. */
  redeem(request: Request, application: AuthenticatedApplication, call: GrantCall): Promise<Granted>;
}
