import type { Role } from "../../../src/runtime/process/roles.ts";

/** A step of an event's way at which a process ends itself; `end-at.mjs` reads all but `name` and `role`. */
export interface Step {
  /** The fault statement, and what the process was doing. */
  readonly name: string;
  readonly role: Extract<Role, "services" | "worker">;
  readonly statement?: string;
  readonly committed?: boolean;
  readonly channel?: string;
}

const OUTBOX = 'insert into "?outbox_entries';
const QUEUE = 'insert into "?webhooks_queue';
const CLAIM = 'update "?webhooks_queue"? set .*lease_until = ';
const SETTLED = 'insert into "?webhooks_settled';

/**
 * F9 to F14 in this order (docs/fault-statements.md), each with its neighbours on both sides of the commit. On the embedded
 * store a change, its fan-out and the claim mostly have one commit (decision 0075): there the ends behind it are one moment.
 */
export const STEPS: readonly Step[] = [
  { name: "F9: within the transaction of a change", role: "services", statement: OUTBOX },
  { name: "F10: after the commit, before the fan-out", role: "services", statement: OUTBOX, committed: true },
  { name: "F11: in the middle of a fan-out", role: "services", statement: QUEUE },
  { name: "F11: after a fan-out's commit", role: "services", statement: QUEUE, committed: true },
  { name: "F12: within the transaction of a claim", role: "services", statement: CLAIM },
  { name: "F12: after a claim, before its answer", role: "services", statement: CLAIM, committed: true },
  { name: "F12: after a claim, before the request leaves", role: "worker", channel: "undici:request:create" },
  { name: "F13: after the request left", role: "worker", channel: "undici:request:bodySent" },
  { name: "F13: after the answer's head, before the outcome", role: "worker", channel: "undici:request:headers" },
  { name: "F14: within the transaction of an outcome", role: "services", statement: SETTLED },
  { name: "F14: after the outcome is recorded", role: "services", statement: SETTLED, committed: true },
];
