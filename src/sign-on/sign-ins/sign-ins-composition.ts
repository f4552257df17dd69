import type { Clock } from "#runtime/basis/clock.ts";
import type { Database } from "#runtime/database/database.ts";
import type { Metrics } from "#runtime/process/metrics.ts";
import type { Sealer } from "#runtime/sealing/sealing.ts";
import type { SignOnSettings } from "../settings.ts";
import type { SignOnTables } from "../tables.ts";
import { throttlePlans } from "../throttling/throttle.ts";
import { throttleRepository } from "../throttling/throttle-repository.ts";
import { createThrottling, type Throttling } from "../throttling/throttling-service.ts";
import { type SignInResult, signInCounter } from "./sign-in.ts";
import { type SignInRepository, signInRepository } from "./sign-in-repository.ts";
import { createSignIns, type SignIns } from "./sign-ins-service.ts";

interface SignInsCompositionDeps {
  readonly db: Database<SignOnTables>;
  readonly sealer: Sealer;
  readonly clock: Clock;
  readonly metrics: Metrics;
  readonly settings: SignOnSettings;
}

interface SignInsComposition {
  readonly signInRecords: SignInRepository;
  readonly signIns: SignIns;
  readonly throttling: Throttling;
  readonly count: (result: SignInResult) => void;
}

/** How each sign-in is recorded and counted, and how long those who fail must wait. */
export function composeSignIns({ db, sealer, clock, metrics, settings }: SignInsCompositionDeps): SignInsComposition {
  const signInRecords = signInRepository(db);
  return {
    signInRecords,
    signIns: createSignIns(signInRecords),
    throttling: createThrottling({
      throttles: throttleRepository(db),
      plans: throttlePlans({
        failuresPerEmail: settings["sign-in-failures-per-email"],
        failuresPerNetwork: settings["sign-in-failures-per-network"],
        longestWaitSeconds: settings["sign-in-longest-wait-seconds"],
      }),
      sealer,
      clock,
    }),
    count: signInCounter(metrics),
  };
}
