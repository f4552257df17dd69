import { sql } from "kysely";
import { isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { WebhooksTables } from "../tables.ts";
import { FAR_MS, LEASE_MS_MAX } from "./far-instant.ts";

export interface FarInstantRepository {
  /**
   * Of the instants further ahead than any that is written at `now`: makes due what waits for one, and gives what is under
   * way until one the longest lease. Returns how many there were. When an engine outside the store attempts again, its
   * question decides (round-progress.ts).
   */
  bringNear(tx: Transaction<WebhooksTables>, now: Date): Promise<number>;
}

export const farInstantRepository: FarInstantRepository = {
  async bringNear(tx, now) {
    const at = now.getTime();
    // Each along the index of what it looks for.
    const statements = [
      sql`
        update webhooks_queue set due_at = ${at}
        where ${inOrder(tx, sql`due_at is not null and lane is null and due_at > ${at + FAR_MS.wait}`)}`,
      sql`
        update webhooks_queue set hand_over_at = ${at}
        where ${inOrder(tx, sql`hand_over_at is not null and hand_over_at > ${at + FAR_MS.offer}`)}`,
      // An attempt may be under way: it is lost when no outcome comes meanwhile.
      sql`
        update webhooks_queue set lease_until = ${at + LEASE_MS_MAX}
        where ${inOrder(tx, sql`lease_until is not null and lease_until > ${at + FAR_MS.lease}`)}`,
      sql`
        update webhooks_recoveries set driven_until = ${at}
        where ended_at is null and driven_until > ${at + FAR_MS.offer}`,
    ];
    let near = 0;
    for (const statement of statements) near += Number((await statement.execute(tx)).numAffectedRows ?? 0n);
    return near;
  },
};

type Condition = ReturnType<typeof sql>;

/** The condition, with the rows locked in one order: reports lock several, too. */
const inOrder = (tx: Transaction<WebhooksTables>, isFar: Condition): Condition =>
  isSqlite(tx)
    ? isFar
    : sql`sequence = any (array(
        select sequence from webhooks_queue where ${isFar} order by sequence for update
      )) and ${isFar}`;
