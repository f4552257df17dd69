import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The network address that a request came from, as text: the peer of its connection or, when the peer is a trusted
 * proxy (`trusted-proxies`), the last address in `x-forwarded-for` that is not one. Other headers of a proxy are
 * ignored; empty when the connection is already closed. Only this function decides it.
 */
export const remoteAddressOf = ({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? "") : ip;
