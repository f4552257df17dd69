import { execFile } from "node:child_process";
import { createServer } from "node:https";
import { createServer as createTcpServer } from "node:net";
import { duplexPair } from "node:stream";
import tls, { TLSSocket, type TlsOptions } from "node:tls";
import { promisify } from "node:util";
import { type Certificate, opensslPart, selfSigned } from "../../support/certificates.ts";
import { describeWith } from "../../support/optional-part.ts";
import { type Closer, withScope } from "../../support/scope.ts";
import { attemptSenderFor, attemptTo, serve } from "./attempt-sender-kit.ts";

describeWith(opensslPart(), "sending over TLS", () => {
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

    it("verifies the certificate for the endpoint's name, though it dials an address", async () => {
      const attempt = await serveTls(closeLater, right);
      const result = await attemptSenderFor(closeLater, { trusted: right.cert, allowHttp: false }).send(attempt);
      expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: 200 });
      expect(result.responseExcerpt.toString()).toBe(`${new URL(attempt.endpointUrl).host} hooks.example`);
    });

    it("tells a server its name without the full stop that an endpoint may have (RFC 6066 §3)", async () => {
      const { endpointUrl } = await serveTls(closeLater, right);
      const attempt = attemptTo(endpointUrl.replace("hooks.example:", "hooks.example.:"));
      const result = await attemptSenderFor(closeLater, { trusted: right.cert, allowHttp: false }).send(attempt);
      expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: 200 });
      expect(result.responseExcerpt.toString()).toMatch(/ hooks\.example$/);
    });

    it("gives a server without a name none: an address is no name (RFC 6066 §3)", async () => {
      const ofAddress = selfSigned("127.0.0.1");
      const { endpointUrl } = await serveTls(closeLater, ofAddress);
      const attempt = attemptTo(endpointUrl.replace("hooks.example:", "127.0.0.1:"));
      const result = await attemptSenderFor(closeLater, { trusted: ofAddress.cert, allowHttp: false }).send(attempt);
      expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: 200 });
      expect(result.responseExcerpt.toString()).toMatch(/ false$/);
    });

    it("refuses a certificate without a trusted authority", async () => {
      const attempt = await serveTls(closeLater, right);
      expect(await attemptSenderFor(closeLater).send(attempt)).toMatchObject({ outcome: "tls" });
    });

    it("refuses it also when the environment turns verification off (W22)", async () => {
      const { endpointUrl } = await serveTls(closeLater, right);
      // A process of its own: the variable counts from the start only.
      const program = `
        import { attemptSender } from "./src/webhooks/sending/attempt-sender.ts";
        import { parseNetwork } from "./src/webhooks/endpoints/public-address.ts";
        const made = attemptSender({
          timeoutMs: 8000, connectTimeoutMs: 8000, connections: 1, allowHttp: false, allowedPorts: [],
          allowedNetworks: [parseNetwork("127.0.0.1")],
          resolverAnswers: async () => true,
          resolve: async () => [{ address: "127.0.0.1", family: 4 }],
        });
        const { outcome } = await made.send({ endpointUrl: ${JSON.stringify(endpointUrl)}, headers: [], body: Buffer.from("{}") });
        console.log(outcome);
        await made.close();`;
      const env = { ...process.env, NODE_TLS_REJECT_UNAUTHORIZED: "0", NODE_NO_WARNINGS: "1" };
      const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", program], { env });
      expect(stdout.trim()).toBe("tls");
    });

    it("refuses a certificate for another name", async () => {
      const wrong = selfSigned("other.example");
      const attempt = await serveTls(closeLater, wrong);
      expect(await attemptSenderFor(closeLater, { trusted: wrong.cert }).send(attempt)).toMatchObject({
        outcome: "tls",
      });
    });

    it("refuses a certificate whose key is too short, and says that TLS failed", async () => {
      const weak = selfSigned("hooks.example", { rsaBits: 1_024 });
      const attempt = await serveTls(closeLater, weak, { ciphers: "DEFAULT:@SECLEVEL=0" });
      expect(await attemptSenderFor(closeLater, { trusted: weak.cert }).send(attempt)).toMatchObject({
        outcome: "tls",
      });
    });

    it.each(["TLSv1.2", "TLSv1.3"] as const)(
      "says that TLS failed where the server wants a certificate of ours, by %s",
      async (version) => {
        const wanting: TlsOptions = {
          requestCert: true,
          rejectUnauthorized: true,
          minVersion: version,
          maxVersion: version,
        };
        const attempt = await serveTls(closeLater, right, wanting);
        const sender = attemptSenderFor(closeLater, { trusted: right.cert });
        expect(await sender.send(attempt)).toMatchObject({ outcome: "tls", httpStatus: undefined });
      },
    );

    it("takes a whole answer, though a broken record of TLS comes right behind it", async () => {
      const server = createTcpServer((raw) => {
        const [inner, outer] = duplexPair();
        const secured = new TLSSocket(inner, { isServer: true, ...right });
        let behind = Buffer.alloc(0);
        raw.pipe(outer);
        outer.on("data", (chunk: Buffer) => raw.write(Buffer.concat([chunk, behind])));
        for (const one of [raw, secured]) one.on("error", () => undefined);
        secured.once("data", () => {
          behind = Buffer.from([0x17, 3, 3, 0, 32, ...Buffer.alloc(32)]);
          secured.write("HTTP/1.1 200 OK\r\ncontent-length: 4\r\n\r\ndone");
        });
      });
      const { port } = await serve(closeLater, server, "127.0.0.1");
      const sender = attemptSenderFor(closeLater, { trusted: right.cert });
      const result = await sender.send(attemptTo(`https://hooks.example:${port}/`));
      expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: 200 });
      expect(result.responseExcerpt.toString()).toBe("done");
    });

    it("refuses TLS below 1.2, though the process would accept it (W22)", async () => {
      const old: TlsOptions = { minVersion: "TLSv1", maxVersion: "TLSv1.1", ciphers: "ALL:@SECLEVEL=0" };
      const attempt = await serveTls(closeLater, right, old);
      const before = { version: tls.DEFAULT_MIN_VERSION, ciphers: tls.DEFAULT_CIPHERS };
      tls.DEFAULT_MIN_VERSION = "TLSv1";
      tls.DEFAULT_CIPHERS = "ALL:@SECLEVEL=0";
      try {
        expect(await attemptSenderFor(closeLater, { trusted: right.cert }).send(attempt)).toMatchObject({
          outcome: "tls",
        });
      } finally {
        tls.DEFAULT_MIN_VERSION = before.version;
        tls.DEFAULT_CIPHERS = before.ciphers;
      }
    });
  });
});
