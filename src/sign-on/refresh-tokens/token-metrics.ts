import { Counter, type Metrics } from "#runtime/basis/metrics.ts";

/** Why a single family was revoked; the row, the audit entry and the metric use these words. */
export type RevocationCause = "authorization code replayed" | "refresh token reused" | "revoked by the application";

/** Metrics of token families; a replay or a reuse means theft or a broken application. */
export interface TokenMetrics {
  familyRevoked(because: RevocationCause): void;
  /** A replaced refresh token was repeated within its window. */
  refreshRepeated(): void;
}

export function tokenMetrics(metrics: Metrics): TokenMetrics {
  const revoked = new Counter({
    name: "gatehouse_token_families_revoked_total",
    help: "Token families that ended by themselves: a spent code or a replaced refresh token came again, or their application revoked them.",
    labelNames: ["because"],
    registers: [metrics],
  });
  const repeated = new Counter({
    name: "gatehouse_refresh_tokens_repeated_total",
    help: "Replaced refresh tokens that came again within the repeat window: answers that got lost, or parallel calls.",
    registers: [metrics],
  });
  return {
    familyRevoked: (because) => revoked.inc({ because }),
    refreshRepeated: () => repeated.inc(),
  };
}
