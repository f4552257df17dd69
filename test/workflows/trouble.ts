import type { WorkflowHandle } from "@temporalio/client";
import BetterSqlite3 from "better-sqlite3";
import { storePath } from "../../src/runtime/database/sqlite/store-file.ts";
import { eventually } from "../support/eventually.ts";
import type { ProcessOptions } from "../support/processes.ts";
import type { Closer } from "../support/scope.ts";
import { openTemporal, type TemporalServer } from "../support/temporal-server.ts";
import type { ReceiverAnswer } from "../support/webhook-receiver.ts";
import { openRetryKit, type RetryKit, type Subscriber } from "../webhooks/retry-kit.ts";

/** Long enough to do something in between, short enough to wait for; a healthy receiver on a busy machine is in time. */
const SLOW = {
  "webhook-attempt-delays": "4s,4s",
  "webhook-jitter": "0",
  "webhook-retry-compare-ms": "1000",
  "webhook-timeout-ms": "17000",
  "webhook-lease-ms": "34000",
  // An attempt that is under way leaves no place to another.
  "webhook-concurrency-per-endpoint": "1",
};

/** The first answer where no attempt may come by itself, however long a busy machine takes for what a test does meanwhile. */
export const TOMORROW = { status: 503, headers: { "retry-after": "86400" } } as const;
/** The same where the next one is waited for, after what a test does first. */
export const LATER = { status: 503, headers: { "retry-after": "15" } } as const;

/** A delivery that failed once, and the workflow that has it by now. */
export interface Trouble extends Subscriber {
  readonly id: string;
  readonly handle: WorkflowHandle;
  /** Has the next attempts made at once, up to the one of that number. */
  hurry(upTo: number): Promise<void>;
  /** The workflow's status when it is closed. */
  closed(): Promise<string>;
}

export interface TroubleOptions {
  readonly apart?: boolean;
  readonly first?: ReceiverAnswer;
}

/** The product with a Temporal server, both of their own. */
export interface TroubleKit {
  readonly temporal: TemporalServer;
  readonly kit: RetryKit;
  /** The first attempt is answered with 503 by default. */
  inTrouble(label: string, options?: TroubleOptions): Promise<Trouble>;
}

export const workflowIdOf = (label: string, deliveryId: string): string =>
  `webhook-retry/user.updated/${label}/${deliveryId}/1`;

export async function openTroubleKit(
  closeLater: (closer: Closer) => void,
  { flags, ...options }: ProcessOptions = {},
): Promise<TroubleKit> {
  const temporal = await openTemporal(closeLater);
  const kit = await openRetryKit(closeLater, {
    ...options,
    flags: { ...SLOW, ...flags, "temporal-address": temporal.address },
  });
  return {
    temporal,
    kit,
    async inTrouble(label, { apart = false, first = { status: 503 } } = {}) {
      const one = await kit.subscriber(label, { apart });
      one.receiver.answerNext(first);
      await one.emit();
      const { id } = await one.attempts(1);
      const handle = temporal.client.workflow.getHandle(workflowIdOf(label, id));
      const statusOr = (none: string) =>
        handle.describe().then(
          ({ status }) => status.name as string,
          () => none,
        );
      await eventually(
        () => statusOr("NOT_FOUND"),
        (status) => status !== "NOT_FOUND",
      );
      const closed = () =>
        eventually(
          () => statusOr("RUNNING"),
          (status) => status !== "RUNNING",
          60_000,
        );
      const hurry = async (upTo: number) => {
        for (let number = 2; number <= upTo; number++) {
          // The attempt before may be recorded and still be under way for the workflow.
          await eventually(
            () => handle.executeUpdate<string, []>("deliverNow"),
            (answer) => answer.startsWith(`Attempt ${number} of `),
          );
          await one.attempts(number);
        }
      };
      return { ...one, id, handle, hurry, closed };
    },
  };
}

/** Leaves a waiting delivery as a worker does that took it for its next attempt and was killed: lost in ten seconds. */
export const takeElsewhere = (dataDirectory: string, id: string): void =>
  changeDelivery(
    dataDirectory,
    id,
    `retry_at = null, hand_over_at = null, fence = fence + 1, attempts = attempts + 1, started_at = ${Date.now()},
    lease_until = ${Date.now() + 10_000}`,
  );

/** Writes columns of a pending delivery into an embedded store that a program uses. */
export function changeDelivery(dataDirectory: string, id: string, columns: string): void {
  const store = new BetterSqlite3(storePath(dataDirectory), { timeout: 5_000 });
  try {
    const { changes } = store.prepare(`update webhooks_queue set ${columns} where id = ?`).run(id);
    if (changes !== 1) throw new Error(`${id} is not pending.`);
  } finally {
    store.close();
  }
}
