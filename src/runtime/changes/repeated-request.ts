import { hash } from "node:crypto";
import { DAY_MS } from "../basis/durations.ts";
import { alreadyExists, failedPrecondition } from "../basis/errors.ts";
import type { Transaction } from "../database/database.ts";

export interface ChangeTables {
  change_requests: {
    readonly caller: string;
    readonly method: string;
    readonly request_id: string;
    readonly content_digest: Buffer;
    readonly answer: Buffer;
    readonly created_at: number;
  };
}

/** What is kept of a request whose answer was erased: its id, for the rest of the time (R-X265). */
export const FORGOTTEN = { content_digest: Buffer.alloc(0), answer: Buffer.alloc(0) } as const;

/** How long a request id detects repeats (R-G18). */
const REPEAT_WINDOW_MS = DAY_MS;

/** The generated codec of a message. */
interface Codec<M> {
  encode(message: M): { finish(): Uint8Array };
  decode(bytes: Uint8Array): M;
}

/** Identifies repeated requests (R-G18). */
export interface RepeatKey<Answer> {
  /** Empty: repeats are not detected. */
  readonly requestId: string;
  readonly caller: string;
  readonly method: string;
  /** The request's bytes; the same id with other bytes is refused. */
  readonly content: Uint8Array;
  readonly answer: Codec<Answer>;
}

const digest = (content: Uint8Array): Buffer => hash("sha256", content, "buffer");

/**
 * Claims the request id for this change, or returns the answer of the change that claimed it first. Of two concurrent
 * requests the second waits here until the first commits, so neither mistakes the other's uncommitted work for a
 * conflict.
 */
export async function firstUse<Answer>(
  tx: Transaction<ChangeTables>,
  repeat: RepeatKey<Answer> | undefined,
  now: Date,
): Promise<{ answer: Answer } | undefined> {
  if (repeat === undefined || repeat.requestId === "") return undefined;
  const { caller, method, requestId } = repeat;
  const key = { caller, method, request_id: requestId };
  const contentDigest = digest(repeat.content);
  // An expired row of the same id may still exist; it is replaced.
  await tx
    .deleteFrom("change_requests")
    .where((row) => row.and(key))
    .where("created_at", "<=", now.getTime() - REPEAT_WINDOW_MS)
    .execute();
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto("change_requests")
    .values({ ...key, content_digest: contentDigest, answer: Buffer.alloc(0), created_at: now.getTime() })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow();
  if (numInsertedOrUpdatedRows === 1n) return undefined;
  const first = await tx
    .selectFrom("change_requests")
    .select(["content_digest", "answer"])
    .where((row) => row.and(key))
    .executeTakeFirstOrThrow();
  if (first.content_digest.length === 0)
    throw failedPrecondition(
      "answer_erased",
      "This request was answered before, and what the answer showed has been erased since. Do not repeat it; read what is there now.",
    );
  if (!first.content_digest.equals(contentDigest)) {
    throw alreadyExists(
      "request_id_reused",
      "This request id was used for another request within the last 24 hours. Send a new one.",
    );
  }
  return { answer: repeat.answer.decode(first.answer) };
}

/** Keeps the answer of the change that claimed the request id, for those that repeat it. */
export async function remember<Answer>(
  tx: Transaction<ChangeTables>,
  repeat: RepeatKey<Answer> | undefined,
  answer: Answer,
): Promise<void> {
  if (repeat === undefined || repeat.requestId === "") return;
  const { caller, method, requestId } = repeat;
  await tx
    .updateTable("change_requests")
    .set({ answer: Buffer.from(repeat.answer.encode(answer).finish()) })
    .where((row) => row.and({ caller, method, request_id: requestId }))
    .execute();
}
