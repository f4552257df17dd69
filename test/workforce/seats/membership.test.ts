import type { TenantId, UserId, WorkerId } from "../../../src/runtime/basis/ids.ts";
import { type Membership, membershipOf } from "../../../src/workforce/seats/membership.ts";
import type { Seats } from "../../../src/workforce/seats/seat.ts";
import type { UserStatus } from "../../../src/workforce/users/user-status.ts";

const tenantId = "client_a" as TenantId;
const users = (...statuses: readonly UserStatus[]): Seats => ({
  users: statuses.map((status) => ({ id: "user_a" as UserId, tenantId, status })),
  workers: [],
});
const worker: Seats = { users: [], workers: [{ id: "worker_a" as WorkerId, tenantId }] };

describe("membership of an instance (R-S7)", () => {
  const rows: readonly [string, Parameters<typeof membershipOf>[0], Seats, Membership][] = [
    ["an ACTIVE user", { disabled: false }, users("ACTIVE"), "MEMBER"],
    ["an INVITED user", { disabled: false }, users("INVITED"), "MEMBER"],
    ["an INACTIVE user", { disabled: false }, users("INACTIVE"), "NONE"],
    ["an INACTIVE and an INVITED user", { disabled: false }, users("INACTIVE", "INVITED"), "MEMBER"],
    ["a worker", { disabled: false }, worker, "MEMBER"],
    ["no seat", { disabled: false }, users(), "NONE"],
    ["nobody", undefined, worker, "NONE"],
    ["a disabled person with a worker", { disabled: true }, worker, "DISABLED"],
  ];

  it.each(rows)("of %s", (_, person, seats, membership) => {
    expect(membershipOf(person, seats)).toBe(membership);
  });
});
