import { DNS_NAME_FORM, isPossibleHost } from "#runtime/basis/dns-name.ts";
import type { ApplicationKind, RegisteredRedirectUri } from "./application.ts";

const LOOPBACK = /^http:\/\/(127\.0\.0\.1|\[::1\])(:[0-9]{1,5})?(\/.*)?$/;
/** A scheme with a dot, as RFC 8252 §7.1 asks, so that it belongs to a domain name its owner controls. */
const PRIVATE_USE = /^[a-z][a-z0-9+-]*(\.[a-z0-9+-]+)+:/;
/**
 * `https:host`, `https:/host`, `https:///host`: URL parsers repair them, browsers resolve them against the page;
 * neither counts as an address.
 */
const WITHOUT_HOST = /^https?:(?!\/\/[^/])/i;
/** An authority with a user, also an empty one, which `URL` leaves out. */
const NAMES_USER = /^[^/?]*:\/\/[^/?]*@/;

/** True for an address of the web; the letter case of a scheme means nothing (RFC 3986 §3.1). */
export const isWebAddress = (uri: string): boolean => /^https?:/i.test(uri);

/**
 * The registered redirect URI that a request names, byte for byte; for a native application's loopback address the port alone is free
 * (R-S15, RFC 8252 §7.3). `undefined` when none is.
 */
export function matchRedirectUri(
  registered: readonly RegisteredRedirectUri[],
  kind: ApplicationKind,
  requested: string,
): RegisteredRedirectUri | undefined {
  const exact = registered.find(({ uri }) => uri === requested);
  if (exact !== undefined || kind !== "native" || !LOOPBACK.test(requested) || !URL.canParse(requested)) return exact;
  const anyPort = withoutPort(requested);
  return registered.find(({ uri }) => LOOPBACK.test(uri) && withoutPort(uri) === anyPort);
}

const withoutPort = (uri: string): string =>
  uri.replace(
    LOOPBACK,
    (_, host: string, _port: string | undefined, rest: string | undefined) => `http://${host}${rest ?? ""}`,
  );

/**
 * Why a redirect URI cannot be registered beside others, as the end of a sentence about it; `undefined` when it can.
 * Since the port of a loopback address is free, addresses that differ in it alone are one, which names one instance
 * (R-S15).
 */
export function conflictProblem(
  added: { readonly uri: string; readonly instanceId: string },
  registered: readonly { readonly uri: string; readonly instanceId: string }[],
): string | undefined {
  if (!LOOPBACK.test(added.uri)) return undefined;
  const isSame = (uri: string) =>
    uri !== added.uri && LOOPBACK.test(uri) && withoutPort(uri) === withoutPort(added.uri);
  const other = registered.find(({ uri, instanceId }) => instanceId !== added.instanceId && isSame(uri));
  return (
    other && `differs in its port alone from ${other.uri}, which belongs to another instance (RFC 8252 §7.3: any port)`
  );
}

/**
 * Why a redirect URI cannot be registered, as the end of a sentence about it; `undefined` when it can (R-S15, S3).
 */
export function redirectUriProblem(
  uri: string,
  kind: ApplicationKind,
  { development }: { readonly development: boolean },
): string | undefined {
  if (uri.length > 2_000) return "is longer than 2000 characters";
  if (!/^[\x21-\x7e]+$/.test(uri) || !URL.canParse(uri)) return "is not an absolute URI of printable ASCII characters";
  if (uri.includes("#")) return "has a fragment";
  if (uri.includes("*")) return "has a wildcard";
  if (uri.includes("\\")) return "has a backslash";
  if (WITHOUT_HOST.test(uri)) return "is not an absolute URI with two slashes and a host";
  if (NAMES_USER.test(uri)) return "names a user";
  const url = new URL(uri);
  if (url.protocol === "https:") return isPossibleHost(url) ? undefined : `must have ${DNS_NAME_FORM}`;
  if (url.protocol === "http:") return httpProblem(uri, url, kind, development);
  if (kind !== "native")
    return "must be https (schemes of an application's own are for native applications, RFC 8252 §7.1)";
  return PRIVATE_USE.test(uri)
    ? undefined
    : "must have a private-use scheme with a dot, the reverse of a domain name of yours, like com.example.app:/callback (RFC 8252 §7.1)";
}

function httpProblem(uri: string, { hostname }: URL, kind: ApplicationKind, development: boolean): string | undefined {
  if (kind === "native" && LOOPBACK.test(uri)) return undefined;
  if (development && hostname === "localhost") return undefined;
  if (LOOPBACK.test(uri)) {
    const instead = development ? "https, or http://localhost" : "https";
    return `must be ${instead} (loopback addresses are for native applications, RFC 8252 §7.3)`;
  }
  if (hostname === "localhost" && kind === "native")
    return "must be https, or the loopback address http://127.0.0.1 or http://[::1] in place of localhost (RFC 8252 §8.3)";
  if (hostname === "localhost") return "must be https (http://localhost is for the development switch)";
  return "must be https";
}

/** Where a person finds the application that a redirect URI belongs to; `undefined` for programs on the person's own device. */
export const webOrigin = (uri: string): string | undefined =>
  LOOPBACK.test(uri) || !isWebAddress(uri) ? undefined : new URL(uri).origin;

/** Scheme and host of a web address; the scheme of a private-use URI, which has no origin. */
export function redirectOrigin(uri: string): string {
  const { origin, protocol } = new URL(uri);
  return origin === "null" ? protocol : origin;
}
