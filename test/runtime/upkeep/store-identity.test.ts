import fc from "fast-check";
import { sql } from "kysely";
import type { AuditTables } from "../../../src/runtime/audit/audit.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { insertRows } from "../../../src/runtime/database/rows.ts";
import { createSealer } from "../../../src/runtime/sealing/sealing.ts";
import {
  assertNumbersGoOn,
  followingEpoch,
  type IdentityTables,
  identifyStore,
  leaveNumbersOut,
} from "../../../src/runtime/upkeep/store-identity.ts";
import { sealedProof } from "../../../src/runtime/upkeep/store-proof.ts";
import { NUMBERS_ELSEWHERE } from "../../../src/webhooks/services.ts";
import { blocker, waitForLocks } from "../../support/deadlocks.ts";
import { eachStore, inTransaction, onPostgres } from "../../support/stores.ts";
import { ACKNOWLEDGED, openKit } from "../../webhooks/webhooks-kit.ts";

const at = (ms: number) => new Date(ms);

describe("the epoch that a restore begins (R-X336)", () => {
  it("follows that of the backup", () => {
    const next = followingEpoch({ epoch: 1, epochBeganAt: at(1_000) }, undefined, at(5_000));
    expect(next).toEqual({ epoch: 2, beganAt: at(5_000) });
  });

  it("follows that of the store it replaces, which one backup may have begun twice", () => {
    const backup = { epoch: 1, epochBeganAt: at(1_000) };
    const first = followingEpoch(backup, undefined, at(5_000));
    const second = followingEpoch(backup, { epoch: first.epoch, epochBeganAt: first.beganAt }, at(5_000));
    expect(second).toEqual({ epoch: 3, beganAt: at(5_001) });
  });

  it("begins after both, whatever the clock says", () => {
    const epoch = fc.record({ epoch: fc.nat(10_000), epochBeganAt: fc.nat(2_000_000_000).map(at) });
    fc.assert(
      fc.property(epoch, epoch, fc.nat(2_000_000_000), (backup, replaced, now) => {
        const next = followingEpoch(backup, replaced, at(now));
        for (const known of [backup, replaced]) {
          expect(next.epoch).toBeGreaterThan(known.epoch);
          expect(next.beganAt.getTime()).toBeGreaterThan(known.epochBeganAt.getTime());
        }
      }),
    );
  });
});

eachStore((_, open) => {
  it.each([
    ["that the backup has", 3, 1, 100_000],
    ["that the replaced store gave", 3, 700_000, 800_000],
  ])("a restored table goes on far behind the last number %s (R-X336)", async (__, ofBackup, ofReplaced, behind) => {
    const { store } = await open();
    const db = store.view<AuditTables>();
    const entry = {
      at: 0,
      actor: "operator",
      action: "tenant.create",
      object: "client_1",
      request_id: "",
      facts: "{}",
    };
    await insertRows(db, "audit_entries", Array(ofBackup).fill(entry));
    const given = new Map([["audit_entries", ofReplaced]]);
    await inTransaction(store.view(), (tx) => leaveNumbersOut(tx, at(0), [], given));
    await insertRows(db, "audit_entries", [entry]);
    const { rows } = await sql<{ last: number }>`select max(sequence) as last from audit_entries`.execute(db);
    expect(Number(rows[0]?.last)).toBeGreaterThan(behind);
  });
});

onPostgres((open) => {
  it("an empty store that two processes begin at once with a master key each is one's, and refuses the other (R-X366)", async () => {
    const observer = await open();
    const racers = await observer.racers(2);
    // Both have looked, and found nothing, before either may write.
    const blocked = await blocker(observer, (tx) => sql`lock table store_identities in share mode`.execute(tx));
    const begun = Promise.allSettled(
      racers.map(({ store }, index) =>
        identifyStore(store.view<IdentityTables>(), {
          sealer: createSealer([Buffer.alloc(32, index + 1)], systemRandom),
          sealed: [sealedProof],
          random: systemRandom,
          now: at(0),
        }),
      ),
    );
    await waitForLocks(observer, 2);
    await blocked.end();
    const outcomes = (await begun).map((one) => (one.status === "fulfilled" ? one.value.epoch : one.reason.message));
    expect(outcomes.toSorted()).toEqual([1, expect.stringContaining("sealed with another master key")]);
  });

  describe("a store that was moved without its sequences, as logical replication does", () => {
    const moved = async (highest: number) => {
      const { store } = await open();
      const entry = {
        at: 0,
        actor: "operator",
        action: "tenant.create",
        object: "client_1",
        request_id: "",
        facts: "{}",
      };
      const add = () => insertRows(store.view<AuditTables>(), "audit_entries", [entry]);
      await add();
      await add();
      await sql`delete from audit_entries`.execute(store.view());
      await sql`
        insert into audit_entries (sequence, at, actor, action, object, request_id, facts) overriding system value
        values (${highest}, 0, 'operator', 'tenant.create', 'client_1', '', '{}')`.execute(store.view());
      return { store, add };
    };
    const numbers = async (store: Awaited<ReturnType<typeof moved>>["store"]) =>
      (
        await sql<{ readonly sequence: number }>`select sequence from audit_entries order by sequence`.execute(
          store.view(),
        )
      ).rows;

    it("is refused at a start, in one line that says what to do", async () => {
      const { store } = await moved(3);
      await expect(assertNumbersGoOn(store.view(), {})).rejects.toThrow(
        "The PostgreSQL store was moved without its sequences, as logical replication does: numbers that audit_entries have would be given again. Set every sequence to what it was on the previous server, or run: gatehouse store restored",
      );
    });

    it("is refused also when its outbox and queue are empty, by the numbers of what was relayed and settled", async () => {
      const kit = await openKit(open);
      await kit.subscribe();
      await kit.record(await kit.claimOne(), ACKNOWLEDGED);
      const db = kit.opened.store.view();
      await expect(assertNumbersGoOn(db, NUMBERS_ELSEWHERE)).resolves.toBeUndefined();
      for (const table of ["outbox_entries", "webhooks_queue"]) {
        const { rows } = await sql`select * from ${sql.table(table)}`.execute(db);
        expect(rows).toEqual([]);
        await sql`select setval(pg_get_serial_sequence(${table}, 'sequence'), 1, false)`.execute(db);
      }
      await expect(assertNumbersGoOn(db, NUMBERS_ELSEWHERE)).rejects.toThrow(
        "numbers that outbox_entries, webhooks_queue have would be given again",
      );
    });

    it("gives no number twice after “store restored”, however many there are (R-X247)", async () => {
      const { store, add } = await moved(5_000_000);
      await inTransaction(store.view(), (tx) => leaveNumbersOut(tx, new Date(0), []));
      await assertNumbersGoOn(store.view(), {});
      await add();
      const [before, after] = (await numbers(store)).map(({ sequence }) => sequence);
      expect(before).toBe(5_000_000);
      expect(after).toBeGreaterThan(5_100_000);
    });

    it("starts when its sequences have given no number yet, or the last one", async () => {
      const { store, add } = await moved(2);
      await expect(assertNumbersGoOn(store.view(), {})).resolves.toBeUndefined();
      // As a copy leaves it.
      await sql`select setval(pg_get_serial_sequence('audit_entries', 'sequence'), 3, false)`.execute(store.view());
      await expect(assertNumbersGoOn(store.view(), {})).resolves.toBeUndefined();
      await add();
      await expect(assertNumbersGoOn(store.view(), {})).resolves.toBeUndefined();
    });
  });
});
