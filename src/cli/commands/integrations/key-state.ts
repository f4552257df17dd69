import type { ApiKey } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { systemClock } from "#runtime/basis/clock.ts";
import { toShownInstant } from "../../output/instant.ts";

type Ends = Pick<ApiKey, "expiresAt" | "revokedAt">;

/** The gateway takes the key: it is neither revoked nor expired. */
export const isAccepted = ({ expiresAt, revokedAt }: Ends): boolean =>
  !revokedAt && (!expiresAt || expiresAt > systemClock.now());

/** For people: `live`, or since when it is refused, or until when it is accepted. */
export function keyState({ expiresAt, revokedAt }: Ends): string {
  if (revokedAt) return `revoked ${toShownInstant(revokedAt)}`;
  if (expiresAt) return `${isAccepted({ expiresAt, revokedAt }) ? "until" : "expired"} ${toShownInstant(expiresAt)}`;
  return "live";
}
