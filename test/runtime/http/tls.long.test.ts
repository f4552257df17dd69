import { once } from "node:events";
import { chmodSync, copyFileSync, writeFileSync } from "node:fs";
import { Agent } from "node:https";
import { connect as connectPlain } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { type ConnectionOptions, connect, type TLSSocket } from "node:tls";
import { systemClock } from "../../../src/runtime/basis/clock.ts";
import { type CertificateFiles, readCertificate } from "../../../src/runtime/http/certificate.ts";
import { certificateRenewal } from "../../../src/runtime/http/certificate-renewal.ts";
import type { HealthCheck } from "../../../src/runtime/process/lifecycle.ts";
import { superviseLoops } from "../../../src/runtime/process/loop.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { type CertificateAuthority, openCertificateAuthority } from "../../support/certificate-authority.ts";
import { opensslPart } from "../../support/certificates.ts";
import { standingClock } from "../../support/clock.ts";
import { eventually } from "../../support/eventually.ts";
import { call } from "../../support/http.ts";
import { describeWith } from "../../support/optional-part.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { withScope } from "../../support/scope.ts";
import { type StubEdge, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
const TIMEOUTS = {
  requestMs: 15_000,
  headersMs: 1_500,
  keepAliveMs: 72_000,
  proxyKeepAliveMs: 72_000,
  checkEveryMs: 50,
  takeMs: 2_000,
  restMs: 100,
};

describeWith(opensslPart(), "the public listener with a certificate of its own", () =>
  withScope((closeLater) => {
    let authority: CertificateAuthority;
    let files: CertificateFiles;
    let edge: StubEdge;

    beforeAll(async () => {
      authority = await openCertificateAuthority(closeLater);
    });

    beforeEach(async () => {
      files = authority.issue("served", ["127.0.0.1"]);
      edge = await startStubEdge({ certificate: readCertificate(files), timeouts: TIMEOUTS });
      closeLater(() => edge.stop(0));
    });

    const agent = (keepAlive = false) => {
      const made = new Agent({ keepAlive, ca: authority.certificate });
      closeLater(async () => made.destroy());
      return made;
    };
    const get = (by = agent()) => call(edge.url, LIST, { headers: { "x-api-key": "x" }, agent: by });

    /** A handshake; what the server showed, or the error's code. */
    const handshake = async (options: ConnectionOptions = {}): Promise<TLSSocket | string> => {
      const socket = connect({ host: "127.0.0.1", port: edge.port, ca: authority.certificate, ...options });
      closeLater(async () => void socket.destroy());
      const failed = once(socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code ?? "");
      return Promise.race([once(socket, "secureConnect").then(() => socket), failed]);
    };
    const serial = async () => ((await handshake()) as TLSSocket).getPeerCertificate().serialNumber;

    it("answers over TLS as it does without", async () => {
      const answer = await get();
      expect([answer.status, answer.headers.get("content-type")]).toEqual([200, "application/json"]);
    });

    it("sends browsers Strict-Transport-Security with every answer (RFC 6797)", async () => {
      const answers = [await get(), await call(edge.url, "/nowhere", { agent: agent() })];
      expect(answers.map(({ headers }) => headers.get("strict-transport-security"))).toEqual([
        "max-age=31536000",
        "max-age=31536000",
      ]);
    });

    it.each([
      ["bytes that are no request", "nonsense\r\n\r\n"],
      ["CONNECT", "CONNECT a.example:443 HTTP/1.1\r\nhost: a.example:443\r\n\r\n"],
    ])("sends it with the answer to %s too, and what else every answer has", async (__, bytes) => {
      const socket = (await handshake()) as TLSSocket;
      socket.write(bytes);
      const [answer] = (await once(socket.setEncoding("utf8"), "data")) as [string];
      expect(answer).toMatch(/^HTTP\/1\.1 400 /);
      expect(answer).toContain("\r\nstrict-transport-security: max-age=31536000\r\n");
      expect(answer).toContain("\r\nx-content-type-options: nosniff\r\n");
      expect(answer).toMatch(/\r\ndate: \w{3}, \d\d \w{3} \d{4} \d\d:\d\d:\d\d GMT\r\n/);
    });

    it.each(["TLSv1.2", "TLSv1.3"] as const)("speaks %s, and HTTP/1.1 within", async (version) => {
      const socket = await handshake({ minVersion: version, maxVersion: version, ALPNProtocols: ["h2", "http/1.1"] });
      expect([(socket as TLSSocket).getProtocol(), (socket as TLSSocket).alpnProtocol]).toEqual([version, "http/1.1"]);
    });

    it("does not speak TLS 1.1 (RFC 8996)", async () => {
      const old = { minVersion: "TLSv1.1", maxVersion: "TLSv1.1", ciphers: "DEFAULT@SECLEVEL=0" } as const;
      expect(await handshake(old)).toMatch(/^(ERR_SSL_|ECONNRESET)/);
    });

    describe("with a key of RSA, by TLS 1.2 (RFC 9325 §4.1, R-X126)", () => {
      let other: StubEdge;
      const by12 = (ciphers: string): ConnectionOptions => ({
        port: other.port,
        maxVersion: "TLSv1.2",
        ciphers: `${ciphers}:@SECLEVEL=0`,
      });

      beforeEach(async () => {
        files = authority.issue("rsa", ["127.0.0.1"], { days: 30, rsaBits: 2_048 });
        const started = await startStubEdge({ certificate: readCertificate(files), timeouts: TIMEOUTS });
        closeLater(() => started.stop(0));
        other = started;
      });

      it.each(["ECDHE-RSA-AES128-GCM-SHA256", "ECDHE-RSA-AES256-GCM-SHA384", "ECDHE-RSA-CHACHA20-POLY1305"])(
        "speaks %s",
        async (suite) => {
          expect(((await handshake(by12(suite))) as TLSSocket).getCipher().name).toBe(suite);
        },
      );

      it.each([
        ["a key that opens what was recorded before", ["kRSA"]],
        ["CBC, or SHA-1", ["ECDHE-RSA-AES256-SHA384", "ECDHE-RSA-AES128-SHA256", "ECDHE-RSA-AES128-SHA"]],
      ])("speaks no suite with %s, with a renewed certificate neither", async (_, suites) => {
        const before = await Promise.all(suites.map((suite) => handshake(by12(suite))));
        other.renew(readCertificate(files));
        const after = await Promise.all(suites.map((suite) => handshake(by12(suite))));
        expect([...before, ...after].map(String).filter((code) => !code.startsWith("ERR_SSL_"))).toEqual([]);
      });

      it("refuses to begin a connection's handshake again (RFC 9325 §3.5)", async () => {
        const options = by12("ECDHE-RSA-AES128-GCM-SHA256");
        const socket = (await handshake(options)) as TLSSocket;
        const refused = once(socket, "error").then(([error]) => (error as NodeJS.ErrnoException).code);
        const again = new Promise((resolve) => socket.renegotiate({}, (error) => error ?? resolve("begun again")));
        expect(await Promise.race([again, refused])).toBe("ERR_SSL_NO_RENEGOTIATION");
        expect(((await handshake(options)) as TLSSocket).getProtocol()).toBe("TLSv1.2");
      });
    });

    it("ends a connection that speaks plain HTTP, and a silent one, and continues", async () => {
      const [plain, silent] = [connectPlain(edge.port, "127.0.0.1"), connectPlain(edge.port, "127.0.0.1")];
      plain.on("error", () => undefined);
      silent.on("error", () => undefined);
      plain.write("GET / HTTP/1.1\r\nhost: x\r\n\r\n");
      await Promise.all([plain, silent].map((socket) => once(socket.resume(), "close")));
      expect((await get()).status).toBe(200);
    });

    it("does not leave a client that goes on to take its answer, however long that lasts (R-X61)", async () => {
      const text = JSON.stringify("x".repeat(32 * 1024 * 1024));
      const headers = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };
      const slow = await startStubEdge({
        certificate: readCertificate(files),
        handlers: { listInstanceIntegrations: async () => ({ status: 200, headers, body: text }) },
        // Longer than a busy machine keeps client and server from their turn.
        timeouts: { ...TIMEOUTS, takeMs: 4_000 },
      });
      closeLater(() => slow.stop(0));
      const client = connect({ host: "127.0.0.1", port: slow.port, ca: authority.certificate });
      client.on("error", () => undefined);
      closeLater(async () => void client.destroy());
      client.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nx-api-key: x\r\nconnection: close\r\n\r\n`);
      let bytes = 0;
      // All of it takes some seconds more than after which a client that takes nothing is left.
      for await (const piece of client) {
        bytes += (piece as Buffer).length;
        await sleep(12);
      }
      expect(bytes).toBeGreaterThan(text.length);
    });

    it("gives a client that reads slowly all of its answer, though it stops meanwhile (F45)", async () => {
      const text = JSON.stringify("x".repeat(48 * 1024 * 1024));
      const headers = { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" };
      const slow = await startStubEdge({
        certificate: readCertificate(files),
        handlers: { listInstanceIntegrations: async () => ({ status: 200, headers, body: text }) },
      });
      closeLater(() => slow.stop(0));
      const client = connect({ host: "127.0.0.1", port: slow.port, ca: authority.certificate });
      client.on("error", () => undefined).pause();
      client.write(`GET ${LIST} HTTP/1.1\r\nHost: 127.0.0.1:${slow.port}\r\nx-api-key: x\r\n\r\n`);
      // The answer is made, and most of it is not sent.
      await once(client, "readable");
      const stopping = slow.stop(60_000);
      const pieces: Buffer[] = [];
      client.on("data", (piece: Buffer) => void pieces.push(piece)).resume();
      await once(client, "close");
      await stopping;
      const received = Buffer.concat(pieces);
      expect(received.length - received.indexOf("\r\n\r\n") - 4).toBe(text.length);
    });

    it("stops at once during an unfinished handshake, and lets a running request finish", async () => {
      const entered = Promise.withResolvers<void>();
      const leaving = Promise.withResolvers<void>();
      const busy = await startStubEdge({
        certificate: readCertificate(files),
        handlers: {
          listInstanceIntegrations: async () => {
            entered.resolve();
            await leaving.promise;
            return {
              status: 200,
              headers: { "cache-control": "private, no-cache", etag: '"1-x"', vary: "x-api-key, Accept-Encoding" },
              body: [],
            };
          },
        },
      });
      const half = connectPlain(busy.port, "127.0.0.1");
      half.on("error", () => undefined);
      await once(half, "connect");
      const answering = call(busy.url, LIST, { headers: { "x-api-key": "x" }, agent: agent() });
      await entered.promise;
      const stopping = busy.stop(60_000);
      await once(half.resume(), "close");
      leaving.resolve();
      expect((await answering).status).toBe(200);
      await expect(stopping).resolves.toBeUndefined();
    });

    describe("whose files change", () => {
      let check: HealthCheck;
      const trouble = async () => check.check();
      let log: ReturnType<typeof recordedLog>;
      let metrics: ReturnType<typeof createMetrics>;

      /** Without `now` time goes on: a certificate that is issued a second later is valid then. */
      const watch = (now?: Date) => {
        log = recordedLog();
        metrics = createMetrics();
        const served = readCertificate(files);
        const clock = now === undefined ? systemClock : standingClock(now);
        const parts = { files, served, server: edge, clock, log, metrics, lookEveryMs: 10 };
        const renewal = certificateRenewal(parts);
        ({ check } = renewal);
        const loops = superviseLoops([renewal.loop], { log, metrics });
        closeLater(loops.stop);
      };

      it("serves the new certificate to new connections, and keeps the old connections", async () => {
        watch();
        const before = await serial();
        const kept = agent(true);
        await get(kept);
        authority.issue("served", ["127.0.0.1"], { days: 90 });
        const after = await eventually(serial, (shown) => shown !== before);
        expect(after).not.toBe(before);
        expect((await get(kept)).status).toBe(200);
        expect(log.lines.map(({ sentence }) => sentence)).toContain("The certificate was renewed.");
        const ends = Math.floor(readCertificate(files).expiresAt.getTime() / 1000);
        expect(await metrics.metrics()).toContain(`gatehouse_tls_certificate_expiry_seconds ${ends}`);
      });

      it("serves the previous certificate while the files are wrong, is degraded, and recovers (R-X126)", async () => {
        watch();
        const before = await serial();
        const good = authority.issue("good", ["127.0.0.1"]);
        writeFileSync(files.certificateFile, "half a certificate");
        expect(await eventually(trouble, (said) => said !== undefined)).toMatch(/holds no PEM certificate/);
        expect(check.degrades).toBe(true);
        expect(await serial()).toBe(before);
        copyFileSync(good.certificateFile, files.certificateFile);
        expect(await eventually(trouble, (said) => said?.includes("not the key") === true)).toMatch(/not the key/);
        expect(await serial()).toBe(before);
        copyFileSync(good.keyFile, files.keyFile);
        expect(await eventually(trouble, (said) => said === undefined)).toBeUndefined();
        expect(await serial()).not.toBe(before);
      });

      it.each([
        [8, undefined],
        [6, /^expires at .*: renew tls-certificate-file$/],
        [-1, /^has expired: renew tls-certificate-file$/],
        [31, /^is not valid before .*: renew tls-certificate-file$/],
      ])("is degraded in the last week of a certificate: with %i days left", async (days, said) => {
        const { expiresAt } = readCertificate(files);
        watch(new Date(expiresAt.getTime() - days * 86_400_000));
        expect((await trouble()) ?? "").toMatch(said ?? /^$/);
      });

      it.each([
        [8, undefined],
        [6, "The certificate that is served expires soon."],
        [-1, "The certificate that is served has expired: clients refuse it."],
        [31, "The certificate that is served is not valid yet: clients refuse it."],
      ])("says so in the log, once: with %i days left (R-X126)", async (days, sentence) => {
        const { expiresAt } = readCertificate(files);
        watch(new Date(expiresAt.getTime() - days * 86_400_000));
        writeFileSync(files.keyFile, "half a key");
        await eventually(trouble, (said) => said?.includes("no PEM private key") === true);
        const warnings = log.lines.filter(({ level }) => level === "warn").map((line) => line.sentence);
        const unusable = "The certificate files cannot be used; the previous certificate is still served.";
        expect(warnings).toEqual([...(sentence === undefined ? [] : [sentence]), unusable]);
      });

      it.each([
        [0o604, 1],
        [0o640, 0],
        [0o600, 0],
      ])("says once when all users can read the key, and takes it (R-X401): mode %o", async (mode, times) => {
        chmodSync(files.keyFile, mode);
        watch();
        const before = await serial();
        const found = authority.issue("served", ["127.0.0.1"], { days: 90 });
        chmodSync(found.keyFile, mode);
        expect(await eventually(serial, (shown) => shown !== before)).not.toBe(before);
        expect(log.lines.filter(({ sentence }) => sentence.includes("can be read by others"))).toEqual(
          Array.from({ length: times }, () => ({
            level: "warn",
            sentence: "The private key of the certificate can be read by others.",
            fields: { detail: expect.stringMatching(/can be read by all users\. Run: chmod o= \S+key/) },
          })),
        );
      });

      it("says it when the key becomes readable later", async () => {
        chmodSync(files.keyFile, 0o600);
        watch();
        const warnings = async () => log.lines.filter(({ level }) => level === "warn").map((line) => line.sentence);
        expect(await warnings()).toEqual([]);
        chmodSync(files.keyFile, 0o644);
        expect(await eventually(warnings, (said) => said.length > 0)).toEqual([
          "The private key of the certificate can be read by others.",
        ]);
      });

      it("serves the previous certificate in place of one that has expired, or is not valid yet (R-X126)", async () => {
        const { expiresAt } = readCertificate(files);
        watch(new Date(expiresAt.getTime() - 10 * 86_400_000));
        const before = await serial();
        authority.issue("served", ["127.0.0.1"], { days: 2 });
        const said = await eventually(trouble, (now) => now?.includes("expired") === true);
        expect(said).toMatch(/^The certificate in .*chain\.pem has expired: renew tls-certificate-file\.$/);
        expect(await serial()).toBe(before);
      });
    });
  }),
);
