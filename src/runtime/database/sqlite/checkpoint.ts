import { isFlushFailure } from "../store-trouble.ts";

/** The log in pages. */
export interface LogState {
  readonly pages: number;
  /** Of these, how many the main file has by now. */
  readonly copied: number;
}

/**
 * Copies what no reader needs (`passive`) or nothing (`noop`) of the log.
 * @param prepare makes a statement of the handle in question.
 * @returns the log afterwards; `undefined` on a full disk, or while another handle copies: the log stays as it is.
 * @throws the error of a failed flush.
 */
export function checkpoint(
  prepare: (sql: string) => { get(): unknown },
  mode: "noop" | "passive",
): LogState | undefined {
  try {
    const statement = prepare(`pragma wal_checkpoint(${mode})`);
    const { log, checkpointed } = statement.get() as { readonly log: number; readonly checkpointed: number };
    return { pages: log, copied: checkpointed };
  } catch (error) {
    if (isFlushFailure(error)) throw error;
    return undefined;
  }
}
