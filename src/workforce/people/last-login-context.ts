import {
  type LastLoginContext as LastLoginContextMessage,
  SeatKind as SeatKindMessage,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { Seats } from "./seat.ts";

/** What somebody may sign in as: a user of a dashboard, or a worker. */
type SeatKind = "USER" | "WORKER";

/** The seat used last on an instance (spec §2.7). */
export interface LastLoginContext {
  readonly kind: SeatKind;
  readonly tenantId: TenantId;
}

/** True when the person can still use such a seat: an ACTIVE user, or a worker not ended. */
export function isUsable({ kind, tenantId }: LastLoginContext, seats: Seats): boolean {
  return kind === "USER"
    ? seats.users.some((user) => user.tenantId === tenantId && user.status === "ACTIVE")
    : seats.workers.some((worker) => worker.tenantId === tenantId);
}

/** The remembered context while it is usable, else the oldest ACTIVE user, else the oldest worker; `undefined` without any (R-S22). */
export function currentLoginContext(
  remembered: LastLoginContext | undefined,
  seats: Seats,
): LastLoginContext | undefined {
  if (remembered !== undefined && isUsable(remembered, seats)) return remembered;
  const user = seats.users.find(({ status }) => status === "ACTIVE");
  if (user !== undefined) return { kind: "USER", tenantId: user.tenantId };
  const worker = seats.workers[0];
  return worker && { kind: "WORKER", tenantId: worker.tenantId };
}

export const toLoginContextMessage = ({ kind, tenantId }: LastLoginContext): LastLoginContextMessage => ({
  kind: SeatKindMessage[kind],
  tenantId,
});
