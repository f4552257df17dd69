import { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import type { Carrier } from "#runtime/rpc/call.ts";

interface SignOnWorkerDeps {
  /** To the services role, as the peer `worker`. */
  readonly connect: Carrier["connect"];
  readonly clock: Clock;
}

/** Sign-on's part in the worker: the expiry of authorization codes as workflows of a Temporal server. */
export const signOnWorker = ({ connect, clock }: SignOnWorkerDeps) => ({
  /** Loads the Temporal client; called only where a server is configured. */
  async onTemporal() {
    const { expiryWorkflows } = await import("./authorization-codes/expiry-workflow-starts.ts");
    return expiryWorkflows({ expiry: connect(ExpiryService), now: () => clock.now().getTime() });
  },
});
