import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";

/**
 * True for a request that a proxy and this server could read in two ways (R-X23, R-X150): no `Host` or two, a `Host`
 * that is not a host with an optional port, a target that names a host itself, or one with a fragment, which no client
 * sends and which proxies cut off; a version that is not 1.0 or 1.1, and a transfer coding that is not `chunked` alone,
 * or is one of a version that has none (RFC 9112 §6.1).
 */
export function isAmbiguous({
  rawHeaders,
  url = "",
  httpVersion,
  headers,
}: Pick<IncomingMessage, "rawHeaders" | "url" | "httpVersion" | "headers">): boolean {
  let hosts = 0;
  let host = "";
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    host = rawHeaders[index + 1] ?? "";
  }
  if (hosts !== 1 || !url.startsWith("/") || url.includes("#") || !isHost(host)) return true;
  const codings = headers["transfer-encoding"];
  if (httpVersion === "1.1") return codings !== undefined && codings.toLowerCase() !== "chunked";
  return httpVersion !== "1.0" || codings !== undefined;
}

const HOST = /^(?:\[([\da-f:.]+)\]|\w+(?:-+\w+)*(?:\.\w+(?:-+\w+)*)*\.?)(?::(\d{1,5}))?$/i;
const HOST_LENGTH_MAX = 261;

/**
 * A name or address as browsers send it, with an optional port from 1 to 65535. Stricter than RFC 3986, which allows
 * commas and `%`.
 */
function isHost(text: string): boolean {
  const found = text.length > HOST_LENGTH_MAX ? null : HOST.exec(text);
  if (found === null) return false;
  const [, ipv6, port] = found;
  return (ipv6 === undefined || isIPv6(ipv6)) && (port === undefined || (Number(port) >= 1 && Number(port) <= 65_535));
}

/**
 * True when a path is the one spelling of an address of its template, `/v1/x/:id`. Its fixed parts are spelt as there:
 * percent-encoded, they would be a second spelling (R-X18, R-X151). Parameters are decoded, and none is empty: with a
 * trailing or doubled slash it is another address.
 */
export function isSpeltAsOffered(path: string, template: string): boolean {
  if (!path.includes("%") && !path.includes("//") && !path.endsWith("/")) return true;
  const parts = path.split("/");
  return template
    .split("/")
    .every((part, index) => (part.startsWith(":") ? parts[index] !== "" : part === parts[index]));
}
