import { LRUCache } from "lru-cache";

/** Memory of all answers that are remembered. Together with REMEMBERED_MS this bounds what the edge keeps of people's data. */
const BYTES_MAX = 8 * 1024 * 1024;
/** Of one body. */
const ANSWER_BYTES_MAX = 64 * 1024;
/**
 * What an entry costs besides its texts and body: objects, an allocation, a place in the list and a timer. Measured with
 * Node 24 and bodies of 10 to 1,000 bytes.
 */
const ENTRY_BYTES = 2_000;
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
    sizeCalculation: (answer, key) => ENTRY_BYTES + key.length + bytesOf(answer),
    ttl: ttlMs,
    ttlAutopurge: true,
  });
  const keyOf = ({ lookUp, target, accepted: { coding = "", identity } }: AnswerName) =>
    `${lookUp} ${coding} ${identity} ${target}`;
  return {
    recall: (name) => answers.get(keyOf(name)),
    keep(name, answer) {
      if (answer.body.length <= ANSWER_BYTES_MAX) answers.set(keyOf(name), { ...answer, body: ownCopy(answer.body) });
    },
  };
}

const bytesOf = ({ tag, headers, body }: RememberedAnswer): number =>
  Object.entries(headers).reduce((sum, [name, value]) => sum + name.length + value.length, tag.length + body.length);

/** A small buffer is a part of Node's pool: kept as it is, it would keep 64 KiB of other answers alive. */
function ownCopy(bytes: Buffer): Buffer {
  const copy = Buffer.allocUnsafeSlow(bytes.length);
  bytes.copy(copy);
  return copy;
}
