import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OptionalPart } from "./optional-part.ts";

/** Both in PEM form. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

export function opensslPart(): OptionalPart {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return { name: "OpenSSL", missing: undefined };
  } catch {
    return { name: "OpenSSL", missing: "looked for the command openssl; install it with: apt-get install openssl" };
  }
}

export interface CertificateOptions {
  /** For how long; 2 unless given. One of 0 days has expired, and vouches for itself. */
  readonly days?: number;
  /** Of an RSA key; one of a curve unless given. */
  readonly rsaBits?: number;
}

/** A certificate for DNS names and IP addresses, vouched for by itself; it may vouch for others. */
export const selfSigned = (names: string | readonly string[], options?: CertificateOptions): Certificate =>
  make([names].flat(), undefined, options);

/** One that the issuer vouches for. */
export const issuedBy = (
  issuer: Certificate,
  names: string | readonly string[],
  options?: CertificateOptions,
): Certificate => make([names].flat(), issuer, options);

function make(
  names: readonly string[],
  issuer: Certificate | undefined,
  { days = 2, rsaBits }: CertificateOptions = {},
): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "gh-tls-"));
  const at = (file: string) => join(folder, file);
  try {
    const isAuthority = issuer === undefined ? "TRUE" : "FALSE";
    const spoken = names.map((name) => `${/^[\d.]+$|:/.test(name) ? "IP" : "DNS"}:${name}`).join(",");
    writeFileSync(
      at("openssl.cnf"),
      `[req]\ndistinguished_name=dn\nx509_extensions=ext\nprompt=no\n[dn]\nCN=${issuer === undefined ? names[0] : "not read"}\n[ext]\nsubjectAltName=${spoken}\nbasicConstraints=critical,CA:${isAuthority}\n`,
    );
    const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1"];
    const key = rsaBits === undefined ? curve : ["-newkey", `rsa:${rsaBits}`];
    const args = ["req", "-x509", ...key, "-nodes", "-days", String(days || 1)];
    if (issuer !== undefined) {
      writeFileSync(at("issuer.pem"), issuer.cert);
      writeFileSync(at("issuer-key.pem"), issuer.key);
      args.push("-CA", at("issuer.pem"), "-CAkey", at("issuer-key.pem"));
    }
    const files = ["-keyout", at("key.pem"), "-out", at("cert.pem"), "-config", at("openssl.cnf")];
    execFileSync("openssl", [...args, ...files], { stdio: "ignore" });
    // The first command makes none that has expired.
    const again = ["x509", "-in", at("cert.pem"), "-signkey", at("key.pem"), "-days", "0", "-out", at("cert.pem")];
    if (days === 0) execFileSync("openssl", again, { stdio: "ignore" });
    return { key: readFileSync(at("key.pem"), "utf8"), cert: readFileSync(at("cert.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
