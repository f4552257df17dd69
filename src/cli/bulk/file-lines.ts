import { isUtf8 } from "node:buffer";
import type { FileHandle } from "node:fs/promises";
import type { ImportLine } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";

/** Longest line that is read, in bytes; a longer one is discarded. */
const LINE_BYTES_MAX = 1024 * 1024;
const READ_BYTES = 256 * 1024;
const NEWLINE = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const BYTE_ORDER_MARK = Buffer.from([0xef, 0xbb, 0xbf]);

/** Position behind a line of a file: the line's number and its end. */
export interface FilePosition {
  readonly lastNumber: number;
  /** In bytes, from the beginning of the file. */
  readonly endOffset: number;
}

/**
 * The lines of a file behind a position, in bounded memory however long they are. Lines end with LF or CR LF. Empty
 * ones are numbered but skipped, and a byte order mark is skipped. A line that is too long or not UTF-8 is returned as
 * unreadable.
 */
export async function* fileLines(
  file: FileHandle,
  { lastNumber, endOffset }: FilePosition,
): AsyncGenerator<ImportLine> {
  let number = lastNumber;
  let position = endOffset;
  let parts: Buffer[] = [];
  let kept = 0;
  let length = 0;
  const line = (lineEnd: number): ImportLine | undefined => {
    number++;
    const bytes = kept === length ? Buffer.concat(parts) : undefined;
    [parts, kept, length] = [[], 0, 0];
    return toLine(bytes, number, lineEnd);
  };
  while (true) {
    // A new buffer each time: parts of the last one may be waiting for the rest of their line.
    const { bytesRead, buffer } = await file.read(Buffer.allocUnsafe(READ_BYTES), 0, READ_BYTES, position);
    if (bytesRead === 0) break;
    const chunk = buffer.subarray(0, bytesRead);
    for (let from = 0; from < bytesRead; ) {
      const newline = chunk.indexOf(NEWLINE, from);
      const part = chunk.subarray(from, newline === -1 ? bytesRead : newline);
      length += part.length;
      if (length <= LINE_BYTES_MAX + 1) {
        parts.push(part);
        kept += part.length;
      } else parts = [];
      if (newline === -1) break;
      from = newline + 1;
      const complete = line(position + from);
      if (complete !== undefined) yield complete;
    }
    position += bytesRead;
  }
  const last = length === 0 ? undefined : line(position);
  if (last !== undefined) yield last;
}

/**
 * The position again, behind the end of its line; `undefined` when that many lines of the file do not end there. The last
 * one may have been the end of the file, which has grown since. Another file hardly ever has as many lines in as many bytes.
 */
export async function behindLine(
  file: FileHandle,
  { lastNumber, endOffset }: FilePosition,
): Promise<FilePosition | undefined> {
  const chunk = Buffer.allocUnsafe(READ_BYTES);
  let lines = 0;
  let last: number | undefined = NEWLINE;
  for (let position = 0; position < endOffset; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(READ_BYTES, endOffset - position), position);
    if (bytesRead === 0) return undefined;
    const read = chunk.subarray(0, bytesRead);
    for (let at = read.indexOf(NEWLINE); at !== -1; at = read.indexOf(NEWLINE, at + 1)) lines++;
    last = read.at(-1);
    position += bytesRead;
  }
  if (last === NEWLINE) return lines === lastNumber ? { lastNumber, endOffset } : undefined;
  const { bytesRead } = await file.read(chunk, 0, 2, endOffset);
  const end = /^(?:\r?\n|\r?$)/.exec(chunk.toString("latin1", 0, bytesRead))?.[0];
  return end !== undefined && lines + 1 === lastNumber ? { lastNumber, endOffset: endOffset + end.length } : undefined;
}

/** @param bytes without the line's end; `undefined` when the line was too long. */
function toLine(bytes: Buffer | undefined, number: number, endOffset: number): ImportLine | undefined {
  const unreadable = (reason: string): ImportLine => ({ number, endOffset, json: "", unreadable: reason });
  if (bytes === undefined) return unreadable("The line is longer than 1 MiB.");
  const unmarked = number === 1 && bytes.subarray(0, 3).equals(BYTE_ORDER_MARK) ? bytes.subarray(3) : bytes;
  const content = unmarked.at(-1) === CARRIAGE_RETURN ? unmarked.subarray(0, -1) : unmarked;
  if (content.length > LINE_BYTES_MAX) return unreadable("The line is longer than 1 MiB.");
  if (!isUtf8(content)) return unreadable("The line is not UTF-8. Save the file in that encoding.");
  const json = content.toString("utf8");
  return json.trim() === "" ? undefined : { number, endOffset, json };
}
