import type { Database, Transaction } from "#runtime/database/database.ts";
import { prepared, type ValueOf } from "#runtime/database/prepared.ts";
import type { SignOnTables, ThrottlesTable } from "../tables.ts";
import type { Throttle } from "./throttle.ts";

/** Throttles by the keyed digest of their subject. */
export interface ThrottleRepository {
  find(subject: Buffer): Promise<Throttle | undefined>;
  /** The throttle as this transaction sees it. */
  findIn(tx: Transaction<SignOnTables>, subject: Buffer): Promise<Throttle | undefined>;
  /** Replaces `before` by `after`; `false` when `before` is no longer the stored value. */
  replace(
    tx: Transaction<SignOnTables>,
    subject: Buffer,
    before: Throttle | undefined,
    after: Throttle,
  ): Promise<boolean>;
  /** Forgets the subject's failures unless it must wait at `now`. */
  clear(
    tx: Transaction<SignOnTables>,
    subject: Buffer,
    at: { readonly now: Date; readonly ignoredFrom: Date },
  ): Promise<void>;
}

export const throttleRepository = (db: Database<SignOnTables>): ThrottleRepository => {
  const bySubject = prepared(db, (value: ValueOf<{ subject: Buffer }>) =>
    db.selectFrom("sign_on_throttles").selectAll().where("subject", "=", value("subject")),
  );
  return {
    async find(subject) {
      return toThrottle(await bySubject.first({ subject }));
    },
    async findIn(tx, subject) {
      const row = tx.selectFrom("sign_on_throttles").selectAll().where("subject", "=", subject);
      return toThrottle(await row.executeTakeFirst());
    },
    async replace(tx, subject, before, after) {
      const values = { clear_at: after.clearAt.getTime(), open_at: after.openAt.getTime() };
      if (before === undefined) {
        const { numInsertedOrUpdatedRows } = await tx
          .insertInto("sign_on_throttles")
          .values({ subject, ...values })
          .onConflict((conflict) => conflict.doNothing())
          .executeTakeFirst();
        return numInsertedOrUpdatedRows === 1n;
      }
      const { numUpdatedRows } = await tx
        .updateTable("sign_on_throttles")
        .set(values)
        .where("subject", "=", subject)
        .where("clear_at", "=", before.clearAt.getTime())
        .where("open_at", "=", before.openAt.getTime())
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async clear(tx, subject, { now, ignoredFrom }) {
      await tx
        .deleteFrom("sign_on_throttles")
        .where("subject", "=", subject)
        .where(({ eb, or }) => or([eb("open_at", "<=", now.getTime()), eb("open_at", ">", ignoredFrom.getTime())]))
        .execute();
    },
  };
};

const toThrottle = (row: ThrottlesTable | undefined): Throttle | undefined =>
  row === undefined ? undefined : { clearAt: new Date(row.clear_at), openAt: new Date(row.open_at) };
