import { isIP } from "node:net";

/** What a host must be, as the end of a sentence about the text that names it. */
export const DNS_NAME_FORM = "a host name of at most 253 characters, with 1 to 63 between its dots";

const NAME_LENGTH_MAX = 253;
const LABEL = /^.{1,63}$/;

/**
 * False for the host of a URL that no name server can be asked for: a part of it is empty or too long, or the whole is
 * (RFC 1035 §2.3.4). An address is no name. Hyphens and underscores are wherever the DNS has them (RFC 2181 §11), and a
 * full stop may be at the end (RFC 1034 §3.1).
 */
export function isPossibleHost({ hostname }: Pick<URL, "hostname">): boolean {
  const host = hostname.replace(/[[\]]/g, "");
  if (isIP(host) !== 0) return true;
  const name = host.replace(/\.$/, "");
  return name.length <= NAME_LENGTH_MAX && name.split(".").every((label) => LABEL.test(label));
}
