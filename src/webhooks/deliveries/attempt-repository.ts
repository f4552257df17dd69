import { sql } from "kysely";
import { batchOf } from "#runtime/database/batch.ts";
import { type Database, isSqlite, type Transaction } from "#runtime/database/database.ts";
import type { AttemptsTable, WebhooksTables } from "../tables.ts";
import type { Delivery, EndedAttempt } from "./delivery.ts";
import type { AttemptState } from "./outcome.ts";

/** An attempt as operators see it. */
export interface Attempt {
  /** The delivery's sequence. */
  readonly delivery: number;
  readonly round: number;
  readonly number: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly outcome: AttemptState;
  readonly httpStatus: number | undefined;
  readonly durationMs: number | undefined;
  readonly endpointUrl: string;
  /** The first bytes of the answer's body. */
  readonly responseExcerpt: Uint8Array | undefined;
}

export interface AttemptRepository {
  /** In order of round and number. */
  listByDeliveries(deliveries: readonly number[]): Promise<readonly Attempt[]>;
  /** Records the latest attempt of each delivery, before the requests leave (R-E8). */
  start(
    tx: Transaction<WebhooksTables>,
    attempts: readonly { readonly delivery: Delivery; readonly endpointUrl: string }[],
    at: Date,
  ): Promise<void>;
  /** Records how attempts ended. */
  finish(tx: Transaction<WebhooksTables>, attempts: readonly EndedAttempt[], at: Date): Promise<void>;
  /** Removes the latest attempt of each delivery, which was recorded and never made. */
  withdraw(tx: Transaction<WebhooksTables>, deliveries: readonly Delivery[]): Promise<void>;
}

export const attemptRepository = (db: Database<WebhooksTables>): AttemptRepository => ({
  async listByDeliveries(deliveries) {
    const { rows } = await sql<AttemptsTable>`
      select webhooks_attempts.* from ${batchOf(
        db,
        deliveries.map((sequence) => ({ sequence })),
      )}
      join webhooks_attempts on delivery = cast(batch.value ->> 'sequence' as bigint)
      order by delivery, round, number`.execute(db);
    return rows.map(toAttempt);
  },
  async start(tx, attempts, at) {
    if (attempts.length === 0) return;
    const rows = attempts.map(({ delivery, endpointUrl }) => ({ ...keyOf(delivery), endpointUrl }));
    await sql`
      insert into webhooks_attempts (delivery, round, number, endpoint_url, started_at, outcome)
      select cast(batch.value ->> 'delivery' as bigint), cast(batch.value ->> 'round' as integer),
        cast(batch.value ->> 'number' as integer), batch.value ->> 'endpointUrl', cast(${at.getTime()} as bigint), 'in_flight'
      from ${batchOf(tx, rows)}`.execute(tx);
  },
  async finish(tx, attempts, at) {
    if (attempts.length === 0) return;
    const rows = attempts.map(({ delivery, responseExcerpt, ...ended }) => ({
      ...keyOf(delivery),
      ...ended,
      excerpt: responseExcerpt === undefined ? undefined : Buffer.from(responseExcerpt).toString("hex"),
    }));
    const excerpt = isSqlite(tx)
      ? sql`unhex(batch.value ->> 'excerpt')`
      : sql`decode(batch.value ->> 'excerpt', 'hex')`;
    await sql`
      update webhooks_attempts set finished_at = ${at.getTime()}, outcome = batch.value ->> 'outcome',
        http_status = cast(batch.value ->> 'httpStatus' as integer),
        duration_ms = cast(batch.value ->> 'durationMs' as integer),
        retry_after = batch.value ->> 'retryAfter', response_excerpt = ${excerpt}
      from ${batchOf(tx, rows)}
      where delivery = cast(batch.value ->> 'delivery' as bigint)
        and round = cast(batch.value ->> 'round' as integer) and number = cast(batch.value ->> 'number' as integer)`.execute(
      tx,
    );
  },
  async withdraw(tx, deliveries) {
    for (const { delivery, round, number } of deliveries.map(keyOf)) {
      await tx
        .deleteFrom("webhooks_attempts")
        .where("delivery", "=", delivery)
        .where("round", "=", round)
        .where("number", "=", number)
        .execute();
    }
  },
});

/** Names the latest attempt of a delivery. */
const keyOf = ({ sequence, round, attempts }: Delivery) => ({ delivery: sequence, round, number: attempts });

const toAttempt = (row: AttemptsTable): Attempt => ({
  delivery: row.delivery,
  round: row.round,
  number: row.number,
  startedAt: new Date(row.started_at),
  finishedAt: row.finished_at === null ? undefined : new Date(row.finished_at),
  outcome: row.outcome as AttemptState,
  httpStatus: row.http_status ?? undefined,
  durationMs: row.duration_ms ?? undefined,
  endpointUrl: row.endpoint_url,
  responseExcerpt: row.response_excerpt ?? undefined,
});
