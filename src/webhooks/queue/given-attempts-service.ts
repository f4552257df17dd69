import type {
  ClaimDueRequest,
  ClaimDueResponse,
  ClaimedAttempt,
  ClaimOneRequest,
  ClaimOneResponse,
  RecordOneRequest,
  RecordOneResponse,
  RecordOutcomesRequest,
  RecordOutcomesResponse,
  ReturnClaimsRequest,
  ReturnClaimsResponse,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { unavailable } from "#runtime/basis/errors.ts";
import { inTime } from "#runtime/basis/in-time.ts";
import { pause } from "#runtime/process/loop.ts";
import type { Call } from "#runtime/rpc/call.ts";

type Method<Request, Response> = (request: Request, call: Call) => Promise<Response>;

/** The methods by which a worker gets attempts and says what became of them. */
interface AttemptMethods {
  readonly claimDue: Method<ClaimDueRequest, ClaimDueResponse>;
  readonly claimOne: Method<ClaimOneRequest, ClaimOneResponse>;
  readonly recordOutcomes: Method<RecordOutcomesRequest, RecordOutcomesResponse>;
  readonly recordOne: Method<RecordOneRequest, RecordOneResponse>;
  readonly returnClaims: Method<ReturnClaimsRequest, ReturnClaimsResponse>;
}

type Given = Pick<ClaimedAttempt, "deliveryId" | "fence">;

interface GivenAttemptsOptions {
  readonly leaseMs: number;
  /** Milliseconds, by a clock that is never set. */
  readonly now: () => number;
  /** Ends the waits of claims. */
  readonly wakeClaims: () => void;
}

/**
 * Knows which attempts a worker got from this process and has not reported. A process that stops gives out no more, and
 * waits for these reports: an attempt without one counts as lost, and its event is sent again (R-X416).
 */
export function givenAttempts({ leaseMs, now, wakeClaims }: GivenAttemptsOptions) {
  /** In the order of their leases' ends. */
  const open = new Map<string, { readonly claim: string; readonly leaseEndsAt: number }>();
  /** Claims that may still give out some. */
  let asking = 0;
  let isLeaving = false;
  let changed = Promise.withResolvers<void>();

  const nameOf = ({ deliveryId, fence }: Given): string => `${deliveryId}/${fence}`;
  const noteChange = () => {
    changed.resolve();
    changed = Promise.withResolvers();
  };
  /** What a worker that has ended never reports. */
  const forgetLost = () => {
    for (const [name, { leaseEndsAt }] of open) {
      if (leaseEndsAt > now()) return;
      open.delete(name);
    }
  };
  const give = (claim: string, attempts: readonly Given[]) => {
    forgetLost();
    for (const attempt of attempts) open.set(nameOf(attempt), { claim, leaseEndsAt: now() + leaseMs });
  };
  const ended = (outcomes: readonly Given[]) => {
    for (const outcome of outcomes) open.delete(nameOf(outcome));
    noteChange();
  };
  async function asked<T>(claim: () => Promise<T>): Promise<T> {
    asking++;
    try {
      return await claim();
    } finally {
      asking--;
      noteChange();
    }
  }

  return {
    /** The same methods, of which is known what they give out. */
    watched: (methods: AttemptMethods): AttemptMethods => ({
      async claimDue(request, call) {
        const answer = isLeaving
          ? { attempts: [] }
          : await asked(async () => {
              const claimed = await methods.claimDue(request, call);
              give(request.claim ?? "", claimed.attempts);
              return claimed;
            });
        // An empty answer at once would be asked for again at once.
        if (isLeaving && answer.attempts.length === 0) await pause(request.waitMs, call.waiting);
        return answer;
      },
      async claimOne(request, call) {
        if (isLeaving) throw unavailable("Services are stopping: no attempt is given out any more.");
        return asked(async () => {
          const claimed = await methods.claimOne(request, call);
          if (claimed.attempt) give(request.claim ?? "", [claimed.attempt]);
          return claimed;
        });
      },
      async recordOutcomes(request, call) {
        const answer = await methods.recordOutcomes(request, call);
        ended(request.outcomes);
        return answer;
      },
      async recordOne(request, call) {
        const answer = await methods.recordOne(request, call);
        ended(request.outcome ? [request.outcome] : []);
        return answer;
      },
      async returnClaims(request, call) {
        const answer = await methods.returnClaims(request, call);
        for (const [name, { claim }] of open) if (request.claims.includes(claim)) open.delete(name);
        noteChange();
        return answer;
      },
    }),
    isLeaving: () => isLeaving,
    /** Gives out no more; waits until all are reported or their leases have ended, for so long at most. */
    async leave(ms: number): Promise<void> {
      const endAt = now() + ms;
      isLeaving = true;
      wakeClaims();
      for (forgetLost(); (open.size > 0 || asking > 0) && now() < endAt; forgetLost()) {
        const [first] = open.values();
        await inTime(changed.promise, Math.min(endAt, first?.leaseEndsAt ?? endAt) - now());
      }
    },
  };
}
