import type { Socket } from "node:net";

const BEGINNING = "HTTP/1.1 100";
const CONTINUE = /^HTTP\/1\.[01] 100[ \r]/;
const END_OF_HEADERS = "\r\n\r\n";
/** What of it is hidden before one answer; more is no interim answer but an attack. */
const HIDDEN_BYTES_MAX = 16 * 1024;

/**
 * Hides each `100 Continue` before an answer from who reads the socket. Some servers send one to every POST, asked or
 * not, and a client has to pass over it (RFC 9110 §15.2); undici hangs up instead. For one request at a time, whose
 * answer begins with the first byte that comes after it was written.
 */
export function withoutContinue(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  let isAtStart = false;
  let hiddenBytes = 0;
  let begun: Buffer = Buffer.alloc(0);

  socket.write = ((...given: readonly unknown[]) => {
    isAtStart = true;
    hiddenBytes = 0;
    return write(...given);
  }) as typeof socket.write;
  socket.read = (size) => {
    while (isAtStart) {
      const chunk: Buffer | null = read();
      if (chunk === null) return null;
      begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
      while (isContinue(begun) && hiddenBytes < HIDDEN_BYTES_MAX) {
        const end = begun.indexOf(END_OF_HEADERS);
        if (end < 0) break;
        hiddenBytes += end + END_OF_HEADERS.length;
        begun = begun.subarray(end + END_OF_HEADERS.length);
      }
      const isHidden = hiddenBytes + begun.length < HIDDEN_BYTES_MAX && isContinue(begun);
      if (isHidden || isTooShort(begun)) continue;
      const answer = begun;
      isAtStart = false;
      begun = Buffer.alloc(0);
      return answer;
    }
    return read(size);
  };
}

const isContinue = (bytes: Buffer): boolean =>
  CONTINUE.test(bytes.subarray(0, BEGINNING.length + 1).toString("latin1"));

/** True for what may become one. */
const isTooShort = (bytes: Buffer): boolean => {
  const text = bytes.toString("latin1", 0, BEGINNING.length);
  return (
    bytes.length <= BEGINNING.length && [BEGINNING, "HTTP/1.0 100"].some((beginning) => beginning.startsWith(text))
  );
};
