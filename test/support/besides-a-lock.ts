import { sql } from "kysely";
import { blocker } from "./deadlocks.ts";
import { eventually } from "./eventually.ts";
import { LOCK_WAITS } from "./lock-waits.ts";
import type { TestStore } from "./stores.ts";

/** More than a process has connections. */
export const MANY_CALLS = 12;

interface BesidesALock {
  /** Another process's store; its transaction keeps what `lock` takes. */
  readonly holder: TestStore;
  /** A statement that locks. */
  readonly lock: string;
  /** Calls that want what is locked. */
  readonly calls: () => readonly Promise<unknown>[];
  /** What has nothing to do with it; it fails once it has waited for a connection for too long. */
  readonly asked: () => Promise<unknown>;
}

/** Whether `asked` is answered while the calls wait for a lock, and how the calls end when it is given back. */
export async function answeredBesidesALock({ holder, lock, calls, asked }: BesidesALock): Promise<{
  readonly asked: PromiseSettledResult<unknown>["status"];
  readonly calls: readonly PromiseSettledResult<unknown>["status"][];
}> {
  const held = await blocker(holder, (tx) => sql.raw(lock).execute(tx));
  const waiting = Promise.allSettled(calls());
  await eventually(
    async () => (await sql.raw(LOCK_WAITS).execute(holder.store.view())).rows.length,
    (waits) => waits > 0,
  );
  const [answer] = await Promise.allSettled([asked()]);
  await held.end();
  const ended = (await waiting).map(({ status }) => status);
  return { asked: answer.status, calls: ended };
}
