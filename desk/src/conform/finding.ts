/** One POST of a check, in words. */
export interface Exchange {
  readonly sent: string;
  readonly expected: string;
  readonly got: string;
  readonly isAsExpected: boolean;
}

/** What a check found out. */
export interface Finding {
  readonly name: string;
  readonly title: string;
  /** `not visible`: needs --count-url. `not judged`: the receiver acknowledges nothing, so a refusal proves nothing. */
  readonly result: "passed" | "failed" | "not visible" | "not judged";
  readonly exchanges: readonly Exchange[];
  readonly advice: string;
  /** What is odd about a check that is passed. */
  readonly note?: string | undefined;
}

/** True unless a check failed. */
export const conforms = (findings: readonly Finding[]): boolean =>
  findings.every(({ result }) => result === "passed" || result === "not visible");
