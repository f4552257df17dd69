import type { Socket } from "node:net";

const BEGINNING = "HTTP/1.1 100";
/** All but 101, after which the connection would have another protocol. */
const INTERIM = /^HTTP\/1\.[01] 1(?!01)\d\d[ \r]/;
const MAY_BE_INTERIM = /^HTTP\/1\.[01] 1\d\d$/;
const END_OF_HEADERS = "\r\n\r\n";
/** What of them is hidden before one answer; more is no interim answer but an attack. */
const HIDDEN_BYTES_MAX = 16 * 1024;

/**
 * Hides interim answers from who reads the socket. Some servers send `100 Continue` to every POST, asked or not, and a
 * client has to pass over it (RFC 9110 §15.2); undici hangs up instead. For one request at a time, whose answer begins
 * with the first byte that comes after it was written.
 */
export function withoutInterimAnswers(socket: Socket): void {
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
    // Node asks for nothing to have more read from the network: what it gets then is lost.
    if (size === 0) return read(0);
    while (isAtStart) {
      const chunk: Buffer | null = read();
      if (chunk === null) return null;
      begun = begun.length === 0 ? chunk : Buffer.concat([begun, chunk]);
      while (isInterim(begun) && hiddenBytes < HIDDEN_BYTES_MAX) {
        const end = begun.indexOf(END_OF_HEADERS);
        if (end < 0) break;
        hiddenBytes += end + END_OF_HEADERS.length;
        begun = begun.subarray(end + END_OF_HEADERS.length);
      }
      const isHidden = hiddenBytes + begun.length < HIDDEN_BYTES_MAX && isInterim(begun);
      if (isHidden || isTooShort(begun)) continue;
      const answer = begun;
      isAtStart = false;
      begun = Buffer.alloc(0);
      return answer;
    }
    return read(size);
  };
}

const isInterim = (bytes: Buffer): boolean => INTERIM.test(bytes.toString("latin1", 0, BEGINNING.length + 1));

/** True for what may become one. */
const isTooShort = (bytes: Buffer): boolean => {
  const text = bytes.toString("latin1", 0, BEGINNING.length);
  return bytes.length <= BEGINNING.length && MAY_BE_INTERIM.test(`${text}${BEGINNING.slice(text.length)}`);
};
