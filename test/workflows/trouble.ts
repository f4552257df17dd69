import type { WorkflowHandle } from "@temporalio/client";
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
          await handle.executeUpdate("deliverNow");
          await one.attempts(number);
        }
      };
      return { ...one, id, handle, hurry, closed };
    },
  };
}
