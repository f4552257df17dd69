import fc from "fast-check";
import { sql } from "kysely";
import { systemRandom } from "../../src/runtime/basis/random.ts";
import { createChanges } from "../../src/runtime/changes/change.ts";
import { type TakenEntry, takeFromOutbox } from "../../src/runtime/outbox/outbox.ts";
import { leaveNumbersOut } from "../../src/runtime/upkeep/store-identity.ts";
import { eachStore, inTransaction, type TestStore } from "../support/stores.ts";
import { openWorkforce, type Workforce, workforceOver } from "./workforce-fixture.ts";

const SEATS = 3;

/** A write to one of the seats; writes of one round run at once. */
const write = fc.record({
  seat: fc.nat(SEATS - 1),
  what: fc.constantFrom("name", "role", "noRole", "disable", "enable", "jobTitle", "phone"),
  value: fc.constantFrom<string>("Ada", "Bo", "Cy", "Di"),
});
type Write = typeof write extends fc.Arbitrary<infer W> ? W : never;

const taken = ({ store }: TestStore): Promise<readonly TakenEntry[]> =>
  inTransaction(store.view(), (tx) => takeFromOutbox(tx, 1_000));

/** What a consumer has that keeps the snapshot with the highest number of each entity, in whatever order they come. */
function kept(entries: readonly TakenEntry[]): ReadonlyMap<string, Readonly<Record<string, unknown>>> {
  const newest = new Map<string, TakenEntry>();
  for (const entry of entries) {
    if (entry.internal === true) continue;
    const { id } = entry.entity;
    if ((newest.get(id)?.sequence ?? 0) < entry.sequence) newest.set(id, entry);
  }
  return new Map([...newest].map(([id, { data }]) => [id, data]));
}

eachStore((_, open) => {
  describe("the sequence of an entity's events (R-X293)", () => {
    let workforce: Workforce;
    let writers: readonly Workforce[];
    let instanceId: string;
    beforeAll(async () => {
      workforce = await openWorkforce(open);
      writers = (await workforce.opened.racers(3)).map((racer) => workforceOver(racer, workforce.clock));
      instanceId = await workforce.instance();
    });

    async function seats(run: string) {
      const tenant = await workforce.tenant(instanceId, { name: `Bakery ${run}` });
      const made: { email: string; userId: string; workerId: string; personId: string }[] = [];
      for (let seat = 0; seat < SEATS; seat++) {
        const email = `seat-${seat}-${run}@example.com`;
        const user = await workforce.user(tenant.id, email);
        const worker = await workforce.worker(tenant.id, email);
        made.push({ email, userId: user.id, workerId: worker.id, personId: user.person.id });
      }
      return { tenant, made };
    }

    type Seat = Awaited<ReturnType<typeof seats>>["made"][number];

    const act = ({ platform }: Workforce, { userId, workerId, personId }: Seat, { what, value }: Write) => {
      const base = { requestId: "" };
      const ofWorker = { ...base, workerId, jobTitles: [], address: null, unitIds: [] };
      switch (what) {
        case "name":
          return platform.updatePerson({
            ...{ ...base, personId, email: "", emailVerified: false, firstName: value, lastName: "Vogt" },
            updateMask: ["first_name", "last_name"],
          });
        case "role":
          return platform.assignRole({ ...base, userId, roleName: "Admin" });
        case "noRole":
          return platform.assignRole({ ...base, userId, roleName: null });
        case "disable":
          return platform.disableUser({ ...base, userId });
        case "enable":
          return platform.enableUser({ ...base, userId });
        case "jobTitle":
          return platform.updateWorker({ ...ofWorker, jobTitles: [value], updateMask: ["job_titles"] });
        case "phone":
          return platform.updateWorker({ ...ofWorker, phone: value, updateMask: ["phone"] });
      }
    };

    it("lets a consumer that keeps the highest end with the present state, for any writes at once", async () => {
      let run = 0;
      await fc.assert(
        fc.asyncProperty(
          fc.array(fc.array(write, { minLength: 2, maxLength: 5 }), { maxLength: 4 }),
          async (rounds) => {
            const { made } = await seats(String(run++));
            const entries = [...(await taken(workforce.opened))];
            for (const round of rounds) {
              // A write that another one made impossible is refused, and emits nothing.
              await Promise.allSettled(
                round.map((one, index) =>
                  act(writers[index % writers.length] as Workforce, made[one.seat] as Seat, one),
                ),
              );
              entries.push(...(await taken(workforce.opened)));
            }
            const consumer = kept(entries.toReversed());
            // One more write to each, alone: what it says of the rest is the present state.
            for (const seat of made) {
              await act(workforce, seat, { seat: 0, what: "name", value: "Zoë" });
            }
            const present = kept(await taken(workforce.opened));
            for (const { userId, workerId } of made) {
              for (const id of [userId, workerId]) {
                const { firstName: _, fullName: __, lastName: ___, ...rest } = present.get(id) ?? {};
                expect(consumer.get(id)).toMatchObject(rest);
              }
            }
          },
        ),
        { numRuns: 12 },
      );
    });

    it("has no number twice, and goes on above every number of the time that a restore takes back (R-X294)", async () => {
      await seats("before");
      const before = (await taken(workforce.opened)).map(({ sequence }) => sequence);
      const changes = createChanges({ ...workforce.opened, clock: workforce.clock, random: systemRandom });
      await changes.run(({ db, at }) => leaveNumbersOut(db, at, []));
      await seats("after");
      const after = (await taken(workforce.opened)).map(({ sequence }) => sequence);
      expect(new Set([...before, ...after]).size).toBe(before.length + after.length);
      expect(Math.min(...after) - Math.max(...before)).toBeGreaterThan(999_999_999);
    });

    it("goes on above every number of a time that was restored from the same backup before (R-X336)", async () => {
      const changes = createChanges({ ...workforce.opened, clock: workforce.clock, random: systemRandom });
      const world = async (run: string, beganAt: number, given?: ReadonlyMap<string, number>) => {
        await changes.run(({ db }) => leaveNumbersOut(db, new Date(beganAt), [], given));
        await seats(run);
        return (await taken(workforce.opened)).map(({ sequence }) => sequence);
      };
      const later = Date.UTC(2060, 0, 1);
      const first = await world("first", later);
      // A millisecond later, as on a machine that has nothing of the first time.
      await setBack(first);
      const second = await world("second", later + 1);
      expect(Math.min(...second)).toBeGreaterThan(Math.max(...first));
      // The clock was set back, and the replaced store can be read.
      await setBack(second);
      const third = await world("third", 0, new Map([["outbox_entries", Math.max(...second)]]));
      expect(Math.min(...third)).toBeGreaterThan(Math.max(...second));
      expect(third.every(Number.isSafeInteger)).toBe(true);
    });

    /** The numbers as in a backup from before these were given. */
    async function setBack(numbers: readonly number[]): Promise<void> {
      const { store } = workforce.opened;
      const last = Math.min(...numbers) - 2_000_000;
      await (store.dialect === "sqlite"
        ? sql`update sqlite_sequence set seq = ${last} where name = 'outbox_entries'`
        : sql`select setval(pg_get_serial_sequence('outbox_entries', 'sequence'), ${last})`
      ).execute(store.view());
    }
  });
});
