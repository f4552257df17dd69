import type {
  ExpireCodesRequest,
  ExpireCodesResponse,
  ListIssueMinutesRequest,
  ListIssueMinutesResponse,
} from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { DAY_MS, MINUTE_MS } from "#runtime/basis/durations.ts";
import { invalidArgument } from "#runtime/basis/errors.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { type Loop, repeating } from "#runtime/process/loop.ts";
import type { SignOnTables } from "../tables.ts";
import type { CodeExpiryRepository } from "./code-expiry-repository.ts";

/** A code lives ten minutes at most (R-S9); earlier ones have expired. */
const MINUTES_BACK = 11;
const EXPIRY_PAGE = 500;
/** The first look of a process; the sweep has older codes. */
const LOOKED_BACK_MS = DAY_MS;

interface CodeExpiryDeps {
  readonly changes: Changes<SignOnTables>;
  readonly codeExpiry: CodeExpiryRepository;
  readonly clock: Clock;
}

/** The minutes, this one included, in which codes were issued that may still be valid. One index look-up for each. */
export const listIssueMinutes =
  ({ codeExpiry, clock }: Pick<CodeExpiryDeps, "codeExpiry" | "clock">) =>
  async ({ after }: ListIssueMinutesRequest): Promise<ListIssueMinutesResponse> => {
    const current = Math.floor(clock.now().getTime() / MINUTE_MS);
    const given = Math.floor((after?.getTime() ?? 0) / MINUTE_MS);
    // A minute of the future was returned while the clock was ahead.
    const first = Math.max(current - MINUTES_BACK, given > current ? 0 : given + 1);
    const minutes: Date[] = [];
    for (let minute = first; minute <= current; minute++) {
      const start = new Date(minute * MINUTE_MS);
      if (await codeExpiry.wasIssuedBetween(start, new Date(start.getTime() + MINUTE_MS))) minutes.push(start);
    }
    return { minutes };
  };

/**
 * Records codes that expired unused, one page with one audit entry. A code is invalid from its expiry on, whether or
 * not this ever runs (R-S9).
 * @throws INVALID_ARGUMENT when limit is out of bounds.
 */
export const expireCodes = ({ changes, codeExpiry }: Pick<CodeExpiryDeps, "changes" | "codeExpiry">) => {
  /** Every code that was issued before is redeemed or recorded, so that each call looks at some minutes only. */
  let settledMs = 0;
  return async ({ limit }: ExpireCodesRequest, { peer }: { readonly peer: string }): Promise<ExpireCodesResponse> => {
    if (limit < 1 || limit > EXPIRY_PAGE) {
      throw invalidArgument([{ field: "limit", reason: `must be 1 to ${EXPIRY_PAGE}` }]);
    }
    const { stillValidMs, ...answer } = await changes.run(async ({ db, at, audit }) => {
      const now = at.getTime();
      const stillValidMs = now - MINUTES_BACK * MINUTE_MS;
      const since = new Date(Math.min(stillValidMs, Math.max(settledMs, now - LOOKED_BACK_MS)));
      const { expired, more } = await codeExpiry.expire(db, since, at, limit);
      if (expired > 0) {
        await audit({
          actor: peer,
          action: "authorizationCode.expire",
          object: "authorization codes",
          facts: { count: expired },
        });
      }
      return { expired, more, stillValidMs };
    });
    // Only of a change that is committed: one that failed has recorded nothing.
    if (!answer.more) settledMs = stillValidMs;
    return answer;
  };
};

/** Records codes that expired unused; runs where no Temporal server is configured. */
export const codeExpiryLoop = (deps: Pick<CodeExpiryDeps, "changes" | "codeExpiry">): Loop => {
  const expire = expireCodes(deps);
  return {
    name: "code-expiry",
    run: repeating(MINUTE_MS, async (pass) => {
      const { more } = await pass(() => expire({ limit: EXPIRY_PAGE }, { peer: "services" }));
      return more;
    }),
  };
};
