import { LeasedClient } from "../../../../src/runtime/database/postgres/leased-client.ts";
import type { PostgresLease } from "../../../../src/runtime/database/postgres/postgres-lease.ts";

/** A lease that notes what it is asked; `hasBegun` after a transaction. */
function leaseOf(hasBegun = false) {
  const asked: unknown[] = [];
  const released: boolean[] = [];
  const lease = {
    hasBegun,
    query: async (text: string, values: readonly unknown[]) => asked.push(text, values),
    release: (isDiscarded: boolean) => released.push(isDiscarded),
  };
  return { lease: lease as unknown as PostgresLease, asked, released };
}

describe("a client as Kysely sees it", () => {
  const given: LeasedClient[] = [];
  const client = (lease: PostgresLease): LeasedClient => {
    given.length = 0;
    const made = new LeasedClient((used) => void given.push(used));
    made.lease = lease;
    return made;
  };

  it("asks the connection that it has at the moment, and serves another one after a single statement", async () => {
    const [first, second] = [leaseOf(), leaseOf()];
    const used = client(first.lease);
    await used.query("select 1", []);
    used.release();
    expect(given).toEqual([used]);
    used.lease = second.lease;
    await used.query("select $1", [2]);
    expect([first.asked, second.asked]).toEqual([
      ["select 1", []],
      ["select $1", [2]],
    ]);
    expect([first.released, second.released]).toEqual([[false], []]);
  });

  it.each([
    ["a transaction", true, false],
    ["what made its connection unfit", false, true],
  ])("serves none after %s", (_, hasBegun, isDiscarded) => {
    const { lease, released } = leaseOf(hasBegun);
    client(lease).release(isDiscarded);
    expect({ given, released }).toEqual({ given: [], released: [isDiscarded] });
  });

  it("rejects a statement that comes after its connection was returned", async () => {
    const { lease, asked } = leaseOf(true);
    const used = client(lease);
    used.release();
    await expect(used.query("insert", [])).rejects.toThrow("A connection was used after it had been returned.");
    expect(asked).toEqual([]);
  });

  it("is returned once", () => {
    const { lease, released } = leaseOf();
    const used = client(lease);
    used.release();
    used.release();
    expect({ given, released }).toEqual({ given: [used], released: [false] });
  });
});
