import { isIP, isIPv4 } from "node:net";

/** IPv4 addresses in IPv6 notation, as sockets that listen on both give them. */
const MAPPED = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i;

/**
 * The network of an address: its first bits, in CIDR notation (`192.0.2.0/24`, `2001:db8:7::/48`); the whole address
 * for 32 and 128 bits. An IPv4-mapped address counts as its IPv4 address; a zone is ignored. `undefined` for an invalid
 * address.
 */
export function networkOf(
  address: string,
  bits: { readonly ipv4: 8 | 16 | 24 | 32; readonly ipv6: 48 | 64 },
): string | undefined {
  const plain = MAPPED.exec(address)?.[1] ?? address.split("%", 1)[0] ?? "";
  if (isIP(plain) === 0) return undefined;
  if (isIPv4(plain)) {
    const kept = plain.split(".").slice(0, bits.ipv4 / 8);
    return `${[...kept, "0", "0", "0"].slice(0, 4).join(".")}/${bits.ipv4}`;
  }
  const groups = groupsOf(plain).slice(0, bits.ipv6 / 16);
  return `${groups.map((group) => group.toString(16)).join(":")}::/${bits.ipv6}`;
}

/**
 * The network of one sender: an IPv4 address, or an IPv6 network of 64 bits. Senders take turns and failures are
 * counted by it (R-X87, R-X88). Empty for an invalid address.
 */
export const senderNetworkOf = (address: string): string => networkOf(address, { ipv4: 32, ipv6: 64 }) ?? "";

/** The eight groups of an IPv6 address that is well-formed; a dotted tail, which no kept prefix reaches, counts as zeros. */
function groupsOf(address: string): readonly number[] {
  const hexadecimal = address.replace(/\d+\.\d+\.\d+\.\d+$/, "0:0");
  const [head = [], tail = []] = hexadecimal
    .split("::")
    .map((half) => (half === "" ? [] : half.split(":").map((group) => Number.parseInt(group, 16))));
  return [...head, ...Array<number>(8 - head.length - tail.length).fill(0), ...tail];
}
