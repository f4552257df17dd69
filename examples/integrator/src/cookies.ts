import type { IncomingMessage } from "node:http";

/**
 * Cookies are shared by all programs on one host, whatever their port: on `localhost` the browser sends ours and
 * Gatehouse's together. Hence the distinctive names; and over https the prefix `__Host-`, so that no other subdomain
 * can set them for us.
 */
export interface CookieJar {
  read(request: IncomingMessage, name: string): string | undefined;
  /** Names that begin so, the oldest first: in this order browsers send cookies of one path (RFC 6265 §5.4). */
  namesFrom(request: IncomingMessage, start: string): readonly string[];
  /**
   * The value of a Set-Cookie header. Scripts cannot read the cookie (HttpOnly), and forms of other sites do not send
   * it (Lax).
   */
  write(name: string, value: string, maxAgeSeconds: number): string;
  erase(name: string): string;
}

export function cookieJar(ownAddress: string): CookieJar {
  const secure = new URL(ownAddress).protocol === "https:";
  const fullName = (name: string) => `${secure ? "__Host-" : ""}sample_integrator_${name}`;
  const write = (name: string, value: string, maxAgeSeconds: number) =>
    `${fullName(name)}=${value}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax${secure ? "; Secure" : ""}`;
  const pairs = (request: IncomingMessage) => (request.headers.cookie ?? "").split("; ");
  return {
    read(request, name) {
      const start = `${fullName(name)}=`;
      return pairs(request)
        .find((pair) => pair.startsWith(start))
        ?.slice(start.length);
    },
    namesFrom: (request, start) =>
      pairs(request)
        .filter((pair) => pair.startsWith(fullName(start)))
        .map((pair) => pair.slice(fullName("").length).split("=", 1).join()),
    write,
    erase: (name) => write(name, "", 0),
  };
}
