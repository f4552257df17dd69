import { mkdirSync, writeFileSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type CertificateOptions, issuedBy, selfSigned } from "./certificates.ts";
import type { Closer } from "./scope.ts";

/** A private authority, as a company or a test lab has one; its certificates lie in files. */
export interface CertificateAuthority {
  /** PEM, for those who are to trust it. */
  readonly certificate: string;
  readonly folder: string;
  /** A certificate with its key, for 30 days by default; the files of that name are replaced. */
  issue(name: string, hosts: readonly string[], options?: CertificateOptions): IssuedCertificate;
}

export interface IssuedCertificate {
  readonly certificateFile: string;
  readonly keyFile: string;
}

export async function openCertificateAuthority(closeLater: (closer: Closer) => void): Promise<CertificateAuthority> {
  const folder = await mkdtemp(join(tmpdir(), "gh-ca-"));
  closeLater(() => rm(folder, { recursive: true, force: true }));
  const authority = selfSigned("authority.harbour.example", { days: 30 });
  return {
    certificate: authority.cert,
    folder,
    issue(name, hosts, options = { days: 30 }) {
      const { key, cert } = issuedBy(authority, hosts, options);
      const at = (file: string) => join(folder, name, file);
      mkdirSync(join(folder, name), { recursive: true });
      writeFileSync(at("key.pem"), key, { mode: 0o600 });
      writeFileSync(at("chain.pem"), `${cert}${authority.cert}`);
      return { certificateFile: at("chain.pem"), keyFile: at("key.pem") };
    },
  };
}
