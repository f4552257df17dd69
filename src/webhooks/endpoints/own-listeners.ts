import { parseAddress } from "#runtime/basis/ip-address.ts";
import { urlPort } from "#runtime/basis/url-port.ts";
import { contains, destinationOf, networksOf } from "./public-address.ts";

/** Where this installation listens itself: nothing is posted there (R-X278). */
export interface OwnListeners {
  /** Public origins: of sign-on and of the gateway. */
  readonly origins: readonly string[];
  /** Ports of the listeners of this machine: other processes may come to listen, and end. */
  readonly ports: Pick<ReadonlySet<number>, "has">;
  /** Addresses of this machine, as it has them when they are asked for; loopback is one without being named. */
  readonly addresses: readonly string[];
}

const LOOPBACK = networksOf("127.0.0.0/8", "0.0.0.0", "::1", "::");

/**
 * A URL's host without the brackets of an IPv6 address, and without a full stop at its end, with which a name is the
 * same name (RFC 1034 §3.1).
 */
export const hostOf = ({ hostname }: URL): string => hostname.replace(/[[\]]|\.$/g, "");

/** True for a URL that leads to one of our public origins, or to a port of ours by an address or name of this machine. */
export function isOwnUrl(url: URL, own: OwnListeners): boolean {
  const host = hostOf(url);
  const isOurs = (origin: string) => {
    const ours = new URL(origin);
    return hostOf(ours) === host && urlPort(ours) === urlPort(url);
  };
  if (own.origins.some(isOurs)) return true;
  const address = host === "localhost" || host.endsWith(".localhost") ? "127.0.0.1" : host;
  return isOwnListener(address, urlPort(url), own);
}

/** True for an address of this machine with a port of ours. */
export function isOwnListener(address: string, port: number, own: OwnListeners): boolean {
  return own.ports.has(port) && isOwnAddress(address, own.addresses);
}

function isOwnAddress(address: string, addresses: readonly string[]): boolean {
  const given = parseAddress(address);
  if (given === undefined) return false;
  const destination = destinationOf(given);
  const own = [...LOOPBACK, ...networksOf(...addresses.map(withoutZone))];
  return own.some((network) => contains(network, destination));
}

/** `fe80::1%eth0` → `fe80::1` (RFC 4007 §11). */
const withoutZone = (address: string): string => address.replace(/%.*/, "");
