import { sql } from "kysely";
import { type Change, createChanges } from "../../../src/runtime/changes/change.ts";
import { queuedChanges } from "../../../src/runtime/changes/queued-changes.ts";
import { isLockTimeout } from "../../../src/runtime/database/database.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { seededRandom } from "../../support/random.ts";
import { onPostgres, type TestStore } from "../../support/stores.ts";

const GUESTS = {
  owner: "guests",
  migrations: [
    { number: 1, name: "guests", statements: () => ["create table guests (name text primary key, visits integer)"] },
  ],
};

type Tables = { guests: { readonly name: string; readonly visits: number } };

onPostgres((open) => {
  describe("a change that a caller asks for, whose row another process keeps locked (R-X411)", () => {
    let test: TestStore;
    let over: () => void;
    let held: Promise<void>;
    beforeEach(async () => {
      test = await open([GUESTS]);
      const db = test.store.view<Tables>();
      await db.insertInto("guests").values({ name: "Ada", visits: 0 }).execute();
      const { resolve, promise } = Promise.withResolvers<void>();
      const isLocked = Promise.withResolvers<void>();
      over = resolve;
      const other = (await test.again()).store.view<Tables>();
      held = other.transaction().execute(async (tx) => {
        await tx.selectFrom("guests").selectAll().forUpdate().execute();
        isLocked.resolve();
        await promise;
      });
      await isLocked.promise;
    });
    afterEach(async () => {
      over();
      await held;
    });

    const changesWithin = (waitMs: number) => {
      const { store, wake } = test;
      const connections = { most: 10, waitMs, lockMs: 0 };
      const changes = createChanges<Tables>({ store, clock: standingClock(), random: seededRandom(), wake });
      return queuedChanges({ ...store, connections }, changes);
    };
    const visits = async () => (await test.store.view<Tables>().selectFrom("guests").selectAll().execute())[0]?.visits;

    it("begins again until the row is given back, and counts once what a rollback cannot undo (R-X406)", async () => {
      const counter = { counted: 0 };
      let attempts = 0;
      const visit = async ({ db, once }: Change<Tables>) => {
        attempts++;
        once(counter, () => ++counter.counted);
        await db.updateTable("guests").set({ visits: sql`visits + 1` }).execute();
      };
      const visited = changesWithin(60_000).run(visit);
      await eventually(
        async () => attempts,
        (count) => count > 2,
      );
      over();
      await visited;
      expect([await visits(), counter.counted]).toEqual([1, 1]);
    });

    it("is refused when that takes longer than a connection is waited for, and nothing is written", async () => {
      const visit = async ({ db }: Change<Tables>) => {
        await db.insertInto("guests").values({ name: "Bo", visits: 0 }).execute();
        await db.updateTable("guests").set({ visits: 1 }).where("name", "=", "Ada").execute();
      };
      const failure = await changesWithin(300)
        .run(visit)
        .catch((error: unknown) => error);
      expect([isLockTimeout(failure), failure]).toMatchObject([true, { code: "UNAVAILABLE" }]);
      over();
      await held;
      expect(await test.store.view<Tables>().selectFrom("guests").selectAll().execute()).toEqual([
        { name: "Ada", visits: 0 },
      ]);
    });
  });
});
