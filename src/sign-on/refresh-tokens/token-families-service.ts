import type { Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SignOnTables } from "../tables.ts";
import type { TokenFamily, TokenFamilyRepository } from "./token-family-repository.ts";
import type { RevocationCause, TokenMetrics } from "./token-metrics.ts";

export interface RevokeFamilyDeps {
  readonly changes: Changes<SignOnTables>;
  readonly families: Pick<TokenFamilyRepository, "revoke">;
  readonly metrics: Pick<TokenMetrics, "familyRevoked">;
}

/**
 * Revokes a family: its refresh tokens and access tokens are invalid from the commit on; other families are unaffected
 * (R-S10, R-S11). Parallel calls leave one audit entry and one count.
 */
export async function revokeFamily(
  { changes, families, metrics }: RevokeFamilyDeps,
  family: Pick<TokenFamily, "id" | "applicationId" | "personId">,
  because: RevocationCause,
  { requestId }: Pick<Call, "requestId">,
): Promise<void> {
  const revoked = await changes.run(
    async ({ db, at, audit }) => {
      if (!(await families.revoke(db, family.id, because, at))) return false;
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
