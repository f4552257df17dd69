import type { ClaimedAttempt } from "../../../generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { givenAttempts } from "../../../src/webhooks/queue/given-attempts-service.ts";

const LEASE_MS = 30_000;
const ONE = { deliveryId: "delivery_1", fence: 1 } as ClaimedAttempt;
const OTHER = { deliveryId: "delivery_2", fence: 7 } as ClaimedAttempt;

/** A process of services that gives out `ONE`, and a clock that is set by hand. */
function services({ given = [ONE] }: { readonly given?: readonly ClaimedAttempt[] } = {}) {
  let now = 0;
  let wakes = 0;
  let claims = 0;
  const attempts = givenAttempts({ leaseMs: LEASE_MS, now: () => now, wakeClaims: () => void wakes++ });
  const methods = attempts.watched({
    async claimDue() {
      claims++;
      return { attempts: [...given] };
    },
    async claimOne() {
      claims++;
      return { attempt: given[0] ?? null, standing: null };
    },
    recordOutcomes: async ({ outcomes }) => ({ recorded: outcomes.length }),
    recordOne: async () => ({ standing: null }),
    returnClaims: async () => ({ returned: 1 }),
  });
  const ended = new AbortController();
  const call = { waiting: ended.signal } as Call;
  const claimDue = () => methods.claimDue({ limit: 1, waitMs: LEASE_MS, claim: "claim-1" }, call);
  return {
    attempts,
    methods,
    call,
    claimDue,
    claims: () => claims,
    wakes: () => wakes,
    endWaits: () => ended.abort(),
    pass(ms: number) {
      now += ms;
    },
  };
}

type Services = ReturnType<typeof services>;

/** What a promise has resolved to; `waits` when it has not yet. */
const orWaits = (promise: Promise<unknown>) =>
  Promise.race([promise, new Promise((resolve) => setImmediate(resolve, "waits"))]);

describe("attempts that a worker has while its services stop (R-X416)", () => {
  it.each<[string, (stopping: Services) => Promise<unknown>]>([
    ["their outcomes", ({ methods, call }) => methods.recordOutcomes({ outcomes: [ONE, OTHER] as never }, call)],
    [
      "the outcome of each",
      async ({ methods, call }) => {
        for (const outcome of [ONE, OTHER]) await methods.recordOne({ outcome: outcome as never }, call);
      },
    ],
    ["the claim that is given back", ({ methods, call }) => methods.returnClaims({ claims: ["claim-1"] }, call)],
  ])("are waited for until services have %s", async (_, report) => {
    const stopping = services({ given: [ONE, OTHER] });
    await stopping.claimDue();
    const over: string[] = [];
    const left = stopping.attempts.leave(LEASE_MS).then(() => over.push("left"));
    await Promise.resolve();
    over.push("reports");
    await report(stopping);
    await left;
    expect([over, stopping.wakes()]).toEqual([["reports", "left"], 1]);
  });

  it("are waited for as long as one of them is under way, of a retry engine too", async () => {
    const stopping = services();
    await stopping.methods.claimOne({ round: null, now: false, claim: "claim-2" }, stopping.call);
    const left = stopping.attempts.leave(LEASE_MS);
    await stopping.methods.recordOutcomes({ outcomes: [OTHER] as never }, stopping.call);
    await stopping.methods.returnClaims({ claims: ["claim-1"] }, stopping.call);
    expect(await orWaits(left)).toBe("waits");
    await stopping.methods.recordOne({ outcome: ONE as never }, stopping.call);
    expect(await left).toBeUndefined();
  });

  it("are waited for when a claim brings them that has begun before", async () => {
    const stopping = services();
    const claimed = stopping.claimDue();
    const left = stopping.attempts.leave(LEASE_MS);
    expect(await claimed).toEqual({ attempts: [ONE] });
    expect(await orWaits(left)).toBe("waits");
    await stopping.methods.recordOne({ outcome: ONE as never }, stopping.call);
    expect(await left).toBeUndefined();
  });

  it("are not waited for once their leases have ended: the worker is gone", async () => {
    const stopping = services();
    await stopping.claimDue();
    stopping.pass(LEASE_MS);
    expect(await stopping.attempts.leave(LEASE_MS)).toBeUndefined();
  });

  it("are not waited for when there is no time", async () => {
    const stopping = services();
    await stopping.claimDue();
    expect(await stopping.attempts.leave(0)).toBeUndefined();
  });

  it("become no more: a claim that comes is not taken, and waits for its end", async () => {
    const stopping = services();
    await stopping.attempts.leave(LEASE_MS);
    const claimed = stopping.claimDue();
    expect(await orWaits(claimed)).toBe("waits");
    stopping.endWaits();
    expect(await claimed).toEqual({ attempts: [] });
    await expect(stopping.methods.claimOne({ round: null, now: false }, stopping.call)).rejects.toMatchObject({
      code: "UNAVAILABLE",
    });
    expect([stopping.claims(), stopping.attempts.isLeaving()]).toEqual([0, true]);
  });
});
