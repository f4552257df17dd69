import type { MadePost, RequestMaker } from "./request-maker.ts";
import type { Scheme } from "./signer.ts";

/** One POST of a check. */
export interface Step {
  /** What is sent, in words. */
  readonly sent: string;
  readonly post: MadePost;
  readonly expected: "acknowledged" | "refused";
}

/** A sentence, or one for each scheme. */
type Sentence = string | Readonly<Record<Scheme, string>>;

/** One rule for receivers, in words. */
export interface Rule {
  /** A short name that stays. */
  readonly name: string;
  /** The rule, as a sentence. */
  readonly title: Sentence;
  /** What to do when it is broken. */
  readonly advice: Sentence;
}

/** A rule, and the requests that show whether it is kept. */
export interface Check extends Rule {
  steps(maker: RequestMaker): Promise<readonly Step[]>;
}

/** The rule as receivers of a scheme read it. */
export function ruleFor({ name, title, advice }: Rule, scheme: Scheme) {
  const inWords = (sentence: Sentence) => (typeof sentence === "string" ? sentence : sentence[scheme]);
  return { name, title: inWords(title), advice: inWords(advice) };
}
