import type { Clock } from "#runtime/basis/clock.ts";
import { emailKey } from "#runtime/basis/email-address.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { SignOnTables } from "../tables.ts";
import { createDeviceProofs } from "./device-proofs-service.ts";
import { senderNetworkOf } from "./network.ts";
import { afterFailure, ignoredFrom, type ThrottlePlan, type ThrottlePlans, waitLeft } from "./throttle.ts";
import type { ThrottleRepository } from "./throttle-repository.ts";

/**
 * A subject for which failures are counted, if its kind is enabled: an attempt has its device alone or, from a browser without
 * a proof, its address and its network, of IPv6 also the wide one.
 */
export interface ThrottledSubject {
  readonly kind: "email" | "network" | "device";
  readonly digest: Buffer;
  readonly plan: ThrottlePlan;
}

/** A wait that a failure has begun. */
interface BegunWait {
  readonly kind: ThrottledSubject["kind"];
  readonly waitMs: number;
}

/**
 * Slows failed sign-ins down, per e-mail address that was entered, known or not, and per network (R-S17, S17). Counted
 * in the store, so that all processes count together and a restart forgets nothing. Successes are never counted.
 */
export interface Throttling {
  /**
   * A browser with a proof for the address is throttled by its own failures, instead of those of the address or
   * network, so that other people cannot make it wait (R-X91). A proof counts while the person has the password by which
   * it was earned.
   */
  subjectsOf(attempt: {
    readonly email: string;
    readonly networkAddress: string;
    readonly deviceProof: string | undefined;
    /** When the password of the person with that address was set; asked for a proof for the address alone. */
    readonly passwordSetAt: () => Promise<Date | undefined>;
  }): Promise<readonly ThrottledSubject[]>;
  /**
   * The proof for a browser in which somebody has just shown the password that was set then; `undefined` while addresses
   * are not throttled.
   */
  deviceProof(email: string, at: Date, passwordSetAt: Date): string | undefined;
  /** How long until attempts with the address are checked in a browser without a proof, in milliseconds; 0 when they are now. */
  waitOf(email: string): Promise<number>;
  /** How long until such an attempt is checked, in milliseconds; 0 when it is now. */
  waitLeft(subjects: readonly ThrottledSubject[]): Promise<number>;
  /**
   * Counts a failure. `waitMs` is above 0 when another attempt with this address failed and began a wait while this one
   * was being checked. This one's result must then stay secret; otherwise parallel guesses would all be answered.
   * `begun` are the waits that it begins itself.
   */
  fail(
    change: Change<SignOnTables>,
    subjects: readonly ThrottledSubject[],
  ): Promise<{ readonly waitMs: number; readonly begun: readonly BegunWait[] }>;
  /**
   * Forgets the failures of the address, or of the device. Returns a wait above 0, and forgets nothing, in the same
   * case as `fail`.
   */
  succeed(change: Change<SignOnTables>, subjects: readonly ThrottledSubject[]): Promise<number>;
}

interface ThrottlingDeps {
  readonly throttles: ThrottleRepository;
  readonly plans: ThrottlePlans;
  readonly sealer: Sealer;
  readonly clock: Clock;
}

export function createThrottling({ throttles, plans, sealer, clock }: ThrottlingDeps): Throttling {
  const proofs = createDeviceProofs(sealer);
  const subject = (
    kind: ThrottledSubject["kind"],
    plan: ThrottlePlan | undefined,
    text: string,
  ): readonly ThrottledSubject[] =>
    // Keyed, since e-mail addresses and networks can be guessed from plain digests.
    plan === undefined ? [] : [{ kind, plan, digest: sealer.digest(text, `throttle/${kind}`) }];
  const byEmail = (email: string) => subject("email", plans.email, emailKey(email));
  const byNetwork = (networkAddress: string): readonly ThrottledSubject[] => {
    const { narrow, wide } = senderNetworkOf(networkAddress);
    const around = wide === narrow ? [] : subject("network", plans.wideNetwork, wide);
    return [...subject("network", plans.network, narrow), ...around];
  };
  const waitLeftOf: Throttling["waitLeft"] = async (subjects) => {
    const found = await Promise.all(
      subjects.map(async ({ plan, digest }) => ({ plan, throttle: await throttles.find(digest) })),
    );
    const now = clock.now();
    return Math.max(0, ...found.map(({ plan, throttle }) => waitLeft(plan, throttle, now)));
  };
  return {
    async subjectsOf({ email, networkAddress, deviceProof, passwordSetAt }) {
      const proof = plans.email === undefined ? undefined : deviceProof;
      const earnedBy = proof === undefined ? undefined : proofs.passwordSetAt(proof, email, clock.now());
      // The instant names the password; no order is read from it (decision 0035).
      if (proof !== undefined && earnedBy !== undefined && earnedBy.getTime() === (await passwordSetAt())?.getTime())
        return subject("device", plans.email, proof);
      return [...byEmail(email), ...byNetwork(networkAddress)];
    },
    deviceProof: (email, at, passwordSetAt) =>
      plans.email === undefined ? undefined : proofs.issue(email, at, passwordSetAt),
    waitOf: (email) => waitLeftOf(byEmail(email)),
    waitLeft: waitLeftOf,
    async fail({ db, at }, subjects) {
      const begun: BegunWait[] = [];
      for (const { kind, digest, plan } of subjects) {
        for (;;) {
          const before = await throttles.findIn(db, digest);
          const waitMs = waitLeft(plan, before, at);
          // A network's failures are counted even then: its attempts are of many people, and each was checked by its
          // own address.
          if (waitMs > 0 && kind !== "network") return { waitMs, begun };
          const after = afterFailure(plan, before, at);
          // Of several parallel writes one succeeds; the others retry.
          if (!(await throttles.replace(db, digest, before, after))) continue;
          const begunMs = waitLeft(plan, after, at);
          if (begunMs > 0) begun.push({ kind, waitMs: begunMs });
          break;
        }
      }
      return { waitMs: 0, begun };
    },
    async succeed({ db, at }, subjects) {
      for (const { plan, digest } of subjects.filter(({ kind }) => kind !== "network")) {
        await throttles.clear(db, digest, { now: at, ignoredFrom: ignoredFrom(plan, at) });
        const waitMs = waitLeft(plan, await throttles.findIn(db, digest), at);
        if (waitMs > 0) return waitMs;
      }
      return 0;
    },
  };
}
