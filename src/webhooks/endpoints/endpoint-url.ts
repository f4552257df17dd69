import { isIP } from "node:net";
import { DNS_NAME_FORM, isPossibleHost } from "#runtime/basis/dns-name.ts";
import { type PortRange, portProblem } from "./endpoint-port.ts";
import { hostOf, isOwnUrl, type OwnListeners } from "./own-listeners.ts";
import { mayDial, type Network } from "./public-address.ts";

const LENGTH_MAX = 2_048;
/** Ends of names that the public DNS never has: RFC 6761, 6762, 7686 and 8375, and ICANN's `internal`. */
const INSIDE = ["localhost", "local", "internal", "home.arpa", "onion"] as const;

/** What the operator's settings allow besides https and public addresses (R-E11). */
export interface EndpointRules {
  readonly allowHttp: boolean;
  readonly allowedNetworks: readonly Network[];
  /** Empty: the usual ones (R-X141). */
  readonly allowedPorts: readonly PortRange[];
  /** True where an operator asks: a refusal says which setting would allow the endpoint (R-X424). */
  readonly namesSettings?: boolean | undefined;
  /** Where nothing is posted: our own listeners. */
  readonly own?: OwnListeners | undefined;
}

/**
 * What is wrong with an endpoint URL, or `undefined`. A name is not looked up here: what it leads to is judged at every
 * connection, an address in the URL is judged at once, however it is spelt (S44). A name that no DNS can have is refused
 * (R-X357), and one that is never public unless the operator has named networks (R-X340).
 */
export function endpointUrlProblem(
  text: string,
  { allowHttp, allowedNetworks, allowedPorts, namesSettings = false, own }: EndpointRules,
): string | undefined {
  if (text.length > LENGTH_MAX) return `must have at most ${LENGTH_MAX} characters`;
  // The URL parser drops control characters and outer spaces, and takes \ for /: such a text means something else to
  // other programs.
  if (!/^[a-z]+:\/\/[!-[\]-~]+$/i.test(text) || !URL.canParse(text)) {
    return "must be an absolute URL of visible ASCII characters";
  }
  const url = new URL(text);
  if (url.protocol !== "https:" && !(allowHttp && url.protocol === "http:")) {
    if (allowHttp) return "must be https or http";
    return namesSettings && url.protocol === "http:"
      ? "must be https, or http where webhook-allow-http is set"
      : "must be https";
  }
  if (/^[^:]+:\/*[^/?#]*@/.test(text)) return "must not hold a user name or password";
  if (text.includes("#")) return "must not have a fragment";
  if (!isPossibleHost(url)) return `must have ${DNS_NAME_FORM}`;
  const host = hostOf(url);
  const named = namesSettings ? ", except in networks that webhook-allowed-networks names" : "";
  if (isIP(host) !== 0 && !mayDial(host, allowedNetworks)) return `must not be an address that is not public${named}`;
  if (isIP(host) === 0 && allowedNetworks.length === 0 && isInsideName(host)) return `must have a public name${named}`;
  if (own !== undefined && isOwnUrl(url, own)) return "must not be an address at which Gatehouse itself listens";
  const ofPort = portProblem(url, allowedPorts);
  return ofPort !== undefined && namesSettings ? `${ofPort}; webhook-endpoint-ports says which` : ofPort;
}

/** True for a name that only a machine or network of one's own knows: a reserved one, or one without a dot. */
function isInsideName(host: string): boolean {
  return !host.includes(".") || INSIDE.some((end) => host === end || host.endsWith(`.${end}`));
}
