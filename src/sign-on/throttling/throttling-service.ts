import type { Clock } from "#runtime/basis/clock.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import { networkOf } from "../sign-ins/network.ts";
import type { SignOnTables } from "../tables.ts";
import { afterFailure, type ThrottlePlan, waitLeft } from "./throttle.ts";
import type { ThrottlePlans } from "./throttle-plans.ts";
import type { ThrottleRepository } from "./throttle-repository.ts";

/** What failures are counted by; an attempt has one of each kind that is switched on. */
export interface ThrottledSubject {
  readonly kind: keyof ThrottlePlans;
  readonly digest: Buffer;
  readonly plan: ThrottlePlan;
}

/** A wait that a failure has begun. */
export interface BegunWait {
  readonly kind: ThrottledSubject["kind"];
  readonly waitMs: number;
}

/**
 * Slows failed sign-ins down, per e-mail address that was entered, known or not, and per network (R-S17, S17). Counted in the store, so
 * that all processes count together and a restart forgets nothing. What succeeds is never counted.
 */
export interface Throttling {
  subjectsOf(attempt: { readonly email: string; readonly networkAddress: string }): readonly ThrottledSubject[];
  /** How long until such an attempt is judged, in milliseconds; 0 when it is. */
  waitLeft(subjects: readonly ThrottledSubject[]): Promise<number>;
  /**
   * Counts a failure. `waitMs` is not 0 when another attempt with this address failed and began a wait while this one was being judged:
   * then nothing may be told of this one, or guesses made at once would all be answered. `begun` are the waits that it begins itself.
   */
  fail(
    change: Change<SignOnTables>,
    subjects: readonly ThrottledSubject[],
  ): Promise<{ readonly waitMs: number; readonly begun: readonly BegunWait[] }>;
  /** Forgets the failures of the address. Not 0, and nothing forgotten, in the same case as with `fail`. */
  succeed(change: Change<SignOnTables>, subjects: readonly ThrottledSubject[]): Promise<number>;
}

interface ThrottlingDeps {
  readonly throttles: ThrottleRepository;
  readonly plans: ThrottlePlans;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

/** One address is one attacker for IPv4; with IPv6 everybody has a network of 64 bits (R-X87). */
const NETWORK_BITS = { ipv4: 32, ipv6: 64 } as const;

export function createThrottling({ throttles, plans, sealer, clock }: ThrottlingDeps): Throttling {
  const subject = (kind: keyof ThrottlePlans, text: string): readonly ThrottledSubject[] => {
    const plan = plans[kind];
    // Keyed, since e-mail addresses and networks can be guessed from plain digests.
    return plan === undefined ? [] : [{ kind, plan, digest: sealer.digest(text, `throttle/${kind}`) }];
  };
  return {
    subjectsOf: ({ email, networkAddress }) => [
      // As workforce compares addresses (R-D2), so that each spelling of one address counts for it.
      ...subject("email", email.trim().toLowerCase()),
      ...subject("network", networkOf(networkAddress, NETWORK_BITS) ?? ""),
    ],
    async waitLeft(subjects) {
      const found = await Promise.all(subjects.map(({ digest }) => throttles.find(digest)));
      const now = clock.now();
      return Math.max(0, ...found.map((throttle) => waitLeft(throttle, now)));
    },
    async fail({ db, at }, subjects) {
      const begun: BegunWait[] = [];
      for (const { kind, digest, plan } of subjects) {
        for (;;) {
          const before = await throttles.findIn(db, digest);
          const waitMs = waitLeft(before, at);
          // A network's failures are counted all the same: its attempts are of many people, and each was judged by its own address.
          if (waitMs > 0 && kind === "email") return { waitMs, begun };
          const after = afterFailure(plan, before, at);
          // Of several at once one is written; the others look again.
          if (!(await throttles.replace(db, digest, before, after))) continue;
          if (waitLeft(after, at) > 0) begun.push({ kind, waitMs: waitLeft(after, at) });
          break;
        }
      }
      return { waitMs: 0, begun };
    },
    async succeed({ db, at }, subjects) {
      for (const { digest } of subjects.filter(({ kind }) => kind === "email")) {
        await throttles.clear(db, digest, at);
        const waitMs = waitLeft(await throttles.findIn(db, digest), at);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
  };
}
