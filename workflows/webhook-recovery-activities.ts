/**
 * How far a recovery has come, as the store answers. The store decides what is sent and when; a workflow only asks.
 * Words and numbers, nothing else (R-E15): all of it is in the history.
 */
export interface RecoveryProgress {
  readonly state: "running" | "paused" | "finished" | "cancelled";
  /** Why it is paused or cancelled; a word. */
  readonly reason?: string;
  /** Deliveries that belong to it, as far as they are counted. */
  readonly matched: number;
  readonly counted: boolean;
  readonly sent: number;
  readonly acknowledged: number;
  readonly failed: number;
  readonly bodyRemoved: number;
  /** Sent, and not ended yet. */
  readonly underWay: number;
}

/** The recovery, and what operators know it by. */
export interface RecoveryName {
  readonly recoveryId: string;
  /** The subscription's label. */
  readonly subscription: string;
}

/** What `webhookRecovery` asks of the worker. All throw for our own faults only, and are retried until they succeed. */
export interface WebhookRecoveryActivities {
  /** Lets the store send for a while, at most `waitMs`; returns the progress after it. */
  advanceRecovery(input: { readonly recoveryId: string; readonly waitMs: number }): Promise<RecoveryProgress>;
  /**
   * Pauses, resumes or cancels; returns the progress. One that has ended stays as it is, and so does one for which this
   * was done already: a reset brings the signals again that were there before.
   */
  changeRecovery(input: {
    readonly recoveryId: string;
    readonly change: "pause" | "resume" | "cancel";
    /** The same in every run that is asked for the same. Absent in histories of earlier programs. */
    readonly requestId?: string;
  }): Promise<RecoveryProgress>;
  /** Asks the server to cancel the run that calls it; the reason, a sentence, is in the history. */
  requestCancellation(input: { readonly reason: string }): Promise<void>;
}
