import type { IncomingMessage, ServerResponse } from "node:http";
import { setImmediate as nextTurn, setTimeout as sleep } from "node:timers/promises";
import { gzipSync } from "node:zlib";
import { eventually } from "../../support/eventually.ts";
import { withScope } from "../../support/scope.ts";
import { attemptSenderFor, attemptTo, networks, serveHttp, serveTcp } from "./attempt-sender-kit.ts";

describe("sending an attempt (R-E6, R-E7)", () => {
  withScope((closeLater) => {
    const at = (port: number, path = "/in") => `http://127.0.0.1:${port}${path}`;

    it("posts exactly the bytes and the headers that were claimed (R-E13)", async () => {
      const body = Buffer.from('{ "b" : 1, "a": "ü" }\n');
      const seen: { method?: string; url?: string; headers?: unknown; body?: Buffer } = {};
      const endpoint = await serveHttp(closeLater, async (request, response) => {
        seen.method = request.method ?? "";
        seen.url = request.url ?? "";
        seen.headers = request.headers;
        seen.body = Buffer.concat(await request.toArray());
        response.writeHead(200).end("thanks");
      });
      const result = await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port, "/in?x=1%20"), body));
      expect(result).toEqual({
        outcome: "acknowledged",
        httpStatus: 200,
        durationMs: expect.any(Number),
        retryAfter: undefined,
        responseExcerpt: Buffer.from("thanks"),
      });
      expect(seen).toEqual({
        method: "POST",
        url: "/in?x=1%20",
        body,
        headers: {
          host: `127.0.0.1:${endpoint.port}`,
          connection: "keep-alive",
          "content-type": "application/json",
          "user-agent": "Gatehouse/1.2.3",
          "webhook-id": "event_x",
          "accept-encoding": "identity",
          "content-length": String(body.length),
        },
      });
    });

    it.each([
      [200, "acknowledged"],
      [201, "acknowledged"],
      [204, "acknowledged"],
      [299, "acknowledged"],
      [304, "redirect"],
      [400, "refused"],
      [404, "refused"],
      [410, "gone"],
      [429, "refused"],
      [500, "refused"],
      [503, "refused"],
    ])("%i means %s", async (status, outcome) => {
      const endpoint = await serveHttp(closeLater, (_, response) => response.writeHead(status).end());
      const result = await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)));
      expect(result).toMatchObject({ outcome, httpStatus: status });
    });

    it.each([301, 302, 303, 307, 308])(
      "does not follow a %i, not even to a permitted address (S46, W13)",
      async (status) => {
        const target = await serveHttp(closeLater, (_, response) => response.end());
        const endpoint = await serveHttp(closeLater, (_, response) =>
          response.writeHead(status, { location: at(target.port) }).end(),
        );
        const attemptSender = attemptSenderFor(closeLater);
        expect(await attemptSender.send(attemptTo(at(endpoint.port)))).toMatchObject({
          outcome: "redirect",
          httpStatus: status,
        });
        expect(target.connections).toBe(0);
        // The pipe is open: asked directly, the target answers.
        expect(await attemptSender.send(attemptTo(at(target.port)))).toMatchObject({ outcome: "acknowledged" });
      },
    );

    it("returns Retry-After as it came, at most 64 characters and the first of several", async () => {
      const answers: (string | string[])[] = ["120", "x".repeat(100), ["7", "8"]];
      const endpoint = await serveHttp(closeLater, (_, response) => {
        response.statusCode = 429;
        response.setHeader("retry-after", answers.shift() ?? "").end();
      });
      const attemptSender = attemptSenderFor(closeLater);
      const told: unknown[] = [];
      for (let asked = 0; asked < 3; asked++)
        told.push((await attemptSender.send(attemptTo(at(endpoint.port)))).retryAfter);
      expect(told).toEqual(["120", "x".repeat(64), "7"]);
    });

    it("reuses connections", async () => {
      const endpoint = await serveHttp(closeLater, (_, response) => response.end("ok"));
      const attemptSender = attemptSenderFor(closeLater);
      for (let sent = 0; sent < 10; sent++) await attemptSender.send(attemptTo(at(endpoint.port)));
      // One result arrives while its connection is being freed, hence a second one.
      expect(endpoint.connections).toBeLessThanOrEqual(2);
    });

    it.each([1, 10])(
      "follows a name to its new address within a minute, however busy its connections are, of at most %i (R-X415)",
      async (connections) => {
        const reached: (string | undefined)[] = [];
        const listener = (request: IncomingMessage, response: ServerResponse) => {
          reached.push(request.socket.localAddress);
          response.end();
        };
        const { port } = await serveHttp(closeLater, listener, "0.0.0.0");
        let address = "127.0.0.1";
        const resolve = async () => [{ address, family: 4 }];
        const attemptSender = attemptSenderFor(closeLater, { connections, resolve });
        const send = () => attemptSender.send(attemptTo(`http://moved.example:${port}/`));
        await send();
        // Until the connection is free again.
        await sleep(20);
        address = "127.0.0.2";
        const later = Date.now() + 61_000;
        jest.spyOn(Date, "now").mockImplementation(() => later);
        await send();
        jest.restoreAllMocks();
        expect(reached).toEqual(["127.0.0.1", "127.0.0.2"]);
      },
    );

    it("opens no more connections to one origin than its limit, and still sends all", async () => {
      const endpoint = await serveHttp(closeLater, async (_, response) => {
        await sleep(10);
        response.end();
      });
      const attemptSender = attemptSenderFor(closeLater, { connections: 3 });
      const results = await Promise.all(
        Array.from({ length: 20 }, () => attemptSender.send(attemptTo(at(endpoint.port)))),
      );
      expect(results.map(({ outcome }) => outcome)).toEqual(results.map(() => "acknowledged"));
      expect(endpoint.connections).toBeLessThanOrEqual(3);
    });

    it("ignores a proxy of the environment (S46, W15)", async () => {
      const proxy = await serveHttp(closeLater, (_, response) => response.writeHead(502).end());
      const endpoint = await serveHttp(closeLater, (_, response) => response.end());
      const before = { ...process.env };
      Object.assign(process.env, {
        HTTP_PROXY: at(proxy.port, ""),
        http_proxy: at(proxy.port, ""),
        NODE_USE_ENV_PROXY: "1",
        NO_PROXY: "",
      });
      try {
        expect(await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)))).toMatchObject({
          outcome: "acknowledged",
        });
        expect(proxy.connections).toBe(0);
      } finally {
        process.env = before;
      }
    });

    describe("to an endpoint that misbehaves (S47, F26–F40, W16)", () => {
      it("ends at the deadline when no answer comes", async () => {
        const endpoint = await serveHttp(closeLater, () => undefined);
        const result = await attemptSenderFor(closeLater, { timeoutMs: 200 }).send(attemptTo(at(endpoint.port)));
        expect(result).toMatchObject({ outcome: "timeout", httpStatus: undefined });
      });

      const dripping = (status: number) =>
        serveHttp(closeLater, (_, response) => {
          response.writeHead(status);
          const drops = setInterval(() => response.write("."), 20);
          response.on("close", () => clearInterval(drops));
        });

      it.each([500, 302, 410])("ends at the deadline when the body of a %i drips", async (status) => {
        const endpoint = await dripping(status);
        const result = await attemptSenderFor(closeLater, { timeoutMs: 1_500 }).send(attemptTo(at(endpoint.port)));
        expect(result).toMatchObject({ outcome: "timeout", httpStatus: status });
        expect(result.responseExcerpt.length).toBeGreaterThan(2);
      });

      it.each([
        ["the deadline is near", 200, 1_500],
        ["the deadline is far", 206, 60_000],
      ])(
        "is acknowledged by a 2xx whose body drips, when %s (spec §6 rule 6, R-X308)",
        async (_, status, timeoutMs) => {
          const endpoint = await dripping(status);
          const result = await attemptSenderFor(closeLater, { timeoutMs }).send(attemptTo(at(endpoint.port)));
          expect(result).toMatchObject({ outcome: "acknowledged", httpStatus: status });
          expect(result.responseExcerpt.length).toBeGreaterThan(2);
        },
      );

      it("keeps no connection of an answer that drips: the next attempt finds a place (R-X308)", async () => {
        let drips = true;
        const endpoint = await serveHttp(closeLater, (_, response) => {
          if (!drips) return void response.end("ok");
          drips = false;
          response.writeHead(200).write(".");
        });
        const attemptSender = attemptSenderFor(closeLater, { timeoutMs: 60_000, connections: 1 });
        const both = [
          attemptSender.send(attemptTo(at(endpoint.port))),
          attemptSender.send(attemptTo(at(endpoint.port))),
        ];
        expect((await Promise.all(both)).map(({ outcome }) => outcome)).toEqual(["acknowledged", "acknowledged"]);
        expect(endpoint.connections).toBe(2);
      });

      it("ends at the deadline when the headers drip", async () => {
        const endpoint = await serveTcp(closeLater, (socket) => {
          socket.write("HTTP/1.1 200 OK\r\n");
          const dripping = setInterval(() => socket.write("x-drip: 1\r\n"), 20);
          socket.on("close", () => clearInterval(dripping));
        });
        const result = await attemptSenderFor(closeLater, { timeoutMs: 300 }).send(attemptTo(at(endpoint.port)));
        expect(result).toMatchObject({ outcome: "timeout", httpStatus: undefined });
      });

      it("hangs up on an endless body after 64 KiB and keeps 4 KiB; the status counts (R-X42)", async () => {
        let written = 0;
        const closed = Promise.withResolvers<void>();
        const endpoint = await serveHttp(closeLater, (_, response) => {
          response.writeHead(200);
          const chunk = Buffer.alloc(16 * 1024, "a");
          const more = () => {
            while (response.write(chunk)) written += chunk.length;
          };
          response.on("drain", more).on("close", closed.resolve);
          more();
        });
        const result = await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)));
        expect(result).toMatchObject({
          outcome: "acknowledged",
          httpStatus: 200,
          responseExcerpt: Buffer.alloc(4_096, "a"),
        });
        await closed.promise;
        expect(written).toBeLessThan(16 * 1024 * 1024);
      });

      const CHUNKED = "transfer-encoding: chunked\r\n\r\n";

      it.each([
        ["interim answers", "", "HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", "protocol"],
        ["empty lines", "", "\r\n", "protocol"],
        ["the first line", "HTTP/1.1 200 ", "x", "protocol"],
        ["a header", "HTTP/1.1 200 OK\r\nx:", " ", "protocol"],
        ["the extension of a chunk", `HTTP/1.1 410 Gone\r\n${CHUNKED}1;`, "x", "gone"],
        ["the length of a chunk", `HTTP/1.1 302 Found\r\n${CHUNKED}`, "0", "redirect"],
      ])(
        "hangs up on an answer that does not end; its status counts once it has come (R-E7, R-X42): %s",
        async (_, begun, more, outcome) => {
          const closed = Promise.withResolvers<void>();
          const endless = Buffer.from(more.repeat(Math.ceil(65_536 / more.length)));
          const endpoint = await serveTcp(closeLater, (socket) => {
            const goOn = () => {
              while (!socket.destroyed && socket.write(endless));
            };
            socket.once("data", () => {
              socket.write(begun);
              goOn();
            });
            socket.on("drain", goOn).on("close", () => closed.resolve());
          });
          const attemptSender = attemptSenderFor(closeLater, { timeoutMs: 60_000 });
          expect(await attemptSender.send(attemptTo(at(endpoint.port)))).toMatchObject({ outcome });
          await closed.promise;
        },
      );

      it("refuses headers beyond 16 KiB", async () => {
        const endpoint = await serveTcp(closeLater, (socket) => {
          socket.once("data", () =>
            socket.end(`HTTP/1.1 200 OK\r\n${`x-a: ${"b".repeat(1_000)}\r\n`.repeat(1_000)}\r\n`),
          );
        });
        const result = await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)));
        expect(result).toMatchObject({ outcome: "protocol", httpStatus: undefined });
      });

      it.each([
        ["no HTTP at all", "SSH-2.0-OpenSSH_9.2\r\n\r\n", "protocol"],
        ["a status that is none", "HTTP/1.1 9999 Odd\r\n\r\n", "protocol"],
        ["a status below all classes", "HTTP/1.1 042 Odd\r\ncontent-length: 0\r\n\r\n", "protocol"],
        ["a body shorter than it promised", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc", "connection"],
        ["only a closed connection", "", "connection"],
        ["two lengths", "HTTP/1.1 200 OK\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab", "protocol"],
        ["an upgrade", "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: x\r\n\r\n", "connection"],
      ])("treats %s as a failure", async (_, answer, outcome) => {
        const endpoint = await serveTcp(closeLater, (socket) => void socket.once("data", () => socket.end(answer)));
        expect(await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)))).toMatchObject({ outcome });
      });

      it("skips interim answers", async () => {
        const endpoint = await serveTcp(closeLater, (socket) => {
          const answer =
            "HTTP/1.1 103 Early Hints\r\nlink: </x>\r\nretry-after: 5\r\n\r\nHTTP/1.1 503 No\r\ncontent-length: 0\r\n\r\n";
          socket.once("data", () => socket.end(answer));
        });
        expect(await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)))).toMatchObject({
          outcome: "refused",
          httpStatus: 503,
          retryAfter: undefined,
        });
      });

      it.each([
        ["one", ["HTTP/1.1 100 Continue\r\n\r\n"]],
        ["one with fields", ["HTTP/1.1 100 Continue\r\nserver: x\r\n\r\n"]],
        ["several", ["HTTP/1.1 100 Continue\r\n\r\nHTTP/1.0 100\r\n\r\n"]],
        ["one behind early hints", ["HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n", "HTTP/1.1 100 Continue\r\n\r\n"]],
        ["one in pieces", ["HTT", "P/1.1 100", " Continue\r", "\n\r", "\n"]],
      ])(
        "passes over 100 Continue that it did not ask for, as over every interim answer (R-X375): %s",
        async (_, pieces) => {
          const endpoint = await serveTcp(closeLater, (socket) => {
            socket.setNoDelay();
            socket.on("data", async (data: Buffer) => {
              if (!data.includes('{"a":1}')) return;
              for (const piece of pieces) {
                socket.write(piece);
                await nextTurn();
              }
              socket.write("HTTP/1.1 201 Created\r\ncontent-length: 21\r\n\r\nHTTP/1.1 100 Continue");
            });
          });
          const sender = attemptSenderFor(closeLater, { connections: 1 });
          for (let count = 0; count < 2; count++) {
            const { outcome, httpStatus, responseExcerpt } = await sender.send(attemptTo(at(endpoint.port)));
            expect([outcome, httpStatus, responseExcerpt.toString()]).toEqual([
              "acknowledged",
              201,
              "HTTP/1.1 100 Continue",
            ]);
          }
          expect(endpoint.connections).toBe(1);
        },
      );

      it("hangs up on 100 Continue without an end (R-X375)", async () => {
        const endpoint = await serveTcp(closeLater, (socket) => {
          socket.once("data", () => socket.write("HTTP/1.1 100 Continue\r\n\r\n".repeat(1_000)));
        });
        expect(await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)))).toMatchObject({
          outcome: "connection",
          httpStatus: undefined,
        });
      });

      it("does not inflate a compressed answer that it did not ask for (W16)", async () => {
        const bomb = gzipSync(Buffer.alloc(1_000_000));
        const endpoint = await serveHttp(closeLater, (_, response) =>
          response.writeHead(200, { "content-encoding": "gzip" }).end(bomb),
        );
        const { responseExcerpt } = await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)));
        expect(responseExcerpt.equals(bomb.subarray(0, 4_096))).toBe(true);
      });

      it.each([
        ["before an answer", ""],
        ["in the middle of one", "HTTP/1.1 200 OK\r\ncontent-length: 10\r\n\r\nabc"],
      ])("treats a reset %s as a failure of the connection", async (_, begun) => {
        const endpoint = await serveTcp(closeLater, (socket) => {
          socket.once("data", () => {
            socket.write(begun);
            setTimeout(() => socket.resetAndDestroy(), 20);
          });
        });
        expect(await attemptSenderFor(closeLater).send(attemptTo(at(endpoint.port)))).toMatchObject({
          outcome: "connection",
        });
      });

      it("treats a closed port as a failure of the connection", async () => {
        const endpoint = await serveTcp(closeLater, () => undefined);
        const attemptSender = attemptSenderFor(closeLater);
        expect(await attemptSender.send(attemptTo(`http://127.0.0.2:${endpoint.port}/`))).toMatchObject({
          outcome: "connection",
        });
      });

      it("does not delay attempts to another endpoint", async () => {
        const stuck = await serveHttp(closeLater, () => undefined);
        const quick = await serveHttp(closeLater, (_, response) => response.end());
        const attemptSender = attemptSenderFor(closeLater, { connections: 2, timeoutMs: 1_500 });
        const ended: string[] = [];
        const waiting = Array.from({ length: 10 }, async () =>
          ended.push((await attemptSender.send(attemptTo(at(stuck.port)))).outcome),
        );
        expect(await attemptSender.send(attemptTo(at(quick.port)))).toMatchObject({ outcome: "acknowledged" });
        expect(ended).toEqual([]);
        await Promise.all(waiting);
        expect(ended).toEqual(waiting.map(() => "timeout"));
      });

      it("sends nothing when the deadline passed before there was a connection", async () => {
        let requests = 0;
        const endpoint = await serveHttp(closeLater, (_, response) => {
          requests++;
          response.end();
        });
        const late = async () => {
          await sleep(300);
          return [{ address: "127.0.0.1", family: 4 }];
        };
        const attemptSender = attemptSenderFor(closeLater, { timeoutMs: 100, resolve: late });
        const url = `http://slow-name.example:${endpoint.port}/`;
        expect(await attemptSender.send(attemptTo(url))).toMatchObject({ outcome: "timeout" });
        await eventually(
          async () => endpoint.connections,
          (connections) => connections > 0,
        );
        await sleep(50);
        expect([endpoint.connections, requests]).toEqual([1, 0]);
      });
    });

    describe("to forbidden addresses (R-E11)", () => {
      it.each([
        ["http://127.0.0.1:PORT/"],
        ["http://127.1:PORT/"],
        ["http://2130706433:PORT/"],
        ["http://0x7f000001:PORT/"],
        ["http://[::ffff:127.0.0.1]:PORT/"],
        ["http://internal.example:PORT/"],
        ["http://localhost.:PORT/"],
      ])("opens no connection to %s", async (url) => {
        const endpoint = await serveHttp(closeLater, (_, response) => response.end());
        const attemptSender = attemptSenderFor(closeLater, { allowedNetworks: [] });
        const attempt = attemptTo(url.replace("PORT", String(endpoint.port)));
        expect(await attemptSender.send(attempt)).toMatchObject({ outcome: "address", httpStatus: undefined });
        expect(endpoint.connections).toBe(0);
        // The pipe is open: the switch lets the same attempt through.
        expect(await attemptSenderFor(closeLater).send(attempt)).toMatchObject({ outcome: "acknowledged" });
      });

      it("opens none when one of several answers is forbidden (R-X20)", async () => {
        const endpoint = await serveHttp(closeLater, (_, response) => response.end(), "127.0.0.2");
        const answers = ["127.0.0.2", "10.0.0.1"].map((address) => ({ address, family: 4 }));
        const allowedNetworks = networks("127.0.0.2");
        const url = `http://mixed.example:${endpoint.port}/`;
        const mixed = attemptSenderFor(closeLater, { allowedNetworks, resolve: async () => answers });
        expect(await mixed.send(attemptTo(url))).toMatchObject({ outcome: "address" });
        expect(endpoint.connections).toBe(0);
        const clean = attemptSenderFor(closeLater, { allowedNetworks, resolve: async () => answers.slice(0, 1) });
        expect(await clean.send(attemptTo(url))).toMatchObject({ outcome: "acknowledged" });
      });

      it("resolves a name once per connection and dials that answer, so a changing answer cannot fool it", async () => {
        const inside = await serveHttp(closeLater, (_, response) => response.end(), "127.0.0.1");
        const outside = await serveHttp(
          closeLater,
          (_, response) => response.writeHead(200, { connection: "close" }).end(),
          "127.0.0.2",
        );
        const answers = ["127.0.0.2", "127.0.0.1", "127.0.0.1", "127.0.0.2"];
        let asked = 0;
        const attemptSender = attemptSenderFor(closeLater, {
          allowedNetworks: networks("127.0.0.2"),
          resolve: async () => [{ address: answers[asked++] ?? "", family: 4 }],
        });
        const outcomes: string[] = [];
        for (const port of [outside.port, outside.port, inside.port, outside.port]) {
          outcomes.push((await attemptSender.send(attemptTo(`http://flips.example:${port}/`))).outcome);
        }
        expect(outcomes).toEqual(["acknowledged", "address", "address", "acknowledged"]);
        expect([inside.connections, outside.connections, asked]).toEqual([0, 2, 4]);
      });

      it("a forbidden port: nothing is sent, even to one that was subscribed before (S44, R-X141)", async () => {
        const endpoint = await serveHttp(closeLater, (_, response) => response.end());
        const { port } = endpoint;
        const elsewhere = attemptSenderFor(closeLater, { allowedPorts: [{ first: port + 1, last: port + 1 }] });
        expect(await elsewhere.send(attemptTo(`http://127.0.0.1:${port}/`))).toMatchObject({ outcome: "address" });
        expect(await attemptSenderFor(closeLater).send(attemptTo("http://127.0.0.1:25/"))).toMatchObject({
          outcome: "address",
        });
        expect(endpoint.connections).toBe(0);
        expect(await attemptSenderFor(closeLater).send(attemptTo(`http://127.0.0.1:${port}/`))).toMatchObject({
          outcome: "acknowledged",
        });
      });

      it("sends nothing over http without the development switch", async () => {
        const endpoint = await serveHttp(closeLater, (_, response) => response.end());
        const attemptSender = attemptSenderFor(closeLater, { allowHttp: false });
        expect(await attemptSender.send(attemptTo(at(endpoint.port)))).toMatchObject({ outcome: "address" });
        expect(endpoint.connections).toBe(0);
      });

      it("gives a name without an address a failure class of its own", async () => {
        const refuse = async () => {
          throw Object.assign(new Error("queryA ENOTFOUND"), { code: "ENOTFOUND" });
        };
        const url = attemptTo("http://nowhere.example/");
        expect(await attemptSenderFor(closeLater, { resolve: refuse }).send(url)).toMatchObject({ outcome: "dns" });
        expect(await attemptSenderFor(closeLater, { resolve: async () => [] }).send(url)).toMatchObject({
          outcome: "dns",
        });
      });

      it.each(["", "not a url", "ftp://x.example/", "file:///etc/passwd"])("survives the URL %j", async (url) => {
        expect((await attemptSenderFor(closeLater).send(attemptTo(url))).outcome).not.toBe("acknowledged");
      });
    });
  });
});
