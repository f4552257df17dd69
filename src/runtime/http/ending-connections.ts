import type { FastifyReply, FastifyRequest } from "fastify";
import type { OpenConnections } from "./connections.ts";
import { ambiguityOf } from "./one-spelling.ts";

/**
 * Connections that end with the answer to a request that proxies could read otherwise, or that is no request: nothing
 * that follows on one is read as a request.
 * @param answersOn as the server's connections have it.
 */
export function endingConnections(answersOn: OpenConnections["answersOn"]) {
  const ending = new WeakSet<object>();
  return {
    isEnding: (socket: object): boolean => ending.has(socket),

    /** Ends the connection with the answer to an ambiguous request; returns what is wrong with it. */
    endIfAmbiguous({ raw }: FastifyRequest, reply: FastifyReply): string | undefined {
      const malformed = ending.has(raw.socket) ? "comes behind one that was refused" : ambiguityOf(raw);
      if (malformed === undefined) return undefined;
      ending.add(raw.socket);
      reply.header("connection", "close");
      return malformed;
    },

    /**
     * Gives the last answer of a connection behind those of whole requests. Answers have the order of their requests
     * (RFC 9112 §9.3.2): earlier, it would be taken for one of them, or lie in the middle of it.
     */
    afterAnswers(socket: object, answer: () => void): void {
      const lastOf = () => answersOn(socket).findLast(({ req }) => req.complete);
      const before = lastOf();
      if (before === undefined) {
        answer();
        return;
      }
      ending.add(socket);
      before.once("close", () => {
        if (lastOf() === undefined) answer();
      });
    },
  };
}
