import { readFileSync } from "node:fs";
import type { OutgoingHttpHeaders } from "node:http";

export interface Reply {
  readonly status: number;
  readonly headers?: OutgoingHttpHeaders;
  readonly body?: string | Buffer;
}

/**
 * Headers of every answer. They allow nothing from other origins and nothing inline, so even unescaped text could not
 * run. Browsers ask `form-action` about each redirect that follows a form, and the one for signing out leads to the
 * issuer.
 */
export const securityHeaders = (issuer: string): OutgoingHttpHeaders => ({
  "content-security-policy": `default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self' ${new URL(issuer).origin}; base-uri 'none'; frame-ancestors 'none'`,
  "x-content-type-options": "nosniff",
  "referrer-policy": "same-origin",
  "cache-control": "no-store",
});

export const page = (body: string, status = 200, headers: OutgoingHttpHeaders = {}): Reply => ({
  status,
  headers: { "content-type": "text/html; charset=utf-8", ...headers },
  body,
});

export const json = (body: unknown): Reply => ({
  status: 200,
  headers: { "content-type": "application/json" },
  body: JSON.stringify(body),
});

/** Lines for a terminal. */
export const text = (lines: readonly string[]): Reply => ({
  status: 200,
  headers: { "content-type": "text/plain; charset=utf-8" },
  body: lines.map((line) => `${line}\n`).join(""),
});

export const redirect = (status: 302 | 303, location: string, cookies: string[]): Reply => ({
  status,
  headers: { location, "set-cookie": cookies },
});

/** A file of public/, read once at the start. */
export function asset(name: string, contentType: string): () => Reply {
  const body = readFileSync(new URL(`../public/${name}`, import.meta.url));
  return () => ({ status: 200, headers: { "content-type": contentType, "cache-control": "no-cache" }, body });
}
