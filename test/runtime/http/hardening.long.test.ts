import { once } from "node:events";
import { Agent, type IncomingMessage, request } from "node:http";
import { connect, type Socket } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { type CallInit, call, type RawOptions, sendRaw } from "../../support/http.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { type StubEdge, startStubEdge } from "../../support/stub-edge.ts";
import { workOf, workOfRounds } from "../../support/work.ts";

const LIST = "/v1/instance-integrations";
const CLIENTS = "/v1/instance-integrations/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients";
const TOKEN = "/auth/token";
const AUTHORIZE =
  "/auth/authorize?response_type=code&client_id=app_4tGJ9sWmQ2xZbL7NcR5Kd&redirect_uri=https%3A%2F%2Fa.example%2F&scope=openid";
const GRANT = { grant_type: "refresh_token", refresh_token: "x", client_id: "app_4tGJ9sWmQ2xZbL7NcR5Kd" };
const KEY = { "x-api-key": "x" };

describe("the public listener", () => {
  let edge: StubEdge;
  const log = recordedLog();

  beforeAll(async () => {
    edge = await startStubEdge({ log });
  });

  afterEach(async () => {
    // Whatever a test sent: the process lives, nothing of it was a fault of ours, and the next request is answered.
    const { status } = await call(edge.url, LIST, { headers: KEY });
    expect(status).toBe(200);
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  afterAll(() => edge.stop(0));

  const at = (path: string, init?: CallInit) => call(edge.url, path, init);

  /** Sends bytes and returns the one answer, which must keep the contract of a request without an operation. */
  const refusedRaw = async (
    bytes: string | Buffer | readonly (string | Buffer)[],
    { url = LIST, method = "GET", ...options }: RawOptions & { url?: string; method?: string } = {},
  ) => {
    const { answers, text } = await sendRaw(edge.url, bytes, options);
    expect({ answers: answers.length, text }).toMatchObject({ answers: 1 });
    const [answer] = answers;
    expect(answer).toMatchContract({ method, url, unrouted: true });
    expect(answer?.headers.get("connection")).toBe("close");
    return answer?.status;
  };

  describe("routes", () => {
    it.each([
      ["GET", LIST, { headers: KEY }, 200],
      ["GET", CLIENTS, { headers: KEY }, 200],
      ["GET", AUTHORIZE, {}, 200],
      ["POST", TOKEN, { json: GRANT }, 200],
      ["POST", TOKEN, { form: GRANT }, 200],
      ["GET", "/.well-known/openid-configuration", {}, 200],
      ["GET", "/", {}, 200],
    ])("%s %s to its operation", async (method, path, init, status) => {
      expect((await at(path, { method, ...init })).status).toBe(status);
    });

    it("gives each request an id of its own", async () => {
      const ids = (await Promise.all([at(LIST), at("/nowhere"), at("/")])).map(({ headers }) =>
        headers.get("x-request-id"),
      );
      expect(new Set(ids).size).toBe(3);
    });

    it("ignores a request id that the caller sends", async () => {
      const { headers } = await at(LIST, { headers: { ...KEY, "x-request-id": "mine-all-mine" } });
      expect(headers.get("x-request-id")).toMatch(/^req_/);
    });

    it("answers HEAD as GET without a body (RFC 9110 §9.3.2)", async () => {
      const whole = await at(LIST, { headers: KEY });
      const head = await at(LIST, { method: "HEAD", headers: KEY });
      expect([head.status, head.text, head.headers.get("content-length")]).toEqual([
        200,
        "",
        String(Buffer.byteLength(whole.text)),
      ]);
    });
  });

  describe("requests without an operation (R-D7)", () => {
    it.each([
      ["an unknown path", "/nowhere", 404],
      ["an unknown path below /v1", "/v1/nothing", 404],
      ["an unknown path below /auth", "/auth/nothing", 404],
      ["an unknown path below /.well-known", "/.well-known/nothing", 404],
      ["a trailing slash", `${LIST}/`, 404],
      ["a doubled slash", `/${LIST}`, 404],
      ["another case", LIST.toUpperCase(), 404],
      ["dots in the path", `/v1/../v1/instance-integrations`, 404],
      ["a path of two slashes", "//", 404],
    ])("answers %s", async (_, path, status) => {
      expect((await at(path)).status).toBe(status);
    });

    it.each(["DELETE", "PATCH", "POST", "PUT", "TRACE"])("answers %s with 405 and what is allowed", async (method) => {
      const gateway = await at(LIST, { method });
      const discovery = await at("/.well-known/openid-configuration", { method });
      expect([gateway.status, gateway.headers.get("allow"), discovery.status, discovery.headers.get("allow")]).toEqual([
        405,
        "GET, HEAD, OPTIONS",
        405,
        "GET, HEAD, OPTIONS",
      ]);
    });

    it("answers OPTIONS with 204 where the contract says so, with 405 elsewhere (R-X64, R-X114)", async () => {
      const paths = [LIST, "/.well-known/openid-configuration", TOKEN, "/auth/introspect", "/"];
      const answers = await Promise.all(paths.map((path) => at(path, { method: "OPTIONS" })));
      expect(answers.map(({ status, headers }) => [status, headers.get("allow")])).toEqual([
        [204, "GET, HEAD, OPTIONS"],
        [204, "GET, HEAD, OPTIONS"],
        [204, "OPTIONS, POST"],
        [405, "POST"],
        [405, "GET, HEAD"],
      ]);
    });

    it("answers GET and HEAD of what takes POST only with 405 (S31)", async () => {
      const statuses = [await at(TOKEN), await at(TOKEN, { method: "HEAD", contract: "unchecked" })].map(
        ({ status, headers }) => [status, headers.get("allow")],
      );
      expect(statuses).toEqual([
        [405, "OPTIONS, POST"],
        [405, "OPTIONS, POST"],
      ]);
    });

    it("answers an unknown method", async () => {
      expect(await refusedRaw(`BREW ${LIST} HTTP/1.1\r\nHost: x\r\n\r\n`)).toBe(400);
    });

    it.each([
      ["an address", TOKEN, 405, "OPTIONS, POST"],
      ["no address", "/nowhere", 404, null],
      ["a host", "localhost:80", 400, null],
    ])("answers CONNECT to %s, and logs it (R-X23)", async (_, target, status, allow) => {
      const logged = () => log.lines.flatMap(({ fields }) => (fields.method === "CONNECT" ? [fields.status] : []));
      const before = logged();
      const { answers } = await sendRaw(edge.url, `CONNECT ${target} HTTP/1.1\r\nHost: a\r\n\r\n`);
      const url = target.startsWith("/") ? target : "/";
      expect(answers.map((answer) => [answer.status, answer.headers.get("allow")])).toEqual([[status, allow]]);
      expect(answers[0]).toMatchContract({ method: "CONNECT", url, unrouted: true });
      expect(logged()).toEqual([...before, status]);
    });

    it.each(["PROPFIND", "PURGE", "SEARCH", "QUERY", "LOCK", "M-SEARCH"])(
      "answers %s, which no address offers, with 405 at an address and 404 elsewhere (R-X23)",
      async (method) => {
        const list = await at(LIST, { method });
        const below = await at(CLIENTS, { method });
        const withBody = await at(TOKEN, { method, json: GRANT });
        const elsewhere = await at("/nowhere", { method, json: GRANT });
        expect([list, below, withBody, elsewhere].map(({ status, headers }) => [status, headers.get("allow")])).toEqual(
          [
            [405, "GET, HEAD, OPTIONS"],
            [405, "GET, HEAD, OPTIONS"],
            [405, "OPTIONS, POST"],
            [404, null],
          ],
        );
      },
    );
  });

  describe("malformed targets (S40, R-X30)", () => {
    it.each([
      ["a path", `${LIST}/%E0%A4%A/clients`],
      ["a path below /auth", "/auth/%E0%A4%A"],
      ["a path below /.well-known", "/.well-known/%"],
      ["the root", "/%"],
      ["an operation's last segment", "/contracts/%ZZ"],
      ["overlong UTF-8", `${LIST}/%C0%AF/clients`],
      ["a lone surrogate", `${LIST}/%ED%A0%80/clients`],
    ])("answers malformed percent-encoding in %s with 400", async (_, path) => {
      expect((await at(path, { headers: KEY })).status).toBe(400);
    });

    it.each([
      ["the query of an operation that takes none", `${LIST}?a=%E0%A4%A`],
      ["a name in it", `${LIST}?%=a`],
      ["the query of an operation that judges its own", `${AUTHORIZE}&state=%E0%A4%A`],
    ])("answers malformed percent-encoding in %s with 400", async (_, path) => {
      expect((await at(path, { headers: KEY })).status).toBe(400);
    });

    it.each([
      ["a path", `${LIST}/%00/clients`],
      ["a query", `${AUTHORIZE}&state=a%00b`],
    ])("answers NUL in %s with 400: no database text contains one (S40, R-X26)", async (_, path) => {
      expect((await at(path, { headers: KEY })).status).toBe(400);
    });

    it("answers ids of another form with 400 (R-G13)", async () => {
      const ids = [
        "installation_x",
        "app_7Kq2mZx9Lw4TnB6RcV8Yd",
        "installation_7Kq2mZx9Lw4TnB6RcV8Y%C3%A9",
        "..",
        "a".repeat(200),
      ];
      const statuses = await Promise.all(ids.map((id) => at(`${LIST}/${id}/clients`, { headers: KEY })));
      expect(statuses.map(({ status }) => status)).toEqual([400, 400, 400, 400, 400]);
    });

    it("leaves longer ids to the contract like any other, so that the key is checked first (R-G2, R-G13)", async () => {
      const statuses = [201, 10_000].map((length) => at(`${LIST}/${"a".repeat(length)}/clients`, { headers: KEY }));
      expect((await Promise.all(statuses)).map(({ status }) => status)).toEqual([400, 400]);
    });

    it.each([
      ["a letter", "/%76%31/instance-integrations"],
      ["a letter of a page's address", AUTHORIZE.replace("authorize", "%61uthorize")],
      ["a hyphen", LIST.replace("-", "%2D")],
      ["a dot", "/%2Ewell-known/openid-configuration"],
    ])(
      "answers %s of an address that is percent-encoded with 404, as another spelling (R-X18, R-X151)",
      async (_, path) => {
        expect((await at(path, { headers: KEY, unrouted: true })).status).toBe(404);
      },
    );

    it("decodes percent-encoding within a parameter (R-X151)", async () => {
      expect((await at(CLIENTS.replace("installation_", "%69nstallation%5F"), { headers: KEY })).status).toBe(200);
    });

    it("ignores unknown query parameters (R-G9, R-S14), keys of prototypes too", async () => {
      const query = "?utm_source=x&__proto__=1&constructor[prototype][x]=1&=&&a";
      expect((await at(`${LIST}${query}`, { headers: KEY })).status).toBe(200);
    });
  });

  describe("ambiguous requests (S54)", () => {
    it.each([
      ["two Host headers", "GET", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n`],
      ["two equal Host headers", "GET", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nhost: a\r\n\r\n`],
      ["no Host header", "GET", `GET ${LIST} HTTP/1.1\r\n\r\n`],
      ["no Host header in HTTP/1.0", "GET", `GET ${LIST} HTTP/1.0\r\n\r\n`],
      ["an absolute-form target", "GET", `GET http://evil.example${LIST} HTTP/1.1\r\nHost: evil.example\r\n\r\n`],
      ["an absolute-form target of another scheme", "GET", `GET file:///etc/passwd HTTP/1.1\r\nHost: a\r\n\r\n`],
      ["an asterisk target", "OPTIONS", "OPTIONS * HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["a target without a slash", "GET", "GET v1 HTTP/1.1\r\nHost: a\r\n\r\n"],
      ["a fragment in the target", "GET", `GET ${LIST}#x HTTP/1.1\r\nHost: a\r\n\r\n`],
      ["a fragment after a query", "GET", `GET ${LIST}?a=b#x HTTP/1.1\r\nHost: a\r\n\r\n`],
      ...[
        ...["", "a b/@", "a,b", "a/b", "x@a", "a:", "a:0", "a:65536", "a:8x", "[::1", "[a]", "[::1]x"],
        ...["a%2Eb", ".", "a..b", "-a", "a-", ".a"],
      ].map((host): [string, string, string] => [
        `the host ${JSON.stringify(host)}`,
        "GET",
        `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\n\r\n`,
      ]),
      ["a bad host and a path that cannot be decoded", "GET", "GET /% HTTP/1.1\r\nHost: a b\r\n\r\n"],
      [
        "both Content-Length and Transfer-Encoding",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET / HTTP/1.1\r\nHost: a\r\n\r\n`,
      ],
      [
        "two Content-Lengths",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\nabcde`,
      ],
      [
        "a Content-Length that is no number",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 4x\r\n\r\nabcd`,
      ],
      [
        "an unknown Transfer-Encoding",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: cow\r\n\r\nabcd`,
      ],
      [
        "a Transfer-Encoding beside chunked",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n`,
      ],
      [
        "a second Transfer-Encoding",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: identity\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n`,
      ],
      [
        "a Transfer-Encoding of HTTP/1.0, whose connection stays open, before another request",
        "POST",
        `POST ${TOKEN} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\nGET ${LIST} HTTP/1.1\r\nHost: a\r\n\r\n`,
      ],
      ["HTTP/2.0 in the words of HTTP/1.1", "GET", `GET ${LIST} HTTP/2.0\r\nHost: a\r\n\r\n`],
      [
        "a chunk size that is no number",
        "POST",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\n`,
      ],
      ["a header line without a colon", "GET", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nnonsense\r\n\r\n`],
      ["a folded header", "GET", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: 1\r\n 2\r\n\r\n`],
      ["NUL in a header", "GET", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: a\0b\r\n\r\n`],
      ["a bare line feed", "GET", `GET ${LIST} HTTP/1.1\nHost: a\n\n`],
      ["no HTTP at all", "GET", "\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03"],
    ])("refuses %s with 400 and closes the connection", async (_, method, bytes) => {
      const isRead = /^(a|a second|an unknown) Transfer-Encoding/.test(_);
      const unread = bytes.includes(TOKEN) && !/chunk|Host: b/.test(_) ? "/" : LIST;
      const url = isRead ? TOKEN : unread;
      expect(await refusedRaw(bytes, { method, url })).toBe(400);
    });

    it.each([
      ["of HTTP/1.0 with a Transfer-Encoding", `POST ${TOKEN} HTTP/1.0\r\nHost: a\r\nConnection: keep-alive`],
      ["with two Host headers", `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nHost: b`],
      ["whose address cannot be decoded either", "POST /%zz HTTP/1.1\r\nHost: a\r\nHost: b"],
      [
        "whose Transfer-Encoding has gzip beside chunked",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip`,
      ],
    ])("runs no operation for what follows a request %s", async (_, head) => {
      let runs = 0;
      const counting = async () => {
        runs++;
        return { status: 200, body: [] };
      };
      const counted = await startStubEdge({ handlers: { listInstanceIntegrations: counting } });
      const next = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx-api-key: x\r\nConnection: close\r\n\r\n`;
      const bytes = `${head}\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n${next}`;
      const behind = await sendRaw(counted.url, bytes);
      const runsBehind = runs;
      const alone = await sendRaw(counted.url, next);
      await counted.stop(0);
      expect([behind, alone].map(({ answers }) => answers.map(({ status }) => status))).toEqual([[400], [200]]);
      expect([runsBehind, runs]).toEqual([0, 1]);
    });

    it("answers once where the address is malformed as well as the coding", async () => {
      const bytes = "POST /%zz HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: cow\r\n\r\nabcd";
      expect((await sendRaw(edge.url, bytes)).answers.map(({ status }) => status)).toEqual([400]);
    });

    it("refuses the body of an oversized chunked request that never ends", async () => {
      const head = `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n`;
      const chunk = `4000\r\n${"x".repeat(0x4000)}\r\n`;
      const { answers } = await sendRaw(edge.url, [head, chunk, chunk, chunk, chunk, chunk], { end: false });
      expect(answers[0]).toMatchContract({ method: "POST", url: TOKEN });
      expect(answers.map(({ status }) => status)).toEqual([413]);
    });

    it.each(["a", "a.example", "A.example:443", "a_b", "a-b.c--d.", "127.0.0.1:8080", "[::1]", "[2001:db8::7]:65535"])(
      "accepts the host %s (R-X150)",
      async (host) => {
        const { answers } = await sendRaw(edge.url, `GET ${LIST} HTTP/1.1\r\nHost: ${host}\r\nx-api-key: x\r\n\r\n`);
        expect(answers.map(({ status }) => status)).toEqual([200]);
      },
    );

    it("ignores an unknown expectation (R-X29)", async () => {
      expect((await at(LIST, { headers: { ...KEY, expect: "the unexpected" } })).status).toBe(200);
    });

    it("does not change protocols", async () => {
      const { status } = await at(LIST, { headers: { ...KEY, connection: "upgrade", upgrade: "websocket" } });
      expect(status).toBe(200);
    });

    it("refuses a CONNECT, or closes it without an answer", async () => {
      const { answers } = await sendRaw(
        edge.url,
        "CONNECT evil.example:443 HTTP/1.1\r\nHost: evil.example:443\r\n\r\n",
      );
      expect(answers.map(({ status }) => status).filter((status) => status < 400)).toEqual([]);
    });
  });

  describe("large requests (S40)", () => {
    it("refuses a body above 64 KiB with 413, whatever length it announces (R-X31)", async () => {
      const large = JSON.stringify({ ...GRANT, refresh_token: "x".repeat(65_536) });
      const said = await at(TOKEN, { body: large, headers: { "content-type": "application/json" } });
      const portal = await at("/nowhere", { body: large, headers: { "content-type": "application/json" } });
      expect([said.status, portal.status]).toEqual([413, 413]);
    });

    it.each([
      ["70 kB", 70_000],
      ["10 MB", 10_000_000],
    ])(
      "answers a client that is still sending a body of %s, every time, and keeps its connection (R-X31)",
      async (_, length) => {
        const agent = new Agent({ keepAlive: true, maxSockets: 1 });
        const half = Buffer.alloc(length / 2, "a");
        const answers = new Set<string>();
        for (let sent = 0; sent < 20; sent++) {
          const { promise, resolve } = Promise.withResolvers<string>();
          const headers = { "content-type": "application/json", "content-length": length };
          const asked = request(`${edge.url}${TOKEN}`, { method: "POST", agent, headers })
            .once("response", (answer) => resolve(`${answer.resume().statusCode} ${answer.socket.localPort}`))
            .once("error", (error: NodeJS.ErrnoException) => resolve(String(error.code)));
          asked.write(half, () => setImmediate(() => asked.end(half)));
          answers.add(await promise);
        }
        agent.destroy();
        expect([...answers]).toEqual([expect.stringMatching(/^413 \d+$/)]);
      },
    );

    it.each([
      ["64 KiB", 65_536, 1, 400],
      ["more", 65_537, 0, 413],
    ])(
      "asks a client that waits for leave to send %s only for what it takes (R-X31, RFC 9110 §10.1.1)",
      async (_, length, asks, status) => {
        const { promise, resolve, reject } = Promise.withResolvers<number | undefined>();
        const headers = { expect: "100-continue", "content-type": "text/odd", "content-length": length };
        let asked = 0;
        const call = request(`${edge.url}${TOKEN}`, { method: "POST", headers })
          .on("continue", () => {
            asked++;
            call.end(Buffer.alloc(length));
          })
          .once("response", (answer) => resolve(answer.resume().statusCode))
          .once("error", reject);
        call.flushHeaders();
        expect([await promise, asked]).toEqual([status, asks]);
        call.destroy();
      },
    );

    it("keeps no connection on which a body that was not asked for may still come (RFC 9110 §10.1.1)", async () => {
      const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
      const headers = { ...KEY, expect: "100-continue", "content-length": 10_000_000 };
      const agent = new Agent({ keepAlive: true });
      request(`${edge.url}${LIST}`, { agent, headers }).once("response", resolve).once("error", reject).flushHeaders();
      const answer = await promise;
      expect(answer.headers.connection).toBe("close");
      answer.resume();
      agent.destroy();
    });

    it.each([
      ["headers of 1 MB", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: ${"x".repeat(1_000_000)}\r\n\r\n`],
      [
        "10,000 headers",
        `GET ${LIST} HTTP/1.1\r\nHost: a\r\n${Array.from({ length: 10_000 }, (_, index) => `x${index}: 1\r\n`).join("")}\r\n`,
      ],
      [
        "two Host headers of which one hides behind thousands",
        `GET ${LIST} HTTP/1.1\r\nHost: a\r\n${"a:\r\n".repeat(2_500)}Host: b\r\n\r\n`,
      ],
      ["a target of 1 MB", `GET ${LIST}?${"x".repeat(1_000_000)} HTTP/1.1\r\nHost: a\r\n\r\n`],
      [
        "100,000 query keys",
        `GET ${LIST}?${Array.from({ length: 100_000 }, (_, index) => `k${index}=1`).join("&")} HTTP/1.1\r\nHost: a\r\n\r\n`,
      ],
    ])("refuses %s with 431 and closes the connection", async (_, bytes) => {
      expect(await refusedRaw(bytes, { end: false })).toBe(431);
    });

    it("refuses an authorization request above the limit of headers as sign-on's contract says, though its path is not read", async () => {
      const bytes = `GET ${AUTHORIZE} HTTP/1.1\r\nHost: a\r\nx: ${"x".repeat(100_000)}\r\n\r\n`;
      expect(await refusedRaw(bytes, { end: false, url: AUTHORIZE })).toBe(431);
    });

    it("refuses more than 200 query parameters with 400", async () => {
      const query = (count: number) => `${LIST}?${Array.from({ length: count }, () => "a=1").join("&")}`;
      const statuses = [await at(query(200), { headers: KEY }), await at(query(201), { headers: KEY })].map(
        ({ status }) => status,
      );
      expect(statuses).toEqual([200, 400]);
    });

    const asJson = (body: string) => at(TOKEN, { body, headers: { "content-type": "application/json" } });
    let workOfPlain: number;
    beforeAll(async () => {
      workOfPlain = await workOfRounds(200, () => asJson(JSON.stringify({ a: "x".repeat(65_000) })));
    });

    it.each([
      ["arrays in arrays", `${"[".repeat(32_000)}${"]".repeat(32_000)}`],
      ["objects in objects", `${'{"a":'.repeat(10_000)}1${"}".repeat(10_000)}`],
      ["arrays that never end", "[".repeat(65_000)],
      ["8,000 members", `{${Array.from({ length: 8_000 }, (_, index) => `"${index.toString(36)}":1`).join(",")}}`],
      ["a long number", `{"a":${"9".repeat(65_000)}}`],
    ])(
      "refuses JSON of %s with 400, for less work than 200 plain bodies of 65,000 characters (S40)",
      async (_, body) => {
        const work = await workOf(async () => expect((await asJson(body)).status).toBe(400));
        expect(work).toBeLessThan(workOfPlain);
      },
    );
  });

  describe("bodies (R-S1, S14)", () => {
    const json = { "content-type": "application/json" };
    const form = { "content-type": "application/x-www-form-urlencoded" };
    const good = JSON.stringify(GRANT);

    it.each([
      ["text/plain", { "content-type": "text/plain" }],
      ["no media type", {}],
      ["multipart/form-data", { "content-type": "multipart/form-data; boundary=x" }],
      ["a media type that is none", { "content-type": "nonsense" }],
      ["an empty media type", { "content-type": "" }],
      ["a media type with a tab before it", { "content-type": "\tapplication/json-patch" }],
      ["a media type that begins alike", { "content-type": "application/jsonx" }],
    ])("refuses JSON sent as %s with 400", async (_, headers) => {
      expect((await at(TOKEN, { body: good, headers })).status).toBe(400);
    });

    it.each(["text/plain", "multipart/form-data", "application/xml", "", "nonsense"])(
      "refuses a form sent as %p with 400: a page elsewhere can send such a form without a preflight",
      async (type) => {
        const body = new URLSearchParams(GRANT).toString();
        expect((await at(TOKEN, { body, headers: form })).status).toBe(200);
        expect((await at(TOKEN, { body, headers: { "content-type": type } })).status).toBe(400);
      },
    );

    it.each([
      "application/json;charset=utf-8",
      "application/json; charset=UTF-8",
      "Application/JSON",
      "application/json ",
    ])("accepts JSON sent as %p", async (type) => {
      expect((await at(TOKEN, { body: good, headers: { "content-type": type } })).status).toBe(200);
    });

    it.each([
      ["no body", "", json],
      ["no JSON", "{", json],
      ["JSON that is no object", "[]", json],
      ["null", "null", json],
      ["a duplicate member", `{"grant_type":"refresh_token",${good.slice(1)}`, json],
      ["a duplicate member, written differently", `{"gr\\u0061nt_type":"refresh_token",${good.slice(1)}`, json],
      ["a duplicate member within", `{"a":{"b":1,"b":2},${good.slice(1)}`, json],
      ["a member of the prototype", `{"__proto__":{"grant_type":"refresh_token"}}`, json],
      ["NUL in a text", `{"x":"a\\u0000b",${good.slice(1)}`, json],
      ["NUL in a name", `{"a\\u0000b":"x",${good.slice(1)}`, json],
      ["a lone surrogate", `{"x":"\\ud800",${good.slice(1)}`, json],
      ["bytes that are no UTF-8", Buffer.from([0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d]), json],
      [
        "overlong UTF-8",
        Buffer.concat([Buffer.from('{"x":"'), Buffer.from([0xc0, 0xaf]), Buffer.from(`",${good.slice(1)}`)]),
        json,
      ],
      ["trailing bytes", `${good}x`, json],
      ["a comment", `/* x */${good}`, json],
      ["a form parameter twice", `${new URLSearchParams(GRANT)}&client_id=x`, form],
      ["malformed percent-encoding in a form", `${new URLSearchParams(GRANT)}&x=%E0%A4%A`, form],
      ["NUL in a form", `${new URLSearchParams(GRANT)}&x=a%00b`, form],
    ])("refuses %s with 400", async (_, body, headers) => {
      expect((await at(TOKEN, { body, headers })).status).toBe(400);
    });

    it("passes text on as it was sent: plus as space, encoded characters decoded, others unchanged", async () => {
      const echo = await startStubEdge({
        handlers: {
          exchangeToken: async ({ body }) => ({
            status: 400,
            headers: { "cache-control": "no-store", vary: "Origin" },
            body: { error: "invalid_request", error_description: JSON.stringify(body) },
          }),
        },
      });
      const posted = await call(echo.url, TOKEN, {
        headers: form,
        body: "grant_type=refresh_token&client_id=app_4tGJ9sWmQ2xZbL7NcR5Kd&refresh_token=a+b%2B%C3%A9",
      });
      await echo.stop(0);
      expect(JSON.parse(posted.json<{ error_description: string }>().error_description)).toEqual({
        ...GRANT,
        refresh_token: "a b+é",
      });
    });

    it.each(["gzip", "br", "identity, gzip", "x"])(
      "refuses a body with the content coding %s with 415 and says that only uncompressed bodies are accepted (RFC 9110 §15.5.16, R-X152)",
      async (coding) => {
        const headers = { ...json, "content-encoding": coding };
        const posted = [TOKEN, "/auth/introspect", "/auth/revoke", "/auth/authorize", "/auth/login?interaction=x"];
        const answers = await Promise.all(posted.map((path) => at(path, { body: good, headers })));
        expect(answers.map(({ status, headers }) => [status, headers.get("accept-encoding")])).toEqual(
          posted.map(() => [415, "identity"]),
        );
      },
    );

    it.each(["identity", "Identity", ""])("accepts a body with the content coding %p", async (coding) => {
      const { status } = await at(TOKEN, { body: good, headers: { ...json, "content-encoding": coding } });
      expect(status).toBe(200);
    });

    it("refuses a content coding behind 15,000 spaces for less work than 200 plain bodies of 65,000 characters (S40, R-X152)", async () => {
      const body = JSON.stringify({ a: "x".repeat(65_000) });
      const workOfPlain = await workOfRounds(200, () => at(TOKEN, { body, headers: json }));
      const spaced = { ...json, "content-encoding": `identity,${" ".repeat(15_000)}x` };
      const work = await workOfRounds(10, async () =>
        expect((await at(TOKEN, { body: good, headers: spaced })).status).toBe(415),
      );
      expect(work).toBeLessThan(workOfPlain);
    });

    it("refuses a body where none is allowed with 400 (R-G2, R-X18)", async () => {
      const statuses = [
        await at(LIST, { method: "GET", body: "{}", headers: { ...KEY, ...json } }),
        await at(LIST, { method: "GET", headers: { ...KEY, "transfer-encoding": "chunked" } }),
      ].map(({ status }) => status);
      expect(statuses).toEqual([400, 400]);
    });
  });

  describe("connections", () => {
    const opened: Socket[] = [];

    afterEach(() => {
      for (const socket of opened.splice(0)) socket.destroy();
    });

    it("answers requests on one connection one after the other, pipelined too", async () => {
      const request = `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx-api-key: x\r\n\r\n`;
      const last = `GET /nowhere HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`;
      const { answers } = await sendRaw(edge.url, request + request + last);
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 404]);
    });

    it("continues when clients hang up in the middle", async () => {
      for (const bytes of [
        "",
        "GET",
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 100\r\n\r\n{`,
      ]) {
        const socket = connect(edge.port, "127.0.0.1");
        opened.push(socket);
        await new Promise<void>((resolve) => socket.write(bytes || "G", () => resolve()));
        socket.resetAndDestroy();
      }
      // The server meets the resets in this time; it shows nothing of connections that never sent a request.
      await sleep(50);
      expect((await at(LIST, { headers: KEY })).status).toBe(200);
    });
  });

  describe("slow clients (S53)", () => {
    /** What a client that is not slow has sent by then, on a busy machine too. */
    const HASTY = {
      requestMs: 1_200,
      headersMs: 800,
      keepAliveMs: 400,
      proxyKeepAliveMs: 400,
      checkEveryMs: 50,
      takeMs: 2_000,
      restMs: 400,
    };
    let hasty: StubEdge;

    beforeAll(async () => {
      hasty = await startStubEdge({
        timeouts: HASTY,
      });
    });

    afterAll(() => hasty.stop(0));

    const drip = (head: string, drops: number) =>
      sendRaw(hasty.url, [head, ...Array.from({ length: drops }, () => "x")], { pauseMs: 20, end: false });

    it("are cut off when their headers do not end", async () => {
      const { answers } = await drip(`GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: `, 1_000);
      expect(answers[0]).toMatchContract({ method: "GET", url: LIST });
      expect(answers.map(({ status }) => status)).toEqual([408]);
    });

    it("are cut off when their body does not end", async () => {
      const { answers } = await drip(
        `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\nContent-Length: 9999\r\n\r\n`,
        1_000,
      );
      expect(answers.map(({ status }) => status)).toEqual([408]);
    });

    it("are cut off when they send nothing", async () => {
      const { text } = await sendRaw(hasty.url, "", { end: false });
      expect(text.slice(0, 12)).toBe("HTTP/1.1 408");
    });

    it.each([
      ["silent", "", 408, HASTY],
      ["malformed", "nonsense\r\n\r\n", 400, undefined],
    ])("are counted and summed up in the log when they are %s, without a line each (R-X155)", async (...given) => {
      const [reason, bytes, status, timeouts] = given;
      const recorded = recordedLog();
      const metrics = createMetrics();
      const busy = await startStubEdge({ log: recorded, metrics, timeouts });
      await Promise.all(Array.from({ length: 100 }, () => sendRaw(busy.url, bytes, { end: false })));
      await busy.stop(0);
      expect(recorded.lines.filter(({ sentence }) => sentence === "Answered.")).toHaveLength(20);
      expect(recorded.lines.at(-1)?.fields).toEqual({ reason: `unrouted ${status}`, count: 80 });
      const counted = await metrics.getSingleMetric("gatehouse_http_refused_connections_total")?.get();
      const reasons = counted?.values.flatMap(({ labels, value }) => (value > 0 ? [[labels.reason, value]] : []));
      expect(reasons).toEqual([[reason, 100]]);
    });

    it("are cut off when they are silent after an answer", async () => {
      const { answers } = await sendRaw(hasty.url, `GET /nowhere HTTP/1.1\r\nHost: a\r\n\r\n`, { end: false });
      expect(answers.map(({ status }) => status)).toEqual([404]);
    });

    it.each([
      ["to CONNECT", "CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n", 400],
      ["to bytes that are no request", "nonsense\r\n\r\n", 400],
      ["to headers that do not end", `GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: `, 408],
      ["to a body that does not end", `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\nx`, 408],
      ["to a body that is too large", `POST ${TOKEN} HTTP/1.1\r\nHost: a\r\nContent-Length: 99999\r\n\r\nx`, 413],
    ])("are cut off when they do not close their side after the last answer, %s", async (_, bytes, status) => {
      const holding = connect({ port: hasty.port, host: "127.0.0.1", allowHalfOpen: true }).on(
        "error",
        () => undefined,
      );
      let text = "";
      holding.on("data", (chunk) => {
        text += chunk;
      });
      holding.write(bytes);
      const closed = new Promise((resolve) => holding.once("close", resolve));
      await once(holding, "end");
      // A byte to a side that is open is taken; to one that is closed, its answer is a reset.
      const probing = setInterval(() => holding.write("x"), 200);
      await closed;
      clearInterval(probing);
      expect(text.slice(0, 12)).toBe(`HTTP/1.1 ${status}`);
    });

    it("delay no other client, even 500 of them", async () => {
      const sockets = Array.from({ length: 500 }, () => connect(edge.port, "127.0.0.1"));
      for (const socket of sockets) socket.on("error", () => undefined).write(`GET ${LIST} HTTP/1.1\r\nHost: a\r\nx: `);
      const { status } = await at(LIST, { headers: KEY });
      for (const socket of sockets) socket.destroy();
      expect(status).toBe(200);
    });
  });

  describe("operations that fail (S56)", () => {
    it("answers 500 with the request id also when an answer cannot be sent", async () => {
      const failing = await startStubEdge({
        handlers: { exchangeToken: async () => ({ status: 400, headers: { "www-authenticate": "a\r\nb: c" } }) },
      });
      const answer = await call(failing.url, TOKEN, { json: GRANT, unrouted: true });
      await failing.stop(0);
      expect([answer.status, answer.headers.get("www-authenticate")]).toEqual([500, null]);
      expect(answer.headers.get("x-request-id")).toMatch(/^req_/);
      expect(answer.headers.get("x-content-type-options")).toBe("nosniff");
      expect(answer.json()).toMatchObject({ error: "server_error" });
    });

    const fail = async (handler: () => Promise<never>) => {
      const faults = recordedLog();
      const failing = await startStubEdge({
        log: faults,
        handlers: { listInstanceIntegrations: handler, exchangeToken: handler },
      });
      const gateway = await call(failing.url, LIST, { headers: KEY, unrouted: true });
      const signOn = await call(failing.url, TOKEN, { json: GRANT, unrouted: true });
      const other = await call(failing.url, CLIENTS, { headers: KEY });
      await failing.stop(0);
      return {
        statuses: [gateway.status, signOn.status, other.status],
        text: gateway.text + signOn.text,
        errors: faults.lines.filter(({ level }) => level === "error"),
      };
    };

    it.each<[string, () => Promise<never>]>([
      [
        "throw",
        async () => {
          throw new Error("secret");
        },
      ],
      [
        "throw before they promise",
        () => {
          throw new Error("secret");
        },
      ],
      ["reject with no error", () => Promise.reject("secret")],
      ["answer nothing", async () => undefined as never],
      ["answer with what is no JSON", async () => ({ status: 200, body: 1n }) as never],
    ])("and %s are 500 without a cause, and logged once", async (_, handler) => {
      const { statuses, text, errors } = await fail(handler);
      expect(statuses).toEqual([500, 500, 200]);
      expect(text).not.toContain("secret");
      expect(errors.map(({ sentence }) => sentence)).toEqual([
        "An operation failed at the edge.",
        "An operation failed at the edge.",
      ]);
    });

    it("exchange no byte between 1,000 parallel requests of two callers (S55, Ory 26.2.5)", async () => {
      const mixed = await startStubEdge({
        handlers: {
          async exchangeToken({ body }) {
            await sleep(Math.random() * 5);
            return {
              status: 400,
              headers: { "cache-control": "no-store", vary: "Origin" },
              body: { error: "invalid_grant", error_description: (body as typeof GRANT).refresh_token },
            };
          },
        },
      });
      const agent = new Agent({ keepAlive: true, maxSockets: 20 });
      const told = await Promise.all(
        Array.from({ length: 1_000 }, async (_, index) => {
          const mine = `${index % 2 === 0 ? "even" : "odd"}-${index}`;
          const answer = await call(mixed.url, TOKEN, { json: { ...GRANT, refresh_token: mine }, agent });
          return answer.json<{ error_description: string }>().error_description === mine;
        }),
      );
      agent.destroy();
      await mixed.stop(0);
      expect(told.filter((right) => !right)).toEqual([]);
      expect(told.length).toBe(1_000);
    });
  });
});
