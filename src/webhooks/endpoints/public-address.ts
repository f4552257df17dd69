import { isIPv4 } from "node:net";
import { hexGroups, parseAddress } from "#runtime/basis/ip-address.ts";

/**
 * A range of addresses: the first `bits` of `prefix`. IPv4 is in its mapped form, so both families are compared alike.
 */
export interface Network {
  /** 16 bytes. */
  readonly prefix: Uint8Array;
  readonly bits: number;
}

const MAPPED_BITS = 96;

/** ::ffff:0:0/96, all of IPv4. */
const MAPPED: Network = {
  prefix: Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, 0, 0, 0, 0),
  bits: MAPPED_BITS,
};

/** `10.0.0.0/8`, `fd00::/8`, or a single address; `undefined` when it is neither, or has bits set behind the prefix. */
export function parseNetwork(text: string): Network | undefined {
  const [address, length, ...more] = text.split("/") as [string, ...string[]];
  const prefix = parseAddress(address);
  if (prefix === undefined || more.length > 0) return undefined;
  const own = isIPv4(address) ? 32 : 128;
  const given = length === undefined ? own : /^(0|[1-9]\d{0,2})$/.test(length) ? Number(length) : Number.NaN;
  if (!(given <= own)) return undefined;
  const bits = isIPv4(address) ? given + MAPPED_BITS : given;
  const network = { prefix, bits };
  return prefix.every((byte, index) => (byte & ~maskAt(index, bits) & 0xff) === 0) ? network : undefined;
}

/** The inverse of `parseNetwork`, in the shortest form (RFC 5952); a network of mapped IPv4 addresses as one of IPv4. */
export function writtenNetwork({ prefix, bits }: Network): string {
  if (contains(MAPPED, prefix)) return `${prefix.slice(12).join(".")}/${bits - MAPPED_BITS}`;
  return `${new URL(`http://[${hexGroups(prefix).join(":")}]`).hostname.slice(1, -1)}/${bits}`;
}

const maskAt = (index: number, bits: number): number => {
  const inByte = Math.min(8, Math.max(0, bits - index * 8));
  return (0xff << (8 - inByte)) & 0xff;
};

/** True for an address, of 16 bytes, in the range. */
export const contains = ({ prefix, bits }: Network, address: Uint8Array): boolean =>
  prefix.every((byte, index) => ((byte ^ (address[index] ?? 0)) & maskAt(index, bits)) === 0);

/** Networks that the program names itself. @throws Error for a text that is none. */
export const networksOf = (...texts: readonly string[]): readonly Network[] =>
  texts.map((text) => {
    const network = parseNetwork(text);
    if (network === undefined) throw new Error(`${text} is no network.`);
    return network;
  });

/** Nothing outside of these is public: all of IPv4, and the global unicast space of IPv6 (RFC 4291 §2.4). */
const GLOBAL = networksOf("0.0.0.0/0", "2000::/3");

/**
 * IANA's special-purpose registries (RFC 6890 and its updates), and addresses that clouds gave a meaning of their own.
 */
const FORBIDDEN = networksOf(
  "0.0.0.0/8",
  "10.0.0.0/8",
  "100.64.0.0/10", // carrier-grade NAT, and Alibaba's metadata address
  "127.0.0.0/8",
  "168.63.129.16", // Azure's host
  "169.254.0.0/16", // link-local, and most clouds' metadata address
  "172.16.0.0/12",
  "192.0.0.0/24", // and Oracle's metadata address
  "192.0.2.0/24",
  "192.31.196.0/24",
  "192.52.193.0/24",
  "192.88.99.0/24",
  "192.168.0.0/16",
  "192.175.48.0/24",
  "198.18.0.0/15",
  "198.51.100.0/24",
  "203.0.113.0/24",
  "224.0.0.0/4",
  "240.0.0.0/4",
  "2001::/23", // protocol assignments; Teredo, benchmarking and ORCHID among them
  "2001:db8::/32",
  "2002::/16", // 6to4
  "2620:4f:8000::/48",
  "3ffe::/16",
  "3fff::/20",
);

/** 64:ff9b::/96 */
const NAT64: Network = { prefix: Uint8Array.of(0, 0x64, 0xff, 0x9b, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0), bits: 96 };

/** ISATAP's interface identifiers carry an IPv4 address inside (RFC 5214 §6.1). */
const isIsatap = (address: Uint8Array): boolean =>
  (address[8] === 0 || address[8] === 2) && address[9] === 0 && address[10] === 0x5e && address[11] === 0xfe;

/** What NAT64 translates to (RFC 6052), since IPv6-only networks reach every IPv4 host so; other addresses as they are. */
export function destinationOf(address: Uint8Array): Uint8Array {
  if (!contains(NAT64, address)) return address;
  return Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff, ...address.subarray(12));
}

/**
 * True when a request may be sent there: a public address, or one of a network that the operator named (R-E11, S45).
 */
export function mayDial(address: string, allowed: readonly Network[]): boolean {
  const parsed = parseAddress(address);
  if (parsed === undefined) return false;
  const destination = destinationOf(parsed);
  if (allowed.some((network) => contains(network, destination))) return true;
  return (
    GLOBAL.some((network) => contains(network, destination)) &&
    !FORBIDDEN.some((network) => contains(network, destination)) &&
    !isIsatap(destination)
  );
}
