import type { Store } from "../database/database.ts";
import { runFor } from "../database/deadlines.ts";
import { writeQueue } from "../database/lock-queue.ts";
import type { Changes } from "./change.ts";

/**
 * The changes that callers ask for: few at once on PostgreSQL, so that those which wait for a locked row leave connections
 * for everything else, and none waits for a row longer than for a connection (R-X411). Those that have a commit of their
 * own, imports of all or nothing, are counted apart: each takes long, and others need not wait for it.
 * @throws UNAVAILABLE, additionally, when a change gets no turn in time.
 */
export function queuedChanges<T>(store: Store, changes: Changes<T>): Changes<T> {
  const [ordinary, alone] = [writeQueue(store), writeQueue(store)];
  return {
    run: (work, options) =>
      (options?.alone ? alone : ordinary)(() => runFor("requested", () => changes.run(work, options))),
    one: (work) => changes.one(work),
  };
}
