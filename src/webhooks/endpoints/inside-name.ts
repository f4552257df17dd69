/** Ends of names that the public DNS never has: RFC 6761, 6762, 7686 and 8375, and ICANN's `internal`. */
const RESERVED = ["localhost", "local", "internal", "home.arpa", "onion"] as const;

/**
 * True for a name that only a machine or network of one's own knows: a reserved one, or one without a dot. `host` is in
 * the form of URL parsers, and no address.
 */
export function isInsideName(host: string): boolean {
  const name = host.replace(/\.$/, "");
  return !name.includes(".") || RESERVED.some((end) => name === end || name.endsWith(`.${end}`));
}
