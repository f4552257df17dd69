/** A field of a request that is wrong; the reason completes the sentence that begins with the field's name. */
export interface Violation {
  readonly field: string;
  readonly reason: string;
}

/** Gatehouse says no; the same request gets the same answer until something is corrected. */
export class GatehouseRefused extends Error {
  override readonly name = "GatehouseRefused";
  /** A word for programs, for example `worker_exists`. */
  readonly reason: string;
  readonly violations: readonly Violation[];

  constructor(reason: string, sentence: string, violations: readonly Violation[]) {
    super(sentence);
    this.reason = reason;
    this.violations = violations;
  }
}

/** No attempt was answered. Whether a change was made is open, so the same request id must be sent again later. */
export class GatehouseSilent extends Error {
  override readonly name = "GatehouseSilent";
}
