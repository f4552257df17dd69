import { isIP, isIPv4 } from "node:net";

/**
 * The network of an address: its first bits, in CIDR notation (`192.0.2.0/24`, `2001:db8:7::/48`); the whole address
 * for 32 and 128 bits. An IPv4-mapped address counts as its IPv4 address; a zone is ignored. `undefined` for an invalid
 * address.
 */
export function networkOf(
  address: string,
  bits: { readonly ipv4: 8 | 16 | 24 | 32; readonly ipv6: 48 | 64 },
): string | undefined {
  const plain = address.split("%", 1)[0] ?? "";
  if (isIP(plain) === 0) return undefined;
  const groups = isIPv4(plain) ? [] : groupsOf(plain);
  const octets = isIPv4(plain) ? plain.split(".").map(Number) : mappedOctets(groups);
  if (octets !== undefined) {
    const kept = octets.map((octet, index) => (index < bits.ipv4 / 8 ? octet : 0));
    return `${kept.join(".")}/${bits.ipv4}`;
  }
  const kept = groups.slice(0, bits.ipv6 / 16);
  return `${kept.map((group) => group.toString(16)).join(":")}::/${bits.ipv6}`;
}

/**
 * The network of one sender: an IPv4 address, or an IPv6 network of 64 bits. Senders take turns and failures are
 * counted by it (R-X87, R-X88). Empty for an invalid address.
 */
export const senderNetworkOf = (address: string): string => networkOf(address, { ipv4: 32, ipv6: 64 }) ?? "";

/** The eight groups of an IPv6 address that is well-formed; its last two may be written as an IPv4 address. */
function groupsOf(address: string): readonly number[] {
  const hexadecimal = address.replace(
    /(\d+)\.(\d+)\.(\d+)\.(\d+)$/,
    (_, ...octets: string[]) => `${inHex(octets[0], octets[1])}:${inHex(octets[2], octets[3])}`,
  );
  const [head = [], tail = []] = hexadecimal
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}

const inHex = (high = "0", low = "0"): string => (Number(high) * 256 + Number(low)).toString(16);

/** The IPv4 address in ::ffff:0:0/96, as sockets that listen on both kinds give it, however it is written. */
function mappedOctets(groups: readonly number[]): readonly number[] | undefined {
  const isMapped = groups.slice(0, 6).join(" ") === "0 0 0 0 0 65535";
  return isMapped ? groups.slice(6).flatMap((group) => [Math.floor(group / 256), group % 256]) : undefined;
}
