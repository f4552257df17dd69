import { isIPv6 } from "node:net";

/** A host as addresses have it: an IPv6 address is in brackets there (RFC 3986 §3.2.2). */
export const urlHost = (host: string): string => (isIPv6(host) ? `[${host}]` : host);
