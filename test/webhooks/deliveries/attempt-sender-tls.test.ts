import { execFileSync } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createServer } from "node:https";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TlsOptions } from "node:tls";
import { describeWith } from "../../support/optional-part.ts";
import { type Closer, withScope } from "../../support/scope.ts";
import { attemptTo, senderFor, serve } from "./sender-kit.ts";

interface Certificate {
  readonly key: string;
  readonly cert: string;
}

function opensslMissing(): string | undefined {
  try {
    execFileSync("openssl", ["version"], { stdio: "ignore" });
    return undefined;
  } catch {
    return "looked for the command openssl; install it with: apt-get install openssl";
  }
}

/** A self-signed certificate for a name. */
function selfSigned(name: string): Certificate {
  const folder = mkdtempSync(join(tmpdir(), "gh-tls-"));
  try {
    const [key, cert, config] = ["key.pem", "cert.pem", "openssl.cnf"].map((file) => join(folder, file)) as [
      string,
      string,
      string,
    ];
    writeFileSync(
      config,
      `[req]\ndistinguished_name=dn\nx509_extensions=ext\nprompt=no\n[dn]\nCN=${name}\n[ext]\nsubjectAltName=DNS:${name}\nbasicConstraints=critical,CA:TRUE\n`,
    );
    const args = ["req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes", "-days", "2"];
    execFileSync("openssl", [...args, "-keyout", key, "-out", cert, "-config", config], { stdio: "ignore" });
    return { key: readFileSync(key, "utf8"), cert: readFileSync(cert, "utf8") };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

describeWith({ name: "OpenSSL", missing: opensslMissing() }, "sending over TLS", () => {
  withScope((closeLater) => {
    let right: Certificate;
    beforeAll(() => {
      right = selfSigned("hooks.example");
    });

    const serveTls = async (closer: (closer: Closer) => void, certificate: Certificate, more: TlsOptions = {}) => {
      const server = createServer({ ...certificate, ...more }, (request, response) =>
        response.end(`${request.headers.host} ${(request.socket as { servername?: string }).servername}`),
      );
      const { port } = await serve(closer, server, "127.0.0.1");
      return attemptTo(`https://hooks.example:${port}/`);
    };

    it("verifies the certificate for the name of the endpoint, though an address is dialled", async () => {
      const attempt = await serveTls(closeLater, right);
      const result = await senderFor(closeLater, { trusted: right.cert, allowHttp: false }).send(attempt);
      expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: 200 });
      expect(result.responseExcerpt.toString()).toBe(`${new URL(attempt.endpointUrl).host} hooks.example`);
    });

    it("refuses one that nobody vouches for, also when the environment says otherwise", async () => {
      const attempt = await serveTls(closeLater, right);
      const before = process.env.NODE_TLS_REJECT_UNAUTHORIZED;
      process.env.NODE_TLS_REJECT_UNAUTHORIZED = "0";
      try {
        expect(await senderFor(closeLater).send(attempt)).toMatchObject({ outcome: "tls" });
      } finally {
        if (before === undefined) delete process.env.NODE_TLS_REJECT_UNAUTHORIZED;
        else process.env.NODE_TLS_REJECT_UNAUTHORIZED = before;
      }
    });

    it("refuses one for another name", async () => {
      const wrong = selfSigned("other.example");
      const attempt = await serveTls(closeLater, wrong);
      expect(await senderFor(closeLater, { trusted: wrong.cert }).send(attempt)).toMatchObject({ outcome: "tls" });
    });

    it("refuses TLS below 1.2", async () => {
      const old: TlsOptions = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" };
      const attempt = await serveTls(closeLater, right, old);
      expect(await senderFor(closeLater, { trusted: right.cert }).send(attempt)).toMatchObject({ outcome: "tls" });
    });
  });
});
