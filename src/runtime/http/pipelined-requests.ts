import type { IncomingMessage, ServerResponse } from "node:http";

/** So many of one connection may be under way at once. */
const AT_ONCE_MAX = 10;

/** So many more may wait on one connection; it is closed when a client sends more ahead. */
const WAITING_MAX = 100;

/** Begins a request when few enough of those before it on its connection are unanswered. */
type Turns = (request: IncomingMessage, answer: ServerResponse, begin: () => void) => void;

/**
 * Limits how many requests of one connection are handled at once (R-X413). Node reads all that come in one packet, some
 * 1,600 in 60 KB, and would have them handled before anything else. Those that wait begin one after the other, when the
 * answers before them are sent, and between two of them others have their turn.
 * @param closing called before a connection is closed since too many wait on it.
 */
export function pipelinedRequests(closing: () => void): Turns {
  /** By connection: those behind the first that is unanswered. */
  const behind = new WeakMap<object, number>();
  return ({ socket }, answer, begin) => {
    // Node gives an answer its connection once those before it are sent.
    if (answer.socket !== null) {
      begin();
      return;
    }
    const ahead = behind.get(socket) ?? 0;
    if (ahead >= AT_ONCE_MAX + WAITING_MAX) {
      if (socket.destroyed) return;
      closing();
      socket.destroy();
      return;
    }
    const waits = ahead >= AT_ONCE_MAX;
    behind.set(socket, ahead + 1);
    answer.once("socket", () => {
      behind.set(socket, (behind.get(socket) ?? 1) - 1);
      if (waits) setImmediate(begin);
    });
    if (!waits) begin();
  };
}
