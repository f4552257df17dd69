import { execFileSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { OptionalPart } from "./optional-part.ts";
import type { Closer } from "./scope.ts";

/** A private authority, as a company or a test lab has one. */
export interface CertificateAuthority {
  /** PEM, for those who are to trust it. */
  readonly certificate: string;
  readonly folder: string;
  /** A certificate with its key; the files of that name are replaced. */
  issue(name: string, hosts: readonly string[], options?: { readonly days?: number }): IssuedCertificate;
}

export interface IssuedCertificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

/** What makes certificates. */
export function opensslPart(): OptionalPart {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return { name: "openssl", missing: undefined };
  } catch {
    return { name: "openssl", missing: "there is none on the PATH; install it with: apt-get install openssl" };
  }
}

export async function openCertificateAuthority(closeLater: (closer: Closer) => void): Promise<CertificateAuthority> {
  const folder = await mkdtemp(join(tmpdir(), "gh-ca-"));
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const openssl = (...words: readonly string[]) =>
    execFileSync("openssl", words, { cwd: folder, encoding: "utf8", stdio: ["ignore", "pipe", "ignore"] });
  const key = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-noenc"];
  const authority = ["-x509", "-subj", "/CN=Harbour test authority", "-days", "30"];
  openssl("req", ...authority, ...key, "-keyout", "authority.key", "-out", "authority.pem");
  const certificate = openssl("x509", "-in", "authority.pem");
  return {
    certificate,
    folder,
    issue(name, hosts, { days = 30 } = {}) {
      const names = hosts.map((host) => `${/^[\d.]+$|:/.test(host) ? "IP" : "DNS"}:${host}`).join(",");
      mkdirSync(join(folder, name), { recursive: true });
      const [certificateFile, keyFile] = ["chain.pem", "key.pem"].map((file) => join(folder, name, file)) as [
        string,
        string,
      ];
      const signed = ["-x509", "-CA", "authority.pem", "-CAkey", "authority.key", "-subj", "/CN=not read"];
      const what = [
        "-days",
        String(days),
        "-addext",
        `subjectAltName=${names}`,
        "-addext",
        "basicConstraints=critical,CA:FALSE",
      ];
      const leaf = openssl("req", ...signed, ...what, ...key, "-keyout", keyFile);
      writeFileSync(certificateFile, `${leaf}${certificate}`);
      return { certificateFile, keyFile };
    },
  };
}
