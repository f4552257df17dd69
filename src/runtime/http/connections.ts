import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Break } from "./observe.ts";

interface ConnectionTools {
  /** How long a client may take nothing of what is sent to it, in milliseconds. */
  readonly takeMs: number;
  /** Called before an answer is broken off for another reason than that its client left. */
  breaking(answer: ServerResponse, why: Break): void;
}

/** The connections that had a request, with the answers that their clients do not have yet. */
interface Connections {
  /** Of one connection, in the order of their requests. */
  answersOn(socket: object): readonly ServerResponse[];
}

/**
 * Watches a server's connections. A client that takes nothing of its answer for `takeMs` is left. When the server closes,
 * a connection is idle once the system has its last answer: to Node it is idle when that answer is made, so that it would cut
 * off the rest of what a slow client reads.
 */
export function watchConnections(server: Server, { takeMs, breaking }: ConnectionTools): Connections {
  const underWay = new Map<object, Set<ServerResponse>>();
  let isClosing = false;
  const answersOn = (socket: object) => [...(underWay.get(socket) ?? [])];
  server.on("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const answers = underWay.get(socket) ?? new Set();
    if (!underWay.has(socket)) socket.once("close", () => underWay.delete(socket));
    underWay.set(socket, answers.add(answer));
    answer.once("close", () => {
      answers.delete(answer);
      if (isClosing && answers.size === 0) socket.destroySoon();
    });
  });
  // Node calls it when the server closes, and so does Fastify.
  server.closeIdleConnections = () => {
    isClosing = true;
    for (const [socket, answers] of underWay) if (answers.size === 0) (socket as Socket).destroy();
  };
  server.setTimeout(takeMs, (socket) => {
    for (const answer of answersOn(socket)) breaking(answer, { reason: "stalled" });
    socket.destroy();
  });
  return { answersOn };
}
