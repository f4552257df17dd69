import { pipeline, Readable, type Transform } from "node:stream";
import { promisify } from "node:util";
import {
  brotliCompress,
  brotliCompressSync,
  constants,
  createBrotliCompress,
  createGzip,
  gzip,
  gzipSync,
} from "node:zlib";
import { parseWeightedList } from "../basis/weighted-list.ts";
import type { Chunks } from "./operation.ts";

/** The content codings that we support (RFC 9110 §8.4.1), preferred first. */
export const CODINGS = ["br", "gzip"] as const;

export type Coding = (typeof CODINGS)[number];

/** What a client accepts: the best supported coding, if any, and whether it accepts an uncompressed answer. */
interface Accepted {
  readonly coding: Coding | undefined;
  readonly identity: boolean;
}

const PLAIN: Accepted = { coding: undefined, identity: true };

/**
 * Reads Accept-Encoding (RFC 9110 §12.5.3); `offered` are the available codings, preferred first. Malformed members are
 * ignored; without the header no coding is used.
 */
export function acceptedCoding(
  header: string | readonly string[] | undefined,
  offered: readonly [Coding, ...Coding[]] = CODINGS,
): Accepted {
  if (typeof header !== "string") return PLAIN;
  // A coding has no parameters.
  const members = parseWeightedList(header).filter(({ parameters }) => parameters.length === 0);
  const weights = new Map(members.map(({ value, weight }) => [value.replace(/^x-gzip$/, "gzip"), weight]));
  const others = weights.get("*");
  const weightOf = (name: string) => weights.get(name) ?? others ?? 0;
  // If the header does not name identity, it is acceptable, but ranks below every named coding.
  const identity = weights.get("identity") ?? (others === 0 ? 0 : Number.MIN_VALUE);
  const best = offered.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one));
  const coding = weightOf(best) > 0 && weightOf(best) >= identity ? best : undefined;
  return { coding, identity: identity > 0 };
}

/** Smaller answers fit into two packets as they are; measured in docs/performance.md. */
const CODED_BYTES_MIN = 2_048;
/** Larger ones would block other requests, so another thread compresses them. */
const CODED_AT_ONCE_BYTES_MAX = 256 * 1024;
// Higher levels cost two to five times as much and save a tenth more.
const GZIP = { level: 1 };
const BROTLI = {
  params: {
    [constants.BROTLI_PARAM_QUALITY]: 1,
    // 256 KiB of memory for each answer that is being sent, as with gzip.
    [constants.BROTLI_PARAM_LGWIN]: 18,
  },
};

const AT_ONCE = {
  br: (bytes: Buffer) => brotliCompressSync(bytes, BROTLI),
  gzip: (bytes: Buffer) => gzipSync(bytes, GZIP),
} as const;
const ELSEWHERE = {
  br: (bytes: Buffer): Promise<Buffer> => promisify(brotliCompress)(bytes, BROTLI),
  gzip: (bytes: Buffer): Promise<Buffer> => promisify(gzip)(bytes, GZIP),
} as const;
const STREAMED = {
  br: (): Transform => createBrotliCompress(BROTLI),
  gzip: (): Transform => createGzip(GZIP),
} as const;

/** A body as it is sent, and the coding it has. */
interface Coded<T> {
  readonly coding: Coding | undefined;
  readonly content: T;
}

/**
 * Compresses a body when the client accepts that and the size is worth it. A client that accepts only a coding gets
 * small bodies compressed too.
 */
export async function coded(text: string, { coding, identity }: Accepted): Promise<Coded<Buffer>> {
  const bytes = Buffer.from(text);
  if (coding === undefined || (identity && bytes.length < CODED_BYTES_MIN))
    return { coding: undefined, content: bytes };
  const content = bytes.length > CODED_AT_ONCE_BYTES_MAX ? await ELSEWHERE[coding](bytes) : AT_ONCE[coding](bytes);
  return { coding, content };
}

/** Compresses a body that is made while it is sent, when the client accepts that. */
export const codedChunks = (chunks: Chunks, { coding }: Accepted): Coded<Chunks> =>
  coding === undefined
    ? { coding, content: chunks }
    : {
        coding,
        content: {
          async *[Symbol.asyncIterator]() {
            // An error on the way is thrown by the iteration.
            yield* pipeline(Readable.from(chunks), STREAMED[coding](), () => undefined);
          },
          discard: chunks.discard,
        },
      };
