import { createPrivateKey, X509Certificate } from "node:crypto";
import { readFileSync } from "node:fs";
import { isIP } from "node:net";
import { createSecureContext } from "node:tls";
import { CannotStart } from "../basis/errors.ts";
import { isReadableByAll } from "../basis/file-rights.ts";
import { shellWord } from "../basis/terminal-lines.ts";
import { type ValidTime, validTimeOf } from "../process/certificate-ageing.ts";

/** Paths of the certificate chain and its private key, both PEM. */
export interface CertificateFiles {
  /** The server's certificate first, then those that lead to the authority's. */
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** A certificate chain with its private key, found to fit each other. */
export interface Certificate extends ValidTime {
  /** PEM. */
  readonly chain: Buffer;
  /** PEM. */
  readonly key: Buffer;
  /** What to do about a key file that all users of the machine can read; `undefined` where they cannot. */
  readonly openKeyAdvice: string | undefined;
  /** Whether it covers a host name or an IP address. */
  covers(host: string): boolean;
}

/**
 * Reads both files.
 * @throws CannotStart (exit code 78) when one cannot be read, is not PEM, or when they do not belong together.
 */
export function readCertificate({ certificateFile, keyFile }: CertificateFiles): Certificate {
  const chain = contentOf(certificateFile, "tls-certificate-file");
  const key = contentOf(keyFile, "tls-key-file");
  const leaf = made(
    () => new X509Certificate(chain),
    `${certificateFile} (tls-certificate-file) holds no PEM certificate`,
  );
  const privateKey = made(
    () => createPrivateKey(key),
    `${keyFile} (tls-key-file) holds no PEM private key without a passphrase`,
  );
  if (!leaf.checkPrivateKey(privateKey))
    throw refused(`${keyFile} (tls-key-file) is not the key of the first certificate in ${certificateFile}`);
  made(() => createSecureContext({ cert: chain, key }), `${certificateFile} (tls-certificate-file) cannot be served`);
  return {
    chain,
    key,
    ...validTimeOf(leaf),
    openKeyAdvice: openKeyAdvice(keyFile),
    covers(host) {
      const address = host.replace(/^\[|\]$/g, "");
      if (isIP(address) !== 0) return leaf.checkIP(address) !== undefined;
      // Browsers ignore names in the subject (RFC 9525).
      return leaf.checkHost(host, { subject: "never" }) !== undefined;
    },
  };
}

/** The public hostnames, of these origins, that it does not cover. */
export const uncovered = (certificate: Certificate, origins: readonly string[]): readonly string[] =>
  [...new Set(origins.map((origin) => new URL(origin).hostname))].filter((hostname) => !certificate.covers(hostname));

function contentOf(path: string, setting: string): Buffer {
  try {
    return readFileSync(path);
  } catch (cause) {
    throw refused(`${path} (${setting}) cannot be read (${(cause as NodeJS.ErrnoException).code})`, cause);
  }
}

const openKeyAdvice = (keyFile: string): string | undefined =>
  isReadableByAll(keyFile)
    ? `${keyFile} (tls-key-file) can be read by all users. Run: chmod o= ${shellWord(keyFile)}`
    : undefined;

function made<T>(make: () => T, otherwise: string): T {
  try {
    return make();
  } catch (cause) {
    throw refused(otherwise, cause);
  }
}

const refused = (sentence: string, cause?: unknown) =>
  new CannotStart(`${sentence}. Give the PEM files of one certificate chain and its key.`, { exitCode: 78, cause });
