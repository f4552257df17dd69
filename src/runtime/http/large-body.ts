import type { IncomingMessage, Server, ServerResponse } from "node:http";

/** Largest body that any operation takes, in bytes. */
export const BODY_BYTES_MAX = 64 * 1024;
/** Of a body that is too large, and read on before it is refused. */
const REST_BYTES_MAX = 64 * 1024 * 1024;

/** What becomes of bodies above `BODY_BYTES_MAX` (R-X31). */
interface LargeBodies {
  /**
   * Reads on behind a body that is too large, and drops what comes. A connection that is closed while its client still
   * writes takes the answer with it (RFC 9112 §9.6).
   * @returns false when it was not asked for, did not end in time, or is larger than anybody should send.
   */
  tookRest(body: IncomingMessage): Promise<boolean>;
}

/** Answers `Expect: 100-continue` on the server; `restMs` is the time for the rest of a body. */
export function largeBodies(server: Server, restMs: number): LargeBodies {
  const notAskedFor = new WeakSet<IncomingMessage>();
  // Node would ask for every body. One that its client announces as too large is not wanted (RFC 9110 §10.1.1); Node
  // closes the connection behind an answer without having asked.
  server.on("checkContinue", (request: IncomingMessage, response: ServerResponse) => {
    if (Number(request.headers["content-length"]) > BODY_BYTES_MAX) notAskedFor.add(request);
    else response.writeContinue();
    server.emit("request", request, response);
  });
  return {
    async tookRest(body) {
      if (body.readableEnded) return true;
      if (notAskedFor.has(body) || Number(body.headers["content-length"]) > REST_BYTES_MAX) return false;
      return endsWithin(body, restMs);
    },
  };
}

async function endsWithin(body: IncomingMessage, withinMs: number): Promise<boolean> {
  const { promise, resolve } = Promise.withResolvers<boolean>();
  const timer = setTimeout(resolve, withinMs, false);
  let bytes = 0;
  const count = (chunk: Buffer) => {
    bytes += chunk.length;
    if (bytes > REST_BYTES_MAX) resolve(false);
  };
  body
    .on("data", count)
    .once("end", () => resolve(true))
    .once("close", () => resolve(false))
    .resume();
  const isWhole = await promise;
  clearTimeout(timer);
  return isWhole;
}
