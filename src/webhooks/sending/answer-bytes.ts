import type { Socket } from "node:net";

/** Of everything that comes for one request: what is read of a body, in whatever chunks, and what is around it. */
const ANSWER_BYTES_MAX = 1024 * 1024;

/** More came for one request than any answer that is read has. */
export class AnswerTooLong extends Error {
  override readonly name = "AnswerTooLong";
}

/**
 * Ends the connection when too much comes for one request, with `AnswerTooLong`. A parser waits for the end of a line, an
 * extension of a chunk, or interim answers for as long as they come.
 */
export function withBoundedAnswers(socket: Socket): void {
  const read = socket.read.bind(socket);
  const write = socket.write.bind(socket) as (...given: readonly unknown[]) => boolean;
  let bytes = 0;

  socket.write = ((...given: readonly unknown[]) => {
    bytes = 0;
    return write(...given);
  }) as typeof socket.write;
  socket.read = (size) => {
    const chunk: Buffer | null = read(size);
    bytes += chunk?.length ?? 0;
    if (bytes <= ANSWER_BYTES_MAX) return chunk;
    socket.destroy(new AnswerTooLong("Too much came for one request."));
    return null;
  };
}
