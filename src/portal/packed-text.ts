import { promisify } from "node:util";
import { gzip } from "node:zlib";
import { acceptedCoding } from "#runtime/http/content-coding.ts";

const VARY = { vary: "accept-encoding" } as const;

type AcceptEncoding = string | readonly string[] | undefined;

const compressed = (text: string): Promise<Buffer> => promisify(gzip)(text, { level: 9 });

/** Sends a text as gzip to a client that accepts it. */
export async function packedOnce(text: string, acceptEncoding: AcceptEncoding, pack = compressed) {
  if (acceptedCoding(acceptEncoding, ["gzip"]).coding === undefined) return { headers: VARY, body: text };
  // Bytes, which the contract calls a string as every content has it before its coding.
  const body = (await pack(text)) as unknown as string;
  return { headers: { ...VARY, "content-encoding": "gzip" } as const, body };
}

/**
 * Sends texts that never change as gzip to clients that accept it. Each is compressed when it is first asked for, since
 * most processes are never asked.
 */
export function packedText() {
  const packed = new Map<string, Promise<Buffer>>();
  const pack = (text: string): Promise<Buffer> => {
    const known = packed.get(text);
    if (known !== undefined) return known;
    const made = compressed(text);
    packed.set(text, made);
    // A failure is not remembered.
    made.catch(() => packed.delete(text));
    return made;
  };
  return (text: string, acceptEncoding: AcceptEncoding) => packedOnce(text, acceptEncoding, pack);
}

/**
 * Sends pages as gzip to clients that accept it; each is drawn when it is first asked for. What names a page must come from a
 * closed list.
 */
export function packedPages() {
  const pages = new Map<string, string>();
  const packed = packedText();
  return (name: string, draw: () => string, acceptEncoding: AcceptEncoding) => {
    const text = pages.get(name) ?? draw();
    pages.set(name, text);
    return packed(text, acceptEncoding);
  };
}
