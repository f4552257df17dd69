import { hexGroups, ipv4In, parseAddress } from "#runtime/basis/ip-address.ts";

/**
 * The network of an address: its first bits, in CIDR notation (`192.0.2.0/24`, `2001:db8:7::/48`); of IPv4 the whole
 * address for 32 bits. An IPv4-mapped address counts as its IPv4 address; a zone is ignored. `undefined` for an invalid
 * address.
 */
export function networkOf(
  address: string,
  bits: { readonly ipv4: 24 | 32; readonly ipv6: 48 | 64 },
): string | undefined {
  const bytes = parseAddress(address.split("%", 1)[0] ?? "");
  if (bytes === undefined) return undefined;
  const octets = ipv4In(bytes);
  if (octets !== undefined)
    return `${octets.map((octet, at) => (at < bits.ipv4 / 8 ? octet : 0)).join(".")}/${bits.ipv4}`;
  return `${hexGroups(bytes)
    .slice(0, bits.ipv6 / 16)
    .join(":")}::/${bits.ipv6}`;
}

/** The network of one sender, by which senders take turns and failures are counted (R-X87, R-X88, R-X436). */
export interface SenderNetwork {
  /** An IPv4 address, or an IPv6 network of 64 bits; empty for an invalid address. */
  readonly narrow: string;
  /** The IPv6 network of 48 bits around it, all of which one customer may have; of IPv4 the address again. */
  readonly wide: string;
}

export function senderNetworkOf(address: string): SenderNetwork {
  const narrow = networkOf(address, { ipv4: 32, ipv6: 64 }) ?? "";
  const [first, second, third] = narrow.split(":");
  return { narrow, wide: third === undefined ? narrow : `${first}:${second}:${third}::/48` };
}
