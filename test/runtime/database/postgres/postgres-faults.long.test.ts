import { sql } from "kysely";
import { systemClock } from "../../../../src/runtime/basis/clock.ts";
import { systemRandom } from "../../../../src/runtime/basis/random.ts";
import { createChanges } from "../../../../src/runtime/changes/change.ts";
import { runtimeMigrations } from "../../../../src/runtime/changes/migrations.ts";
import type { RepeatKey } from "../../../../src/runtime/changes/repeated-request.ts";
import { type MigrationSet, migrate } from "../../../../src/runtime/database/migrations.ts";
import { openPostgres, type PostgresStore } from "../../../../src/runtime/database/postgres/postgres.ts";
import { createWake } from "../../../../src/runtime/wake/wake.ts";
import { eventually } from "../../../support/eventually.ts";
import type { FaultProxy } from "../../../support/fault-proxy.ts";
import { postgresProxy } from "../../../support/postgres-proxy.ts";
import { inTransaction, onPostgres, type TestStore } from "../../../support/stores.ts";

/** Longer than a busy machine takes for what is not delayed on purpose. */
const DEADLINES = { connectMs: 2_500, statementMs: 1_500, transactionMs: 4_000, migrationMs: 20_000 };
const UNAVAILABLE = { code: "UNAVAILABLE", retryAfterSeconds: 2 };

interface Tables {
  things: { readonly name: string };
}

onPostgres((open, closeLater) => {
  describe("a connection that is lost or silent", () => {
    let proxy: FaultProxy;
    let store: PostgresStore;
    let direct: TestStore;
    let proxied: string;

    beforeEach(async () => {
      direct = await open();
      await sql`create table things (name text not null)`.execute(direct.store.view());
      ({ proxy, proxied } = await postgresProxy(direct.location, closeLater));
      store = await openPostgres(proxied, { connections: 3, deadlines: DEADLINES });
      closeLater(() => store.close());
    });

    const add = (name: string) => store.view<Tables>().insertInto("things").values({ name }).execute();
    const names = async () =>
      (await direct.store.view<Tables>().selectFrom("things").select("name").orderBy("name").execute()).map(
        ({ name }) => name,
      );
    /** Fills the pool, so that all its connections are idle ones. */
    const warm = () => Promise.all([1, 2, 3].map(() => sql`select pg_sleep(0.02)`.execute(store.view())));
    const changes = (over = store) =>
      createChanges<Tables>({ store: over, wake: createWake(), clock: systemClock, random: systemRandom });

    it("begins a transaction on a new connection when the pooled one was lost or is silent (R-X182)", async () => {
      await warm();
      proxy.silence({ of: "existing" });
      await changes().run(({ db }) => db.insertInto("things").values({ name: "one" }).execute());
      await expect(names()).resolves.toEqual(["one"]);
      expect(store.health.trouble).toBeUndefined();
    });

    it.each([
      ["a select", "select name from things"],
      ["a select behind tables of its own", "with found as (select name from things) select name from found"],
    ])("reads on a new connection when the pooled one was lost or is silent: %s", async (_, text) => {
      await add("one");
      await warm();
      proxy.silence({ of: "existing" });
      const read = await sql.raw(text).execute(store.view());
      expect([read.rows, store.health.trouble]).toEqual([[{ name: "one" }], undefined]);
    });

    it("does not repeat a write that begins with a table of its own", async () => {
      await warm();
      proxy.silence({ of: "existing" });
      const writing = sql`with one as (select 'one' as name) insert into things select name from one`.execute(
        store.view(),
      );
      await expect(writing).rejects.toMatchObject(UNAVAILABLE);
    });

    it("gives up an unanswered statement, closes the connection, and works again (R-X180)", async () => {
      await warm();
      proxy.silence();
      await expect(add("lost")).rejects.toMatchObject(UNAVAILABLE);
      expect(store.health.trouble).toBe("away");
      proxy.pass();
      const back = await eventually(
        () =>
          add("kept").then(
            () => true,
            () => false,
          ),
        (done) => done,
      );
      expect([back, store.health.trouble, await names()]).toEqual([true, undefined, ["kept"]]);
    });

    it.each<[string, (role: string) => string, (role: string) => string]>([
      ["signs the role in no more", (role) => `alter role ${role} nologin`, (role) => `alter role ${role} login`],
      [
        "takes the role's rights away",
        (role) => `revoke all on things from ${role}`,
        (role) => `grant all on things to ${role}`,
      ],
    ])("is unavailable while the server %s, says so, and works again (R-X180)", async (_, close, openAgain) => {
      const role = `${new URL(direct.location).pathname.slice(1)}_app`;
      const run = (statement: string) => sql.raw(statement).execute(direct.store.view());
      await run(`create role ${role} login`);
      await run(`grant all on things to ${role}`);
      const url = new URL(direct.location);
      url.username = role;
      const own = await openPostgres(url.href, { connections: 3, deadlines: DEADLINES });
      closeLater(() => own.close());
      const put = (name: string) => own.view<Tables>().insertInto("things").values({ name }).execute();
      await put("one");
      await run(close(role));
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
      // Until the pool has noticed that its connections are gone.
      const troubleOf = () =>
        put("lost").then(
          () => undefined,
          () => own.health.trouble,
        );
      expect(await eventually(troubleOf, (trouble) => trouble === "refused")).toBe("refused");
      await expect(put("lost")).rejects.toMatchObject(UNAVAILABLE);
      await run(openAgain(role));
      const back = () =>
        put("kept").then(
          () => true,
          () => false,
        );
      expect([await eventually(back, Boolean), own.health.trouble]).toEqual([true, undefined]);
    });

    /** Ends the server's side of all connections through the proxy. */
    const terminate = () =>
      sql`select pg_terminate_backend(pid) from pg_stat_activity
        where application_name = 'gatehouse' and pid <> pg_backend_pid() and datname = current_database()`.execute(
        direct.store.view(),
      );

    it.each<[string, (own: PostgresStore, name: string) => Promise<unknown>]>([
      ["a read", (own) => own.view<Tables>().selectFrom("things").select("name").execute()],
      ["a change", (own, name) => changes(own).run(({ db }) => db.insertInto("things").values({ name }).execute())],
      [
        "a change of one statement",
        (own, name) => changes(own).one(({ db }) => db.insertInto("things").values({ name }).execute()),
      ],
    ])("%s meets one lost connection at most, however many are idle (R-X182)", async (_, ask) => {
      const own = await openPostgres(proxied, { connections: 10, deadlines: DEADLINES });
      closeLater(() => own.close());
      await Promise.all(Array.from({ length: 10 }, () => sql`select pg_sleep(0.2)`.execute(own.view())));
      expect(proxy.connections()).toBeGreaterThan(9);
      proxy.move();
      for (const name of ["one", "two", "three"]) await ask(own, name);
      expect(own.health.trouble).toBeUndefined();
    });

    it("repeats a change when its connection was lost before the commit was sent (R-X182)", async () => {
      let tries = 0;
      await changes().run(async ({ db }) => {
        tries++;
        await db
          .insertInto("things")
          .values({ name: `try ${tries}` })
          .execute();
        if (tries === 1) proxy.cut();
        await db
          .insertInto("things")
          .values({ name: `end of try ${tries}` })
          .execute();
      });
      await expect(names()).resolves.toEqual(["end of try 2", "try 2"]);
    });

    describe("a commit whose answer is lost", () => {
      const number = {
        encode: (value: number) => ({ finish: () => Buffer.from([value]) }),
        decode: (bytes: Uint8Array) => bytes[0] ?? 0,
      };
      const repeat = (requestId: string): RepeatKey<number> => ({
        requestId,
        caller: "platform",
        method: "Add",
        content: Buffer.from("one"),
        answer: number,
      });
      /** Cuts the connection once the server has committed; the answer is swallowed. */
      const addLosingTheAnswer = async (requestId: string) => {
        let tries = 0;
        const answer = changes().run(
          async ({ db }) => {
            tries++;
            await db
              .insertInto("things")
              .values({ name: `try ${tries}` })
              .execute();
            if (tries === 1) {
              // The insert into change_requests and the commit still pass to the server; nothing comes back of the commit.
              proxy.holdAnswerTo("COMMIT");
            }
            return tries;
          },
          { repeat: repeat(requestId) },
        );
        const outcome = answer.catch((error: unknown) => error);
        await eventually(names, (all) => all.length > 0);
        proxy.cut();
        proxy.pass();
        return { outcome: await outcome, names: await names() };
      };

      it("is UNAVAILABLE, and is not repeated: the commit may have counted (R-X182)", async () => {
        const { outcome, names: found } = await addLosingTheAnswer("");
        expect(outcome).toMatchObject(UNAVAILABLE);
        expect(found).toEqual(["try 1"]);
      });

      it("is repeated where its work recognizes itself, and finds what it did (R-X333)", async () => {
        const seen: boolean[] = [];
        proxy.cutAtAnswer("COMMIT", 1);
        const answer = changes().run(
          async ({ db, mayBeDone }) => {
            seen.push(mayBeDone);
            if (mayBeDone) return (await db.selectFrom("things").select("name").execute()).map(({ name }) => name);
            await db.insertInto("things").values({ name: "one" }).execute();
            return [];
          },
          { recognizesItself: true },
        );
        expect(await answer).toEqual(["one"]);
        proxy.pass();
        expect([seen, await names()]).toEqual([[false, true], ["one"]]);
      });

      it.each<[string, () => void, readonly unknown[]]>([
        ["is answered when the audit log has its entry", () => proxy.cutAtAnswer("COMMIT", 1), ["added", 1, ["one"]]],
        [
          "is UNAVAILABLE, and is not repeated, when the audit log has no entry of it",
          () => {
            proxy.silence({ of: "existing", what: "requests" });
            setImmediate(() => proxy.cut());
          },
          ["UNAVAILABLE", 1, []],
        ],
      ])("%s (R-X333)", async (_, beforeCommit, expected) => {
        let tries = 0;
        const answer = changes().run(
          async ({ db, audit }) => {
            tries++;
            await db.insertInto("things").values({ name: "one" }).execute();
            await audit({ actor: "operator", action: "thing.add", object: "one" });
            // What is sent from now on is the commit.
            beforeCommit();
            return "added";
          },
          { requestId: "call-1" },
        );
        const outcome = await answer.catch(({ code }: { readonly code: string }) => code);
        proxy.pass();
        expect([outcome, tries, await names()]).toEqual(expected);
      });

      it("of one statement is sent once more, with the same instant, and finds what it did (R-X333)", async () => {
        const seen: { readonly at: number; readonly mayBeDone: boolean }[] = [];
        proxy.holdAnswerTo("INSERT 0 1");
        const answer = changes().one(async ({ db, at, mayBeDone }) => {
          seen.push({ at: at.getTime(), mayBeDone });
          const { numAffectedRows } =
            await sql`insert into things (name) select 'one' where not exists (select 1 from things)`.execute(db);
          return numAffectedRows === 1n ? "done" : "done before";
        });
        await eventually(names, (all) => all.length > 0);
        proxy.cut();
        proxy.pass();
        expect(await answer).toBe("done before");
        expect(await names()).toEqual(["one"]);
        expect(seen).toEqual([
          { at: seen[0]?.at, mayBeDone: false },
          { at: seen[0]?.at, mayBeDone: true },
        ]);
        // The repeat has changed no row, which shows nothing; the next write does.
        await add("two");
        expect(store.health.trouble).toBeUndefined();
      });

      it("of one statement is UNAVAILABLE when the answer of its repeat is lost as well (R-X333)", async () => {
        proxy.holdAnswerTo("INSERT 0 1");
        // Does not look for what it did, so the rows count its tries.
        const outcome = changes()
          .one(({ db }) => db.insertInto("things").values({ name: "one" }).execute())
          .catch((error: unknown) => error);
        for (const tries of [1, 2]) {
          await eventually(names, (all) => all.length === tries);
          proxy.cut();
        }
        expect(await outcome).toMatchObject(UNAVAILABLE);
        proxy.pass();
        expect(await names()).toEqual(["one", "one"]);
      });

      it("is looked up under its request id, and answered as the first time (R-X182)", async () => {
        const { outcome, names: found } = await addLosingTheAnswer("request-1");
        expect([outcome, found]).toEqual([1, ["try 1"]]);
      });
    });

    it("returns a snapshot's connection when its beginning fails, and when it is lost later", async () => {
      for (let round = 0; round < 4; round++) {
        const { db, close } = await store.snapshot<Tables>();
        await terminate();
        await expect(db.selectFrom("things").selectAll().execute()).rejects.toMatchObject(UNAVAILABLE);
        await close();
      }
      await warm();
      proxy.silence();
      await expect(store.snapshot()).rejects.toMatchObject(UNAVAILABLE);
      proxy.pass();
      await eventually(
        () =>
          add("kept").then(
            () => true,
            () => false,
          ),
        (done) => done,
      );
      // All three places of the pool are free again.
      await warm();
      await expect(names()).resolves.toEqual(["kept"]);
    });

    it("prepares its statements again on a new connection", async () => {
      await add("one");
      await terminate();
      await eventually(
        () =>
          add("two").then(
            () => true,
            () => false,
          ),
        (done) => done,
      );
      await expect(names()).resolves.toEqual(["one", "two"]);
    });

    it("ends a transaction that takes too long, and closes its connection (R-X181)", async () => {
      const slow = inTransaction(store.view<Tables>(), async (tx) => {
        await tx.insertInto("things").values({ name: "slow" }).execute();
        // That the deadline passes is what is tested; the server counts as well, by its own clock.
        await new Promise((resolve) => setTimeout(resolve, DEADLINES.transactionMs + 100));
        await tx.insertInto("things").values({ name: "later" }).execute();
      });
      await expect(slow).rejects.toMatchObject(UNAVAILABLE);
      await add("kept");
      await expect(names()).resolves.toEqual(["kept"]);
    });

    it("allows a migration more time than a statement (R-X181)", async () => {
      const slow: MigrationSet = {
        owner: "slow",
        migrations: [{ number: 1, name: "slow", statements: () => ["select pg_sleep(2)"] }],
      };
      await expect(migrate(store, [runtimeMigrations, slow], new Date(0))).resolves.toBe(1);
    });

    it("ends an all-or-nothing import whose process stops in the middle: its locks are free, and it begins again (R-X182)", async () => {
      const [begun, isFree] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const importing = changes().run(
        async ({ db }) => {
          await db.insertInto("things").values({ name: "first" }).execute();
          begun.resolve();
          await isFree.promise;
          await db.insertInto("things").values({ name: "second" }).execute();
        },
        { alone: true },
      );
      await begun.promise;
      const locking = inTransaction(direct.store.view(), (tx) => sql`lock table things in exclusive mode`.execute(tx));
      await locking.finally(isFree.resolve);
      await importing;
      expect(await names()).toEqual(["first", "second"]);
    });

    it("limits a caller's wait to the connection timeout while all are in use (R-X181)", async () => {
      const held = await Promise.all([1, 2, 3].map(() => store.view().startTransaction().execute()));
      await expect(add("waits")).rejects.toMatchObject(UNAVAILABLE);
      const trouble = store.health.trouble;
      await Promise.all(held.map((transaction) => transaction.rollback().execute()));
      await add("kept");
      expect([trouble, await names()]).toEqual([undefined, ["kept"]]);
    });

    it("waits for a connection that it has while the server has none left, and asks for more later (R-X180)", async () => {
      const role = `${new URL(direct.location).pathname.slice(1)}_few`;
      const run = (statement: string) => sql.raw(statement).execute(direct.store.view());
      await run(`create role ${role} login connection limit 2`);
      await run(`grant all on things to ${role}`);
      const url = new URL(direct.location);
      url.username = role;
      const own = await openPostgres(url.href, { connections: 8, deadlines: DEADLINES });
      closeLater(() => own.close());
      const put = (name: string) => own.view<Tables>().insertInto("things").values({ name }).execute();
      const all = Array.from({ length: 24 }, (_, index) => `thing ${String(index).padStart(2, "0")}`);
      await Promise.all(all.map(put));
      expect([await names(), own.health.trouble]).toEqual([all, undefined]);
      await run(`alter role ${role} connection limit 8`);
      const together = async () => {
        const slow = () => sql`select pg_sleep(0.2)`.execute(own.view());
        const asked = Promise.all([slow(), slow(), slow(), slow()]);
        const { rows } = await sql<{ readonly open: number }>`
          select count(*)::int as open from pg_stat_activity where usename = ${role}`.execute(direct.store.view());
        await asked;
        return rows[0]?.open ?? 0;
      };
      expect(await eventually(together, (open) => open > 2)).toBeGreaterThan(2);
    });

    it("says that the server has no connection left when it has none at all", async () => {
      const role = `${new URL(direct.location).pathname.slice(1)}_none`;
      const run = (statement: string) => sql.raw(statement).execute(direct.store.view());
      await run(`create role ${role} login`);
      const url = new URL(direct.location);
      url.username = role;
      const own = await openPostgres(url.href, { connections: 3, deadlines: DEADLINES });
      closeLater(() => own.close());
      await run(`alter role ${role} connection limit 0`);
      await run(`select pg_terminate_backend(pid) from pg_stat_activity where usename = '${role}'`);
      const troubleOf = () =>
        sql`select 1`.execute(own.view()).then(
          () => undefined,
          () => own.health.trouble,
        );
      expect(await eventually(troubleOf, (trouble) => trouble === "busy")).toBe("busy");
    });

    it("closes at once while connections are silent", async () => {
      const other = await openPostgres(proxied, { connections: 3 });
      await sql`select 1`.execute(other.view());
      const underWay = sql`select pg_sleep(60)`.execute(other.view()).catch((error: unknown) => error);
      await eventually(
        async () => proxy.connections(),
        (count) => count > 1,
      );
      proxy.silence();
      await other.close();
      await expect(underWay).resolves.toMatchObject({ code: "UNAVAILABLE" });
    });

    it("waits only shortly for statements once the process stops", async () => {
      const stopping = new AbortController();
      const other = await openPostgres(proxied, { connections: 3, stopping: stopping.signal });
      const underWay = sql`select pg_sleep(60)`.execute(other.view()).catch((error: unknown) => error);
      stopping.abort();
      await expect(underWay).resolves.toMatchObject({ code: "UNAVAILABLE" });
      await other.close();
    });
  });
});
