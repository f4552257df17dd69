/** A request may name the revision that its caller has the answer of. */
export interface KnownRevision {
  readonly knownRevision?: number | null | undefined;
}

/** What every answer of the gateway's reads says besides. */
export interface Revised {
  /** Grows with each write that may change the answer. */
  readonly revision: number;
  /** The caller has this revision already; the rest of the answer is empty. */
  readonly unchanged: boolean;
}

/**
 * The answer that `read` gives, or an empty one when the caller has the answer of this revision (R-G10). Since the revision was read
 * before, an answer may be newer than its revision says, never older: the caller then asks once more than needed.
 */
export const unlessKnown = async <A extends object>(
  { knownRevision }: KnownRevision,
  revision: number,
  empty: A,
  read: () => Promise<A>,
): Promise<A & Revised> =>
  knownRevision === revision
    ? { ...empty, revision, unchanged: true }
    : { ...(await read()), revision, unchanged: false };

/**
 * The same for a list that is read in batches. Each batch is read after the revision was, so it shows every write that the revision
 * counts, and perhaps later ones; so does the list as a whole.
 */
export async function* batchesUnlessKnown<A extends object>(
  { knownRevision }: KnownRevision,
  revision: number,
  empty: A,
  read: () => AsyncIterable<A>,
): AsyncIterable<A & Revised> {
  if (knownRevision === revision) yield { ...empty, revision, unchanged: true };
  else for await (const batch of read()) yield { ...batch, revision, unchanged: false };
}
