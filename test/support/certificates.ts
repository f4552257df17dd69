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

/** A certificate for a DNS name, vouched for by itself. */
export const selfSigned = (name: string): Certificate => make(name, undefined);

/** One that the issuer vouches for. */
export const issuedBy = (issuer: Certificate, name: string): Certificate => make(name, issuer);

function make(name: string, issuer: Certificate | undefined): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "gh-tls-"));
  const at = (file: string) => join(folder, file);
  try {
    const isAuthority = issuer === undefined ? "TRUE" : "FALSE";
    writeFileSync(
      at("openssl.cnf"),
      `[req]\ndistinguished_name=dn\nx509_extensions=ext\nprompt=no\n[dn]\nCN=${name}\n[ext]\nsubjectAltName=DNS:${name}\nbasicConstraints=critical,CA:${isAuthority}\n`,
    );
    const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    if (issuer !== undefined) {
      writeFileSync(at("issuer.pem"), issuer.cert);
      writeFileSync(at("issuer-key.pem"), issuer.key);
      args.push("-CA", at("issuer.pem"), "-CAkey", at("issuer-key.pem"));
    }
    const files = ["-keyout", at("key.pem"), "-out", at("cert.pem"), "-config", at("openssl.cnf")];
    execFileSync("openssl", [...args, ...files], { stdio: "ignore" });
    return { key: readFileSync(at("key.pem"), "utf8"), cert: readFileSync(at("cert.pem"), "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
