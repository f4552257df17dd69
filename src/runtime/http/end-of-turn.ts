/** How long an answer waits at most for others of its turn, beside the step that is under way, in milliseconds. */
const LONG_TURN_MS = 1;

/**
 * Returns a function that has `send` called at the end of the turn of the event loop, for all that were passed in it,
 * one straight after another. A send wakes a client on the same machine, such as a proxy, or a kernel's network queue:
 * sent as soon as it is ready, each answer does so again, up to a third of what a short one costs (decision 0080). A turn
 * of long steps is not waited for: after a millisecond, what is ready goes with the next one.
 * @param send must not throw: what is behind it would not be sent.
 */
export function atEndOfTurn<T>(send: (one: T) => void): (one: T) => void {
  let ready: T[] = [];
  let firstAt = 0;
  const sendAll = () => {
    const all = ready;
    ready = [];
    for (const one of all) send(one);
  };
  return (one) => {
    if (ready.push(one) === 1) {
      firstAt = performance.now();
      setImmediate(sendAll);
    } else if (performance.now() - firstAt > LONG_TURN_MS) sendAll();
  };
}
