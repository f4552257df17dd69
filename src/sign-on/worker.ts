import { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Loop } from "#runtime/basis/loop.ts";
import type { Carrier } from "#runtime/rpc/call.ts";
import type { TemporalLink } from "#runtime/temporal/link.ts";

export interface SignOnWorkerDeps {
  /** To the services role, as the peer `worker`. */
  readonly connect: Carrier["connect"];
  readonly clock: Clock;
}

/** What a Temporal worker runs for sign-on: the expiry of authorization codes. */
export interface SignOnOnTemporal {
  readonly activities: object;
  loops(link: TemporalLink, taskQueue: string): readonly Loop[];
}

/** Loads what speaks to Temporal; called only where a server is configured. */
export async function signOnOnTemporal({ connect, clock }: SignOnWorkerDeps): Promise<SignOnOnTemporal> {
  const { codeExpiryActivities } = await import("./authorization-codes/code-expiry-activities.ts");
  const { codeExpiryStarts } = await import("./authorization-codes/temporal-expiry-engine.ts");
  const expiry = connect(ExpiryService);
  return {
    activities: codeExpiryActivities(expiry),
    loops: (link, taskQueue) => [codeExpiryStarts({ expiry, link, taskQueue, now: () => clock.now().getTime() })],
  };
}
