import { portOf } from "./endpoint-port.ts";
import { contains, destinationOf, networksOf, parseAddress } from "./public-address.ts";

/** Where this installation listens itself: nothing is posted there (R-X278). */
export interface OwnListeners {
  /** Public origins: of sign-on and of the gateway. */
  readonly origins: readonly string[];
  /** Ports of the listeners of this machine. */
  readonly ports: readonly number[];
  /** Addresses of this machine; loopback is one without being named. */
  readonly addresses: readonly string[];
}

const LOOPBACK = networksOf("127.0.0.0/8", "0.0.0.0", "::1", "::");

/** True for a URL that leads to one of our public origins, or to a port of ours by an address or name of this machine. */
export function isOwnUrl(url: URL, own: OwnListeners): boolean {
  // A name with a full stop at its end is the same name (RFC 1034 §3.1).
  const name = url.hostname.replace(/\.$/, "");
  if (own.origins.includes(`${url.protocol}//${name}${url.port === "" ? "" : `:${url.port}`}`)) return true;
  const host = name.replace(/^\[(.*)\]$/, "$1");
  const address = host === "localhost" || host.endsWith(".localhost") ? "127.0.0.1" : host;
  return isOwnListener(address, portOf(url), own);
}

/** True for an address of this machine with a port of ours. */
export function isOwnListener(address: string, port: number, own: OwnListeners): boolean {
  return own.ports.includes(port) && isOwnAddress(address, own.addresses);
}

function isOwnAddress(address: string, addresses: readonly string[]): boolean {
  const given = parseAddress(address);
  if (given === undefined) return false;
  const parsed = destinationOf(given);
  const isSame = (other: string) => {
    const own = parseAddress(other.replace(/%.*$/, ""));
    return own?.every((byte, index) => byte === parsed[index]) === true;
  };
  return LOOPBACK.some((network) => contains(network, parsed)) || addresses.some(isSame);
}
