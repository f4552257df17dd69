import type { IncomingMessage, Server, ServerResponse } from "node:http";
import type { Socket } from "node:net";
import type { Break } from "./observe.ts";

interface ConnectionTools {
  /** How long a client may take nothing of what is sent to it, in milliseconds. */
  readonly takeMs: number;
  /** How long the connection may be idle, in milliseconds; `undefined` for as long as the server says. */
  idleMsOf(socket: object): number | undefined;
  /** Called before an answer is broken off for another reason than that its client left. */
  breaking(answer: ServerResponse, why: Break): void;
}

/** A connection whose client is to go on: none of its requests is under way. */
export interface WaitingConnection {
  readonly socket: Socket;
  /** False once its client has gone on, or the connection is closed. */
  stillWaits(): boolean;
}

/** The open connections of a server. */
export interface OpenConnections {
  /** The answers of one connection that its client does not have yet, in the order of their requests. */
  answersOn(socket: object): readonly ServerResponse[];
  /**
   * Those that never sent a whole request, TLS handshakes under way included; over TLS each by the socket below it. To node:http they
   * are neither idle nor busy.
   */
  silent(): readonly Socket[];
  /** How many are open, and how many of them are idle: silent ones, and those whose answers are all taken. */
  readonly counts: { readonly open: number; readonly idle: number };
  /** All that are idle, the longest first. Takes time for each connection. */
  longestIdle(): readonly WaitingConnection[];
  /** All whose one request has not come whole, the longest first. Takes time for each connection. */
  longestReceiving(): readonly WaitingConnection[];
}

/** A connection, and since when it waits in the order of all that do. */
interface Silent {
  readonly socket: Socket;
  readonly since: number;
}

interface Known {
  readonly socket: Socket;
  readonly answers: Set<ServerResponse>;
  /** When its last request came, or its last answer was taken, in the order of all of these. */
  since: number;
}

/**
 * Watches a server's connections. A client that takes nothing of its answer for `takeMs` is left. When the server closes,
 * a connection is idle once the system has its last answer: to Node it is idle when that answer is made, so that it would cut
 * off the rest of what a slow client reads.
 */
export function watchConnections(server: Server, { takeMs, idleMsOf, breaking }: ConnectionTools): OpenConnections {
  /** By both addresses, since a request over TLS has another socket than its connection. */
  const silent = new Map<string, Silent>();
  /** Those that had a request. */
  const known = new Map<object, Known>();
  /** Of the known ones. */
  let idle = 0;
  let turns = 0;
  let isClosing = false;
  const answersOn = (socket: object) => [...(known.get(socket)?.answers ?? [])];

  server.on("connection", (socket: Socket) => {
    const peer = peerOf(socket);
    const connection: Silent = { socket, since: ++turns };
    silent.set(peer, connection);
    socket.once("close", () => {
      if (silent.get(peer) === connection) silent.delete(peer);
    });
  });
  const knownOf = (socket: Socket): Known => {
    const found = known.get(socket);
    if (found !== undefined) {
      if (found.answers.size === 0) idle--;
      found.since = ++turns;
      return found;
    }
    silent.delete(peerOf(socket));
    const connection: Known = { socket, answers: new Set(), since: ++turns };
    known.set(socket, connection);
    socket.once("close", () => {
      known.delete(socket);
      if (connection.answers.size === 0) idle--;
    });
    return connection;
  };
  server.on("request", ({ socket }: IncomingMessage, answer: ServerResponse) => {
    const connection = knownOf(socket);
    connection.answers.add(answer);
    answer.once("close", () => {
      connection.answers.delete(answer);
      if (connection.answers.size > 0) return;
      if (isClosing) socket.destroySoon();
      if (!known.has(socket)) return;
      idle++;
      connection.since = ++turns;
      const idleMs = idleMsOf(socket);
      // Until the next request, which Node gives the server's time to take its answer.
      if (idleMs !== undefined) socket.setTimeout(idleMs);
    });
  });
  // Node calls it when the server closes, and so does Fastify.
  server.closeIdleConnections = () => {
    isClosing = true;
    for (const { socket, answers } of known.values()) if (answers.size === 0) socket.destroy();
  };
  server.setTimeout(takeMs, (socket) => {
    for (const answer of answersOn(socket)) breaking(answer, { reason: "stalled" });
    socket.destroy();
  });
  const knownWhere = (waits: (connection: Known) => boolean) =>
    [...known.values()].filter(waits).map((connection) => {
      const { socket, since } = connection;
      return { socket, since, stillWaits: () => waits(connection) && connection.since === since && !socket.destroyed };
    });
  return {
    answersOn,
    silent: () => [...silent.values()].map(({ socket }) => socket),
    get counts() {
      return { open: silent.size + known.size, idle: silent.size + idle };
    },
    longestIdle: () =>
      longestFirst([
        ...[...silent].map(([peer, connection]) => ({
          socket: connection.socket,
          since: connection.since,
          stillWaits: () => silent.get(peer) === connection && !connection.socket.destroyed,
        })),
        ...knownWhere(({ answers }) => answers.size === 0),
      ]),
    longestReceiving: () =>
      longestFirst(knownWhere(({ answers }) => answers.size === 1 && [...answers].every(({ req }) => !req.complete))),
  };
}

const longestFirst = <C extends { readonly since: number }>(connections: readonly C[]): readonly C[] =>
  connections.toSorted((one, other) => one.since - other.since);

/**
 * The same for both sockets of a connection over TLS. With our address: where this machine has several, a client may use one of its
 * ports for a connection to each.
 */
const peerOf = ({ remoteAddress, remotePort, localAddress }: Socket): string =>
  `${remoteAddress} ${remotePort} ${localAddress}`;
