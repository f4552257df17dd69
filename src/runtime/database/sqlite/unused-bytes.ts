import { readSync, writeSync } from "node:fs";
import { flushNow } from "./log-flush.ts";

/** Of one reading: a megabyte, with pages of the usual size. */
const PAGES_AT_ONCE = 256;
/** The database header, on the first page (SQLite's database file format, §1.3). */
const DATABASE_HEADER = 100;
/** First byte of a tree's page → bytes before its list of cells (§1.6). */
const TREE_PAGES: ReadonlyMap<number, number> = new Map([
  [2, 12],
  [5, 12],
  [10, 8],
  [13, 8],
]);

/**
 * Overwrites with zeros what pages of a SQLite file have between their list of cells and their cells. Nothing of the store
 * is there, but SQLite leaves parts of cells there when it moves them to another page, and `secure_delete` does not cover
 * them (decision 0081). A page that is no page of a tree stays as it is.
 *
 * No other byte is written, so readers may go on. The caller sees to it that nobody writes, that the log is empty, and that
 * no handle writes a page from its memory afterwards. The bytes are flushed.
 *
 * @param file number of the open file.
 * @param first number of the first page, from 1.
 * @param pages how many.
 * @returns false when the file ends within these pages.
 * @throws an error with SQLite's code for a failed flush; the system's error.
 */
export function zeroUnusedBytes(file: number, first: number, pages: number): boolean {
  const header = Buffer.alloc(DATABASE_HEADER);
  readSync(file, header, 0, DATABASE_HEADER, 0);
  const size = header.readUInt16BE(16) === 1 ? 65_536 : header.readUInt16BE(16);
  const usable = size - header.readUInt8(20);
  const buffer = Buffer.alloc(size * PAGES_AT_ONCE);
  const zeros = Buffer.alloc(size);
  let hasWritten = false;
  let end = false;
  for (let page = first; !end && page < first + pages; page += PAGES_AT_ONCE) {
    const wanted = Math.min(PAGES_AT_ONCE, first + pages - page) * size;
    const read = readSync(file, buffer, 0, wanted, (page - 1) * size);
    end = read < wanted;
    for (let at = 0; at + size <= read; at += size) {
      const position = (page - 1) * size + at;
      const unused = unusedBytes(buffer.subarray(at, at + usable), position === 0 ? DATABASE_HEADER : 0);
      if (unused === undefined) continue;
      const { from, bytes } = unused;
      if (bytes.equals(zeros.subarray(0, bytes.length))) continue;
      writeSync(file, zeros, 0, bytes.length, position + from);
      hasWritten = true;
    }
  }
  if (hasWritten) flushNow(file);
  return !end;
}

/** The bytes of a tree's page that belong to nothing; `undefined` where its header or list of cells is not that of one. */
function unusedBytes(page: Buffer, at: number): { readonly from: number; readonly bytes: Buffer } | undefined {
  const list = TREE_PAGES.get(page.readUInt8(at));
  if (list === undefined) return undefined;
  const firstFree = page.readUInt16BE(at + 1);
  const cells = page.readUInt16BE(at + 3);
  const content = page.readUInt16BE(at + 5) || 65_536;
  const from = at + list + 2 * cells;
  if (from > content || content > page.length || (firstFree !== 0 && firstFree < content)) return undefined;
  for (let cell = at + list; cell < from; cell += 2) {
    const offset = page.readUInt16BE(cell);
    if (offset < content || offset >= page.length) return undefined;
  }
  return { from, bytes: page.subarray(from, content) };
}
