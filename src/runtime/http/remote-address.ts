import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The network address that a request came from, in text: the other end of its connection or, where that is a proxy that the settings
 * name, the last address in `x-forwarded-for` that is none (`trusted-proxies`). What a proxy says beyond an address does not count; empty when
 * the connection is gone already. The only place that says so.
 */
export const remoteAddressOf = ({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string =>
  isIP(ip) === 0 ? (socket.remoteAddress ?? "") : ip;
