import type { TenantId, UserId, WorkerId } from "../../../src/runtime/basis/ids.ts";
import { type Membership, membershipOf } from "../../../src/workforce/people/membership.ts";
import type { SeatStatus, Seats } from "../../../src/workforce/people/seat.ts";

const tenantId = "client_a" as TenantId;
const users = (...statuses: readonly SeatStatus[]): Seats => ({
  users: statuses.map((status) => ({ id: "user_a" as UserId, tenantId, status })),
  workers: [],
});
const worker: Seats = { users: [], workers: [{ id: "worker_a" as WorkerId, tenantId }] };

const ENABLED = { disabled: false, enabledAt: undefined };

describe("membership of an instance (R-S7)", () => {
  const rows: readonly [string, Parameters<typeof membershipOf>[0], Seats, Membership][] = [
    ["an ACTIVE user", ENABLED, users("ACTIVE"), "MEMBER"],
    ["an INVITED user", ENABLED, users("INVITED"), "MEMBER"],
    ["an INACTIVE user", ENABLED, users("INACTIVE"), "NONE"],
    ["an INACTIVE and an INVITED user", ENABLED, users("INACTIVE", "INVITED"), "MEMBER"],
    ["a worker", ENABLED, worker, "MEMBER"],
    ["no seat", ENABLED, users(), "NONE"],
    ["an unknown person", undefined, worker, "NONE"],
    ["a disabled person with a worker", { disabled: true, enabledAt: undefined }, worker, "DISABLED"],
  ];

  it.each(rows)("of %s", (_, person, seats, membership) => {
    expect(membershipOf(person, seats, undefined)).toBe(membership);
  });

  const AGAIN = new Date("2026-03-01T12:00:00Z");
  const times: readonly [string, Date | undefined, Membership][] = [
    ["a moment before", new Date(AGAIN.getTime() - 1), "SIGNED_OUT"],
    ["at that instant", AGAIN, "MEMBER"],
    ["after", new Date(AGAIN.getTime() + 1), "MEMBER"],
    ["at an unknown time", undefined, "SIGNED_OUT"],
  ];

  it.each(times)("of a person who was enabled again and had entered the password %s (R-X93)", (_, at, membership) => {
    expect(membershipOf({ disabled: false, enabledAt: AGAIN }, worker, at)).toBe(membership);
    expect(membershipOf({ disabled: true, enabledAt: AGAIN }, worker, at)).toBe("DISABLED");
  });
});
