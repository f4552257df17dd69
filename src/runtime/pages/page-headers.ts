import { hash } from "node:crypto";
import { assets } from "./assets.ts";

/** Options of a page's headers beyond the common set. */
interface PageHeaderOptions<C extends string> {
  /** Addresses besides this origin that a form's answer may redirect to; each made by `formTarget`. */
  readonly formTargets?: readonly string[];
  /** The one script that the page may run; made by `scriptSource` or `scriptAddress`. None by default. */
  readonly script?: string | undefined;
  /** `no-store` by default: pages of a sign-in have tokens of forms and names of people. */
  readonly cacheControl?: C;
}

// A scheme, or a scheme with host and port (CSP3 §2.3.1). Anything else could end the directive and begin another.
const SOURCE = /^[a-z][a-z0-9+.-]*:(\/\/[a-z0-9.-]+(:\d{1,5})?)?$/;

/**
 * The headers of a page: it loads only our own stylesheet and icon, runs no script but one that is named, cannot
 * be framed, and does not send its address to other sites. Names in lower case.
 * @throws RangeError when a form target or the script is not a source that `formTarget`, `scriptSource` or
 * `scriptAddress` makes.
 */
export function pageHeaders<const C extends string = "no-store">({
  formTargets = [],
  script,
  cacheControl,
}: PageHeaderOptions<C> = {}) {
  for (const target of formTargets) if (!SOURCE.test(target)) throw new RangeError(`Not a form target: ${target}`);
  // Chrome applies form-action to the answer of a form too: the redirect from the login form to the application would
  // be blocked without the
  // application's origin here. Firefox checks the first address only.
  if (script !== undefined && !SCRIPT_SOURCE.test(script)) throw new RangeError(`Not a script source: ${script}`);
  const scriptSrc = script === undefined ? "" : ` script-src ${script};`;
  const formAction = [...new Set(["'self'", ...formTargets])].join(" ");
  return {
    "content-security-policy": `default-src 'none'; style-src 'self';${scriptSrc} img-src 'self'; base-uri 'none'; form-action ${formAction}; frame-ancestors 'none'`,
    "x-frame-options": "DENY",
    // Not no-referrer: with that, browsers send "Origin: null" with our own forms, and the origin check could not
    // distinguish them.
    "referrer-policy": "same-origin",
    "x-content-type-options": "nosniff",
    "cache-control": cacheControl ?? ("no-store" as C),
  };
}

/**
 * The narrowest source that lets a form's answer lead to this address: `https:` as a whole (the application's page may redirect further,
 * and Chrome checks each step), the origin of plain http, the scheme of a native application (R-S15).
 * @throws TypeError when the address cannot be parsed.
 */
export function formTarget(address: string): string {
  const { protocol, hostname, origin } = new URL(address);
  if (protocol !== "http:") return protocol;
  // A source cannot name an IPv6 address (CSP3 §2.3.1), so [::1] takes the whole scheme.
  return hostname.startsWith("[") ? protocol : origin;
}

const SCRIPT_SOURCE =
  /^(?:'sha256-[A-Za-z0-9+/]{43}='|https?:\/\/[a-z0-9.-]+(?::\d{1,5})?\/assets\/[a-z]+-[0-9a-f]{12}\.js)$/;

/** The source that lets an inline script of just these characters run (CSP3 §2.3.1). */
export const scriptSource = (script: string): string => `'sha256-${hash("sha256", script, "base64")}'`;

/**
 * The source that lets the script of our pages run, by its whole address: no other file of this origin. `undefined` for
 * an IPv6 address, which a source cannot name (CSP3 §2.3.1); the script does not run there.
 * @param origin of the pages.
 */
export function scriptAddress(origin: string): string | undefined {
  const source = `${origin}${assets.script.href}`;
  return SCRIPT_SOURCE.test(source) ? source : undefined;
}

/** The headers of a page that is not cached. */
export type PageHeaders = ReturnType<typeof pageHeaders<"no-store">>;
