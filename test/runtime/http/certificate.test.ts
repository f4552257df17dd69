import { execFileSync } from "node:child_process";
import { X509Certificate } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { type CertificateFiles, readCertificate } from "../../../src/runtime/http/certificate.ts";
import { type CertificateAuthority, openCertificateAuthority } from "../../support/certificate-authority.ts";
import { opensslPart } from "../../support/certificates.ts";
import { describeWith } from "../../support/optional-part.ts";
import { withScope } from "../../support/scope.ts";

const NO_CERTIFICATE = "-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n";

describeWith(opensslPart(), "the files of a certificate", () =>
  withScope((closeLater) => {
    let authority: CertificateAuthority;
    let good: CertificateFiles;

    beforeAll(async () => {
      authority = await openCertificateAuthority(closeLater);
      good = authority.issue("good", ["sign-on.example", "*.tenants.example", "192.0.2.7", "2001:db8::7"]);
    });

    it("are read with the certificate's end", () => {
      const inDays = (readCertificate(good).expiresAt.getTime() - Date.now()) / 86_400_000;
      expect(Math.round(inDays)).toBe(30);
    });

    it.each([
      ["sign-on.example", true],
      ["SIGN-ON.example", true],
      ["acme.tenants.example", true],
      ["192.0.2.7", true],
      ["[2001:db8::7]", true],
      ["evil.example", false],
      ["a.b.tenants.example", false],
      ["192.0.2.8", false],
      ["not read", false],
    ])("say whether they cover %s: %s", (host, covered) => {
      expect(readCertificate(good).covers(host)).toBe(covered);
    });

    it("do not cover a name that the subject alone has (RFC 9525)", () => {
      const at = (name: string) => join(authority.folder, name);
      const curve = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"];
      const named = ["-subj", "/CN=intranet.example", "-addext", "subjectAltName=IP:192.0.2.7"];
      const files = ["-keyout", at("subject.key"), "-out", at("subject.pem")];
      execFileSync("openssl", ["req", "-x509", ...curve, ...named, ...files], { stdio: "ignore" });
      const { covers } = readCertificate({ certificateFile: at("subject.pem"), keyFile: at("subject.key") });
      expect(["192.0.2.7", "intranet.example"].map(covers)).toEqual([true, false]);
    });

    const file = (name: string, content: string) => {
      const path = join(authority.folder, name);
      writeFileSync(path, content);
      return path;
    };

    it.each<[string, () => CertificateFiles, RegExp]>([
      [
        "a chain that is not there",
        () => ({ ...good, certificateFile: "/nowhere.pem" }),
        /\/nowhere\.pem \(tls-certificate-file\) cannot be read \(ENOENT\)/,
      ],
      [
        "a key that is not there",
        () => ({ ...good, keyFile: "/nowhere.key" }),
        /\/nowhere\.key \(tls-key-file\) cannot be read \(ENOENT\)/,
      ],
      ["a folder", () => ({ ...good, keyFile: authority.folder }), /cannot be read \(EISDIR\)/],
      ["an empty chain", () => ({ ...good, certificateFile: file("empty", "") }), /holds no PEM certificate/],
      ["words for a key", () => ({ ...good, keyFile: file("words", "a key") }), /holds no PEM private key/],
      [
        "the two exchanged",
        () => ({ certificateFile: good.keyFile, keyFile: good.certificateFile }),
        /holds no PEM certificate/,
      ],
      [
        "the key of another",
        () => ({ ...good, keyFile: authority.issue("other", ["x.example"]).keyFile }),
        /is not the key of the first certificate/,
      ],
      [
        "a chain whose second certificate is none",
        () => ({ ...good, certificateFile: file("torn", `${firstOf(good)}${NO_CERTIFICATE}`) }),
        /torn \(tls-certificate-file\) cannot be served/,
      ],
      ["a key with a passphrase", () => ({ ...good, keyFile: lockedKey() }), /without a passphrase/],
    ])("are refused by one sentence when they are %s", (_, files, sentence) => {
      expect(() => readCertificate(files())).toThrow(sentence);
      expect(() => readCertificate(files())).toThrow(expect.objectContaining({ exitCode: 78 }));
      expect(() => readCertificate(files())).toThrow(/Give the PEM files of one certificate chain and its key\.$/);
    });

    const firstOf = ({ certificateFile }: CertificateFiles): string =>
      new X509Certificate(readFileSync(certificateFile)).toString();

    function lockedKey(): string {
      const path = join(authority.folder, "locked.key");
      execFileSync("openssl", ["pkcs8", "-topk8", "-in", good.keyFile, "-out", path, "-passout", "pass:sesame"]);
      return path;
    }
  }),
);
