import { isIPv4, isIPv6 } from "node:net";

/** Of an address of either kind, IPv4 in its mapped form. */
const ADDRESS_BYTES = 16;
const MAPPED_PREFIX = Uint8Array.of(0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xff, 0xff);

/** 16 bytes, IPv4 as ::ffff:a.b.c.d; `undefined` for everything that is not plainly an address, zone ids included. */
export function parseAddress(text: string): Uint8Array | undefined {
  const bytes = new Uint8Array(ADDRESS_BYTES);
  if (isIPv4(text)) {
    bytes.set(MAPPED_PREFIX);
    bytes.set(text.split(".").map(Number), MAPPED_PREFIX.length);
    return bytes;
  }
  if (!isIPv6(text) || text.includes("%")) return undefined;
  const [head, tail] = text.split("::") as [string, string?];
  const before = groupsOf(head);
  const after = tail === undefined ? [] : groupsOf(tail);
  bytes.set(before, 0);
  bytes.set(after, ADDRESS_BYTES - after.length);
  return bytes;
}

/** `2001:db8` → its bytes; a last group in dotted form is four bytes, and the empty one beside `::` is zero. */
function groupsOf(text: string): number[] {
  return text.split(":").flatMap((group) => {
    if (group.includes(".")) return group.split(".").map(Number);
    const value = Number.parseInt(group, 16);
    return [value >> 8, value & 0xff];
  });
}

/** The four bytes of an IPv4 address, however it was written; `undefined` for IPv6. */
export const ipv4In = (address: Uint8Array): Uint8Array | undefined =>
  MAPPED_PREFIX.every((byte, index) => address[index] === byte) ? address.subarray(MAPPED_PREFIX.length) : undefined;

/** The eight groups of an address in hexadecimal digits, without leading zeros. */
export const hexGroups = (address: Uint8Array): readonly string[] =>
  Array.from({ length: ADDRESS_BYTES / 2 }, (_, at) =>
    (((address[at * 2] ?? 0) << 8) | (address[at * 2 + 1] ?? 0)).toString(16),
  );
