import type { RenewedCredentials } from "../../src/runtime/temporal/credentials.ts";
import type { TemporalCredentials } from "../../src/runtime/temporal/link.ts";

/** Credentials for a Temporal server that never change; of a plain connection unless given. */
export const steadyCredentials = (given: Partial<TemporalCredentials> = {}): RenewedCredentials => ({
  latest: () => ({ tls: undefined, apiKey: undefined, ...given }),
  trouble: () => undefined,
});
