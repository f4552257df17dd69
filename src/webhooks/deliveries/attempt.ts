import type { AttemptState } from "./outcome.ts";

/** One POST of a delivery, as it is recorded. */
export interface Attempt {
  readonly round: number;
  readonly number: number;
  readonly startedAt: Date;
  readonly finishedAt: Date | undefined;
  readonly outcome: AttemptState;
  readonly httpStatus: number | undefined;
  readonly durationMs: number | undefined;
  /** The Retry-After field as received. */
  readonly retryAfter: string | undefined;
  /** Without its query, once it is recorded how the attempt ended (R-X277). */
  readonly endpointUrl: string;
  /** The first bytes of the answer's body. */
  readonly responseExcerpt: Uint8Array | undefined;
}

/** An attempt that is under way. */
export interface StartedAttempt {
  readonly startedAt: Date;
  readonly endpointUrl: string;
}

interface StoredAttempt extends Omit<Attempt, "startedAt" | "finishedAt" | "responseExcerpt"> {
  readonly startedAt: number;
  readonly finishedAt: number | undefined;
  /** In base64. */
  readonly excerpt: string | undefined;
}

/** A query may hold a secret of the receiver's. */
export const withoutQuery = (url: string): string => url.replace(/[?#].*$/s, "");

/** Its path may be secret, too. Empty for what is not a URL. */
export const originAlone = (url: string): string => (URL.canParse(url) ? new URL(url).origin : "");

/** The attempts as the text that a delivery's row has of them, without the queries of their endpoints. */
export const attemptsToText = (attempts: readonly Attempt[]): string =>
  JSON.stringify(
    attempts.map(
      ({ startedAt, finishedAt, responseExcerpt, ...attempt }): StoredAttempt => ({
        ...attempt,
        endpointUrl: withoutQuery(attempt.endpointUrl),
        startedAt: startedAt.getTime(),
        finishedAt: finishedAt?.getTime(),
        excerpt: responseExcerpt === undefined ? undefined : Buffer.from(responseExcerpt).toString("base64"),
      }),
    ),
  );

export const attemptsOfText = (text: string): readonly Attempt[] =>
  (JSON.parse(text) as readonly Partial<StoredAttempt>[]).map((stored) => {
    const { startedAt = 0, finishedAt, excerpt, ...attempt } = stored as StoredAttempt;
    return {
      round: attempt.round,
      number: attempt.number,
      startedAt: new Date(startedAt),
      finishedAt: finishedAt === undefined ? undefined : new Date(finishedAt),
      outcome: attempt.outcome,
      httpStatus: attempt.httpStatus,
      durationMs: attempt.durationMs,
      retryAfter: attempt.retryAfter,
      endpointUrl: attempt.endpointUrl,
      responseExcerpt: excerpt === undefined ? undefined : Buffer.from(excerpt, "base64"),
    };
  });
