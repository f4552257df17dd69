import type { TenantId, UserId, WorkerId } from "../../../src/runtime/basis/ids.ts";
import { currentLoginContext, type LastLoginContext } from "../../../src/workforce/people/last-login-context.ts";
import type { SeatStatus, Seats } from "../../../src/workforce/people/seat.ts";

const [a, b, c] = ["client_a", "client_b", "client_c"] as [TenantId, TenantId, TenantId];
const user = (tenantId: TenantId, status: SeatStatus) => ({ id: `user_${tenantId}` as UserId, tenantId, status });
const worker = (tenantId: TenantId) => ({ id: `worker_${tenantId}` as WorkerId, tenantId });

describe("the last login context (R-S22)", () => {
  const seats: Seats = { users: [user(a, "INACTIVE"), user(b, "ACTIVE"), user(c, "ACTIVE")], workers: [worker(a)] };
  const rows: readonly [string, LastLoginContext | undefined, Seats, LastLoginContext | undefined][] = [
    ["the remembered user", { kind: "USER", tenantId: c }, seats, { kind: "USER", tenantId: c }],
    ["the remembered worker", { kind: "WORKER", tenantId: a }, seats, { kind: "WORKER", tenantId: a }],
    ["the oldest ACTIVE user without a memory", undefined, seats, { kind: "USER", tenantId: b }],
    ["the oldest ACTIVE user for an INACTIVE one", { kind: "USER", tenantId: a }, seats, { kind: "USER", tenantId: b }],
    [
      "the oldest ACTIVE user for an ended worker",
      { kind: "WORKER", tenantId: b },
      seats,
      { kind: "USER", tenantId: b },
    ],
    [
      "the oldest worker without an ACTIVE user",
      undefined,
      { users: [user(b, "INVITED")], workers: [worker(c), worker(a)] },
      { kind: "WORKER", tenantId: c },
    ],
    [
      "nothing without a usable seat",
      { kind: "USER", tenantId: b },
      { users: [user(b, "INVITED")], workers: [] },
      undefined,
    ],
  ];

  it.each(rows)("is %s", (_, remembered, have, expected) => {
    expect(currentLoginContext(remembered, have)).toEqual(expected);
  });
});
