import type { IncomingMessage } from "node:http";
import { isIPv6 } from "node:net";
import { isPort } from "../basis/url-port.ts";

/**
 * What makes a request one that a proxy and this server could read in two ways (R-X23, R-X150), as the end of the
 * sentence that begins with "The request"; `undefined` for any other. That is: no `Host` or two, a `Host` that is not a
 * host with an optional port, a target that names a host itself, or one with a fragment, which no client sends and
 * which proxies cut off; a version that is not 1.0 or 1.1, and a transfer coding that is not `chunked` alone, or is one
 * of a version that has none (RFC 9112 §6.1).
 */
export function ambiguityOf({
  rawHeaders,
  url = "",
  httpVersion,
  headers,
}: Pick<IncomingMessage, "rawHeaders" | "url" | "httpVersion" | "headers">): string | undefined {
  let hosts = 0;
  let host = "";
  for (let index = 0; index < rawHeaders.length; index += 2) {
    const name = rawHeaders[index] ?? "";
    if (name.length !== 4 || name.toLowerCase() !== "host") continue;
    hosts++;
    host = rawHeaders[index + 1] ?? "";
  }
  if (hosts === 0) return "has no Host header";
  if (hosts > 1) return "has more than one Host header";
  if (!url.startsWith("/")) return "has a target that does not begin with a slash";
  if (url.includes("#")) return "has a target with a number sign";
  if (!isHost(host)) return "has a Host header that is not a name or an address, with a port or without";
  if (httpVersion !== "1.1" && httpVersion !== "1.0") return "has a version other than HTTP/1.0 and HTTP/1.1";
  const codings = headers["transfer-encoding"];
  if (codings === undefined) return undefined;
  if (httpVersion === "1.0") return "has a Transfer-Encoding, which HTTP/1.0 does not know";
  return codings.toLowerCase() === "chunked" ? undefined : "has a Transfer-Encoding other than chunked alone";
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
  return (ipv6 === undefined || isIPv6(ipv6)) && (port === undefined || isPort(port));
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
