import { LRUCache } from "lru-cache";

/** Bytes of all answers that are remembered. Together with REMEMBERED_MS this bounds what the edge keeps of people's data. */
const BYTES_MAX = 8 * 1024 * 1024;
const ANSWER_BYTES_MAX = 64 * 1024;
const REMEMBERED_MS = 60_000;

/** A good answer as it was sent. */
export interface RememberedAnswer {
  /** Of the content; the answer is sent again only when services say that this is the revision as of now. */
  readonly revision: number;
  /** The tag of the content without a coding. */
  readonly tag: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Whose answer, to which question, in which coding. Services prove the key at every request, whatever is remembered. */
interface AnswerName {
  /** The public part of the key. */
  readonly lookUp: string;
  /** Path and query, each in one spelling. */
  readonly target: string;
  /** The coding that the request asks for, and whether it takes an answer without one. */
  readonly accepted: { readonly coding: string | undefined; readonly identity: boolean };
}

/**
 * The last answers of this edge (decision 0060). They save reading and writing down the same content again for
 * integrations that ask without an entity tag; whether the caller may have them, and whether they are the content as of
 * now, is asked each time.
 */
export interface AnswerMemory {
  recall(name: AnswerName): RememberedAnswer | undefined;
  /** Longer answers are not kept. */
  keep(name: AnswerName, answer: RememberedAnswer): void;
}

export function answerMemory({ bytesMax = BYTES_MAX, ttlMs = REMEMBERED_MS } = {}): AnswerMemory {
  const answers = new LRUCache<string, RememberedAnswer>({
    maxSize: bytesMax,
    maxEntrySize: Math.min(bytesMax, ANSWER_BYTES_MAX),
    sizeCalculation: ({ body }, key) => body.length + key.length,
    ttl: ttlMs,
    ttlAutopurge: true,
  });
  const keyOf = ({ lookUp, target, accepted: { coding = "", identity } }: AnswerName) =>
    `${lookUp} ${coding} ${identity} ${target}`;
  return {
    recall: (name) => answers.get(keyOf(name)),
    keep: (name, answer) => void answers.set(keyOf(name), answer),
  };
}
