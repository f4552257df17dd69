import { setTimeout as sleep } from "node:timers/promises";
import type { DispatchService } from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import { settledOrAborted } from "./settled-or-aborted.ts";

const FIRST_PAUSE_MS = 50;
const LONGEST_PAUSE_MS = 2_000;
const NAMES_MAX = 100;

/**
 * Gives back claims whose answers never came, so that no attempt is spent on a request that was never made (R-X143).
 */
export interface ClaimReturner {
  /** Makes a claim under a new name. When it fails, whatever it took is returned, and the failure thrown on. */
  claim<T>(call: (name: string) => Promise<T>): Promise<T>;
  /** Returns when everything is returned or out of date, or when `giveUp` is aborted. */
  idle(giveUp: AbortSignal): Promise<void>;
}

interface ClaimReturnerDeps {
  readonly dispatch: Pick<PromiseClient<typeof DispatchService>, "returnClaims">;
  readonly random: Random;
  readonly leaseMs: number;
  readonly now: () => number;
}

/**
 * A call that has failed gets no answer any more: what it may have taken is certainly not sent, and never will be under
 * that claim.
 */
export function claimReturner({ dispatch, random, leaseMs, now }: ClaimReturnerDeps): ClaimReturner {
  /** With the end of the leases that the claim may have taken. */
  let unanswered: { readonly name: string; readonly leaseEndsAt: number }[] = [];
  let working: Promise<void> | undefined;

  async function work(): Promise<void> {
    for (let pauseMs = FIRST_PAUSE_MS; unanswered.length > 0; pauseMs = Math.min(pauseMs * 2, LONGEST_PAUSE_MS)) {
      const names = unanswered.slice(0, NAMES_MAX).map(({ name }) => name);
      try {
        await dispatch.returnClaims({ claims: names });
        unanswered = unanswered.filter(({ name }) => !names.includes(name));
      } catch {
        // Services are away, which the loop that claims says in the log.
        await sleep(pauseMs);
        unanswered = unanswered.filter(({ leaseEndsAt }) => leaseEndsAt > now());
      }
    }
    working = undefined;
  }

  return {
    async claim(call) {
      const name = newSecret(random);
      try {
        return await call(name);
      } catch (error) {
        unanswered.push({ name, leaseEndsAt: now() + leaseMs });
        working ??= work();
        throw error;
      }
    },
    idle: (giveUp) => settledOrAborted(working, giveUp),
  };
}
