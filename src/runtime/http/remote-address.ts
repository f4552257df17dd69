import { isIP } from "node:net";
import type { FastifyRequest } from "fastify";
import type { Log } from "../process/log.ts";

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

/** Whether a trusted proxy passed the request on. */
export const isPassedOn = ({ headers, ip, socket }: Pick<FastifyRequest, "headers" | "ip" | "socket">): boolean =>
  headers["x-forwarded-for"] !== undefined && ip !== socket.remoteAddress;

/**
 * Of requests that no trusted proxy passed on: says once in the log that a header was ignored which a proxy may have written. Without its
 * address in `trusted-proxies` all people count as one network, and make each other wait. The log has no addresses.
 */
export function sayingUntrusted(log: Log): (request: Pick<FastifyRequest, "headers" | "ip">) => void {
  let isSaid = false;
  return (request) => {
    const forwarded = request.headers["x-forwarded-for"];
    if (isSaid || forwarded === undefined) return;
    if (String(forwarded).split(",").at(-1)?.trim() === request.ip) return;
    isSaid = true;
    log.warn(
      "A sender that is not in trusted-proxies wrote x-forwarded-for, which is ignored. If it is your proxy, name it there: until then all people count as one network.",
    );
  };
}
