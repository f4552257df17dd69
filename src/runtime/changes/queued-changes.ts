import type { Store } from "../database/database.ts";
import { runFor } from "../database/deadlines.ts";
import { writeQueue } from "../database/lock-queue.ts";
import type { Changes } from "./change.ts";

/**
 * The changes that callers ask for: few at once on PostgreSQL, so that those which wait for a locked row leave connections
 * for everything else, and turns for those that want other rows (R-X411). Those that have a commit of their own, imports of
 * all or nothing, are counted apart: each takes long, and others need not wait for it.
 * @throws UNAVAILABLE, additionally, when a change gets no turn, or not what it wants to lock, in time.
 */
export function queuedChanges<T>(store: Store, changes: Changes<T>): Changes<T> {
  const [ordinary, alone] = [writeQueue(store), writeQueue(store)];
  return {
    run: (work, options) =>
      options?.alone
        ? alone(() => changes.run(work, options))
        : changes.run(work, { ...options, inTurn: (attempt) => ordinary(() => runFor("requested", attempt)) }),
    one: (work) => changes.one(work),
  };
}
