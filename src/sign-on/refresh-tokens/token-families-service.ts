import type { Changes } from "#runtime/changes/change.ts";
import { Counter, type Metrics } from "#runtime/process/metrics.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SignOnTables } from "../tables.ts";
import type { FamilyRevocationRepository } from "./family-revocation-repository.ts";
import type { TokenFamily } from "./token-family.ts";

export interface RevokeFamilyDeps {
  readonly changes: Changes<SignOnTables>;
  readonly revocations: Pick<FamilyRevocationRepository, "revoke">;
  readonly metrics: Pick<TokenMetrics, "familyRevoked">;
}

/**
 * Revokes a family: its refresh tokens and access tokens are invalid from the commit on; other families are unaffected
 * (R-S10, R-S11). Parallel calls leave one audit entry and one count.
 */
export async function revokeFamily(
  { changes, revocations, metrics }: RevokeFamilyDeps,
  family: Pick<TokenFamily, "number" | "id" | "applicationId" | "personId">,
  because: RevocationCause,
  { requestId }: Pick<Call, "requestId">,
): Promise<void> {
  const revoked = await changes.run(
    async ({ db, at, audit }) => {
      if (!(await revocations.revoke(db, family.number, because, at))) return false;
      await audit({
        actor: family.applicationId,
        action: "tokenFamily.revoke",
        object: family.personId,
        facts: { because, family: family.id },
      });
      return true;
    },
    { requestId },
  );
  if (revoked) metrics.familyRevoked(because);
}

/** Why a single family was revoked; the row, the audit entry and the metric use these words. */
const REVOCATION_CAUSES = [
  "authorization code replayed",
  "refresh token reused",
  "revoked by the application",
] as const;

type RevocationCause = (typeof REVOCATION_CAUSES)[number];

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
  for (const because of REVOCATION_CAUSES) revoked.inc({ because }, 0);
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
