import { X509Certificate } from "node:crypto";
import { existsSync, readFileSync } from "node:fs";
import { isReadableByAll } from "../basis/file-rights.ts";
import { shellWord } from "../basis/terminal-lines.ts";
import { type ValidTime, validTimeOf } from "../process/certificate-ageing.ts";

/**
 * What to do about the key that proves us to the server (`sslkey` of the URL) when all users of the machine can read it; nothing
 * when they cannot, and of a file that is not there, which is refused when the store is opened (R-X401).
 */
export function openClientKeyAdvice(url: string): string | undefined {
  const key = URL.parse(url)?.searchParams.get("sslkey");
  return key && existsSync(key) && isReadableByAll(key)
    ? `${key} (sslkey in store-url) can be read by all users. Run: chmod o= ${shellWord(key)}`
    : undefined;
}

/**
 * Of the certificate that proves us to the server (`sslcert` of the URL), as its file is now; `undefined` without one, and of a file
 * that cannot be used, which is refused when a connection is opened.
 */
export function clientCertificateTime(url: string): ValidTime | undefined {
  const path = URL.parse(url)?.searchParams.get("sslcert");
  if (!path) return undefined;
  try {
    return validTimeOf(new X509Certificate(readFileSync(path)));
  } catch {
    return undefined;
  }
}
