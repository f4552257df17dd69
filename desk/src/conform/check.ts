import type { MadePost, Making } from "./making.ts";

/** One POST of a check. */
export interface Step {
  /** What is sent, in words. */
  readonly sent: string;
  readonly post: MadePost;
  readonly expected: "acknowledged" | "refused";
}

/** One rule for receivers, and the requests that show whether it is kept. */
export interface Check {
  /** A short name that stays. */
  readonly name: string;
  /** The rule, as a sentence. */
  readonly title: string;
  /** What to do when it is broken. */
  readonly advice: string;
  steps(making: Making): readonly Step[];
}
