import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";

/**
 * The network address that a request came from, as text: the peer of its connection or, when the peer is a trusted
 * proxy (`trusted-proxies`), the last address in `x-forwarded-for` that is not one; some proxies write a port behind it.
 * Other headers of a proxy are ignored; empty when the connection is already closed. Only this function decides it.
 */
export function remoteAddressOf({ ip, socket }: Pick<FastifyRequest, "ip" | "socket">): string {
  const [, ipv6, ipv4] = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d+)?$/.exec(ip) ?? [];
  const address = ipv6 ?? ipv4 ?? ip;
  return isIP(address) === 0 ? (socket.remoteAddress ?? "") : address;
}
