import type { IncomingMessage } from "node:http";

/**
 * The network address that a request came from: the other end of its connection, in text; empty when the connection is gone already. The
 * only place that says so: no header is believed here.
 */
export const remoteAddressOf = ({ socket }: Pick<IncomingMessage, "socket">): string => socket.remoteAddress ?? "";
