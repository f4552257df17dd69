import { pageHeaders } from "#runtime/pages/page-headers.ts";

/**
 * Content security policy of a drawn page: it may run this origin's scripts and fetch from this origin. Redoc makes its
 * style rules at run time in an element that it adds empty; the second source is the digest of empty content. So no
 * page needs a nonce, and no inline style is applied (R-X77). The one `style` attribute that Redoc writes is named by
 * its digest too.
 */
export const DRAWN_PAGE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "connect-src 'self'",
  "style-src 'self' 'sha256-47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU='",
  "style-src-attr 'unsafe-hashes' 'sha256-ZqhM5xQOj0Og/l+8qEbc5F5YYumTdWvc5mtn7dECFuE='",
  "img-src 'self' data:",
  "font-src data:",
  "base-uri 'none'",
  "form-action 'none'",
];

/** The headers of a page that a script of ours draws. Names in lower case. */
export const drawnPageHeaders = () => ({
  ...pageHeaders(),
  "content-security-policy": [...DRAWN_PAGE_POLICY, "frame-ancestors 'none'"].join("; "),
});
