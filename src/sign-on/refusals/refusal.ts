import type { RefusalKind } from "#runtime/refusals/refusal-notes.ts";

/** A request that was refused, as operators can have it explained. Contains no secret and nothing about a person. */
export interface SignOnRefusal {
  readonly requestId: string;
  readonly at: Date;
  /** The method that was called, the operation that the edge refused by itself, or `unrouted`. */
  readonly operation: string;
  readonly check: string;
  /** The error code of the answer; empty where it was a page. */
  readonly error: string;
  /** What the answer said; empty where it was a page. */
  readonly sentence: string;
  /** The application that was named, if it has the form of an id. */
  readonly applicationId: string | undefined;
  /** Names of known parameters, without their values. */
  readonly parameters: readonly string[];
  /** As sent, at most 500 characters, printable ones only. */
  readonly redirectUri: string | undefined;
}

/** Of each kind few are stored. */
export const kindOf = ({ applicationId = "", operation, check }: SignOnRefusal): RefusalKind => ({
  what: `${operation} ${check}`,
  who: applicationId,
});
