import { once } from "node:events";
import { connect } from "node:net";
import { setTimeout as sleep } from "node:timers/promises";
import { startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { type AnyReply, type Area, area } from "../../../src/runtime/http/operation.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { eventually } from "../../support/eventually.ts";
import { call, sendRaw } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { silentLog } from "../../support/silent-log.ts";

const CLIENT_ID = { type: "string", pattern: "^client_[A-Za-z0-9]{21}$" };

/** A small contract of the tests: one operation that checks what it gets, one that leaves it to its handler. */
const contract = {
  openapi: "3.1.0",
  info: { title: "Greetings", version: "1" },
  paths: {
    "/greetings/{name}": {
      parameters: [{ name: "name", in: "path", required: true, schema: { type: "string", pattern: "^[a-z]+$" } }],
      get: {
        operationId: "greet",
        parameters: [
          { name: "times", in: "query", schema: { type: "integer", minimum: 1, maximum: 3 } },
          { name: "loud", in: "query", schema: { type: "boolean" } },
          { name: "since", in: "query", schema: { type: "string", format: "date-time" } },
          { name: "friend", in: "query", schema: CLIENT_ID },
          { name: "x-mood", in: "header", required: true, schema: { type: "string", enum: ["good", "bad"] } },
        ],
        responses: { "200": { description: "A greeting." } },
      },
      post: {
        operationId: "teach",
        requestBody: {
          required: true,
          content: {
            "application/json": {
              schema: {
                type: "object",
                required: ["words"],
                properties: {
                  words: { type: "array", items: { type: "string" } },
                  pupil: { type: "object", additionalProperties: false, properties: { id: { type: "integer" } } },
                  friends: { type: "array", items: CLIENT_ID },
                  code: { type: "string", pattern: "^[0-9]+$", "x-form": "digits alone, such as 42" },
                  notes: {
                    type: ["array", "null"],
                    minItems: 1,
                    maxItems: 2,
                    items: { type: "string", minLength: 1, maxLength: 3 },
                  },
                  marks: { type: "object", minProperties: 1 },
                  teacher: { oneOf: [{ type: "object", required: ["id"] }, { type: "null" }] },
                },
              },
            },
          },
        },
        responses: { "200": { description: "Thanks." } },
      },
    },
    "/raw": {
      get: {
        operationId: "raw",
        parameters: [{ name: "a", in: "query", schema: { type: "integer" } }],
        responses: { "200": { description: "All." } },
      },
    },
  },
};

const A_TIME = "must be a time of RFC 3339 with its offset, without leap seconds, such as 2026-06-30T09:00:00Z";

const echo = {
  handle: async (request: object): Promise<AnyReply> => {
    const { countOf, headers, ...rest } = request as Record<string, unknown>;
    return { status: 200, body: { ...rest, mood: (headers as Record<string, unknown>)["x-mood"] } };
  },
  invalid: async (__: unknown, parts: unknown): Promise<AnyReply> => ({ status: 400, body: parts }),
};

const greetings = (operations: object, more: Pick<Area, "refused"> = {}) =>
  area<never>({
    name: "greetings",
    contract,
    operations: operations as never,
    owns: () => true,
    ...more,
    unrouted: (status, code) => ({ status, body: { code } }),
  });

const all = { greet: echo, teach: echo, raw: { ...echo, unchecked: true } };
const start = (operations: object, log = silentLog, metrics = createMetrics(), more: Pick<Area, "refused"> = {}) =>
  startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    areas: [greetings(operations, more)],
    log,
    metrics,
    random: seededRandom(),
  });

describe("operations of a contract", () => {
  let server: Awaited<ReturnType<typeof start>>;

  beforeAll(async () => {
    server = await start(all);
  });

  afterAll(() => server.stop(0));

  const at = async (
    path: string,
    init: { method?: string; json?: unknown; form?: Record<string, string>; headers?: Record<string, string> } = {},
  ) => {
    const headers = { "x-mood": "good", ...init.headers };
    const answer = await call(`http://127.0.0.1:${server.port}`, path, { ...init, headers, contract: "unchecked" });
    return { status: answer.status, body: answer.json<Record<string, unknown> & readonly unknown[]>() };
  };

  it("get what was sent, in the contract's types, without undeclared values", async () => {
    const { status, body } = await at("/greetings/ada?times=2&loud=true&colour=red&a%5B%5D=1");
    expect(status).toBe(200);
    expect(body).toEqual({
      operationId: "greet",
      requestId: expect.stringMatching(/^req_[A-Za-z0-9]{21}$/),
      trace: {},
      remoteAddress: "127.0.0.1",
      path: "/greetings/ada",
      rawQuery: "times=2&loud=true&colour=red&a%5B%5D=1",
      rawForm: "",
      params: { name: "ada" },
      query: { times: "2", loud: "true" },
      mood: "good",
    });
  });

  it("get their trace, for the calls that they make (W3C Trace Context)", async () => {
    const traceparent = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01";
    const traces = [
      await at("/greetings/ada", { headers: { traceparent } }),
      await at("/greetings/ada", { headers: { traceparent: `${traceparent}x`, tracestate: "a=b" } }),
    ].map(({ body }) => body.trace);
    expect(traces).toEqual([{ traceparent }, {}]);
  });

  it.each(["+2", "2.0", "2e0", "02", "0x2", " 2", "2 ", ""])(
    "are not called for the whole number %p: it has one spelling (R-G9)",
    async (spelling) => {
      const { status, body } = await at(`/greetings/ada?times=${encodeURIComponent(spelling)}`);
      expect([status, body]).toEqual([400, [{ in: "query", name: "times", detail: "must be an integer" }]]);
    },
  );

  it.each<[string, string, Record<string, string>, object]>([
    [
      "a path parameter of another form",
      "/greetings/ADA",
      {},
      { in: "path", name: "name", detail: 'must match pattern "^[a-z]+$"' },
    ],
    [
      "a number that is too large",
      "/greetings/ada?times=4",
      {},
      { in: "query", name: "times", detail: "must be 3 or less" },
    ],
    [
      "a number that is too small",
      "/greetings/ada?times=0",
      {},
      { in: "query", name: "times", detail: "must be 1 or more" },
    ],
    [
      "a number that is none",
      "/greetings/ada?times=many",
      {},
      { in: "query", name: "times", detail: "must be an integer" },
    ],
    [
      "a parameter given twice (S4)",
      "/greetings/ada?times=1&times=2",
      {},
      { in: "query", name: "times", detail: "is repeated" },
    ],
    [
      "a date where a time should be",
      "/greetings/ada?since=2026-06-30",
      {},
      { in: "query", name: "since", detail: A_TIME },
    ],
    [
      "a leap second, which no clock of ours has",
      "/greetings/ada?since=2016-12-31T23:59:60Z",
      {},
      { in: "query", name: "since", detail: A_TIME },
    ],
    [
      "a time with a space for its T, which would be read as one of 1950 (RFC 3339 §5.6)",
      "/greetings/ada?since=0050-01-01%2000:00:00Z",
      {},
      { in: "query", name: "since", detail: A_TIME },
    ],
    [
      "a time whose offset has no colon (RFC 3339 §5.6)",
      "/greetings/ada?since=2026-06-30T09:00:00%2B0200",
      {},
      { in: "query", name: "since", detail: A_TIME },
    ],
    [
      "a time with the + of its offset as it is, which a query takes for a space",
      "/greetings/ada?since=2026-06-30T09:00:00.5+02:00",
      {},
      { in: "query", name: "since", detail: `${A_TIME}; in a query its + is written %2B` },
    ],
    [
      "an id that is none: its form is said in words (R-G13)",
      "/greetings/ada?friend=7",
      {},
      { in: "query", name: "friend", detail: "must be client_ followed by 21 letters or digits" },
    ],
    [
      "a header of another value",
      "/greetings/ada",
      { "x-mood": "odd" },
      { in: "header", name: "x-mood", detail: "must be one of good, bad" },
    ],
  ])("are not called for %s", async (_, path, headers, part) => {
    expect(await at(path, { headers })).toEqual({ status: 400, body: [part] });
  });

  it("are not called without a required header", async () => {
    const { status, body } = await (async () => {
      const answer = await call(`http://127.0.0.1:${server.port}`, "/greetings/ada", { contract: "unchecked" });
      return { status: answer.status, body: answer.json() };
    })();
    expect({ status, body }).toEqual({ status: 400, body: [{ in: "header", name: "x-mood", detail: "is missing" }] });
  });

  it.each<[string, unknown, readonly object[]]>([
    ["a missing member", {}, [{ in: "body", name: "/words", detail: "is missing" }]],
    ["a member of another type", { words: ["a", 1] }, [{ in: "body", name: "/words/1", detail: "must be a string" }]],
    [
      "several mistakes, each of which is named (R-G1)",
      { words: ["a", 1, 2], pupil: { id: "x", more: 1, "<b>": 2, "": 3 } },
      [
        { in: "body", name: "/words/1", detail: "must be a string" },
        { in: "body", name: "/words/2", detail: "must be a string" },
        { in: "body", name: "/pupil/more", detail: "is not known here" },
        { in: "body", name: "/pupil", detail: "has a member that is not known here" },
        { in: "body", name: "/pupil/id", detail: "must be an integer" },
      ],
    ],
    [
      "text where a list should be: bodies are not coerced",
      { words: "a" },
      [{ in: "body", name: "/words", detail: "must be an array" }],
    ],
    [
      "an id that is none: its form is said in words (R-G13)",
      { words: [], friends: ["client_1"] },
      [{ in: "body", name: "/friends/0", detail: "must be client_ followed by 21 letters or digits" }],
    ],
    [
      "a text of another form, for which the contract has words (R-G1)",
      { words: [], code: "4 2" },
      [{ in: "body", name: "/code", detail: "must be digits alone, such as 42" }],
    ],
    [
      "too many or too few of something: what it must have is said, not what it must not (R-G1)",
      { words: [], notes: ["", "long", "a"], marks: {} },
      [
        { in: "body", name: "/notes", detail: "must have at most 2 items" },
        { in: "body", name: "/notes/0", detail: "must have at least 1 character" },
        { in: "body", name: "/notes/1", detail: "must have at most 3 characters" },
        { in: "body", name: "/marks", detail: "must have at least 1 member" },
      ],
    ],
    [
      "another type than one of two",
      { words: [], notes: "a" },
      [{ in: "body", name: "/notes", detail: "must be an array or null" }],
    ],
  ])("are not called for a body with %s", async (_, json, parts) => {
    expect(await at("/greetings/ada", { json })).toEqual({ status: 400, body: parts });
  });

  it.each<
    [
      string,
      string,
      { readonly headers?: Record<string, string>; readonly form?: Record<string, string> },
      readonly object[],
    ]
  >([
    [
      "a malformed query, another that is too large, a path and a header",
      "/greetings/ADA?loud=%zz&times=4&%zz=1&%zz=2",
      { headers: { "x-mood": "odd" } },
      [
        { in: "query", name: "loud", detail: "has malformed percent-encoding, or NUL" },
        { in: "query", name: "", detail: "has malformed percent-encoding, or NUL" },
        { in: "path", name: "name", detail: 'must match pattern "^[a-z]+$"' },
        { in: "query", name: "times", detail: "must be 3 or less" },
        { in: "header", name: "x-mood", detail: "must be one of good, bad" },
      ],
    ],
    [
      "a body of another type and a path",
      "/greetings/ADA",
      { form: { words: "a" } },
      [
        { in: "header", name: "content-type", detail: "must be application/json" },
        { in: "path", name: "name", detail: 'must match pattern "^[a-z]+$"' },
      ],
    ],
  ])("are not called when several parts are wrong, each of which is named (R-G1): %s", async (_, path, init, parts) => {
    expect(await at(path, init)).toEqual({ status: 400, body: parts });
  });

  it("names at most a hundred mistakes of a body", async () => {
    const { status, body } = await at("/greetings/ada", { json: { words: Array(10_000).fill(1) } });
    expect([status, body.length, body[99]]).toEqual([
      400,
      100,
      { in: "body", name: "/words/99", detail: "must be a string" },
    ]);
  });

  it.each([[{ words: [] }], [{ words: ["a"], teacher: null }], [{ words: ["a"], teacher: { id: 1 }, more: true }]])(
    "get the body %j",
    async (json) => {
      const { status, body } = await at("/greetings/ada", { json });
      expect([status, body.body]).toEqual([200, json]);
    },
  );

  it("get their parameters as sent where they check them themselves, repeated and undeclared ones too", async () => {
    const { status, body } = await at("/raw?a=x&b=1&a=y%20z&c=%zz");
    expect([status, body.rawQuery, body.query]).toEqual([200, "a=x&b=1&a=y%20z&c=%zz", {}]);
  });

  it.each(["a=%zz", "b=1&a=x%00", "%61=%zz", "%zz=1"])(
    "that check their parameters themselves learn that a declared one cannot be decoded: %s",
    async (query) => {
      const { status, body } = await at(`/raw?${query}`);
      expect([status, body]).toEqual([
        400,
        [expect.objectContaining({ in: "query", detail: "has malformed percent-encoding, or NUL" })],
      ]);
    },
  );

  it("each need a handler, or the edge does not start", async () => {
    const { raw: _, ...missing } = all;
    await expect(start(missing)).rejects.toThrow("The operation raw of greetings has no handler.");
  });
});

describe("what no operation answers, behind a request that is under way", () => {
  /** What a client reads that sends the bytes when the operation has been asked, in the order of the answers. */
  const answeredBehind = async (reply: (left: Promise<void>) => Promise<AnyReply>, bytes = "nonsense") => {
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = {
      ...echo,
      handle: () => {
        asked.resolve();
        return reply(left.promise);
      },
    };
    const server = await start({ ...all, greet: held });
    const client = connect(server.port, "127.0.0.1");
    client.write("GET /greetings/ada HTTP/1.1\r\nhost: localhost\r\nx-mood: good\r\n\r\n");
    await asked.promise;
    client.write(`${bytes}\r\n\r\n`);
    client.write("GET /raw HTTP/1.1\r\nhost: localhost\r\n\r\n");
    await sleep(50);
    left.resolve();
    const texts: string[] = [];
    for await (const text of client.setEncoding("utf8")) texts.push(text as string);
    await server.stop(0);
    return texts.join("");
  };

  it.each([
    ["bytes that are no request", "nonsense"],
    ["CONNECT", "CONNECT evil.example:443 HTTP/1.1\r\nhost: evil.example:443"],
    [
      "a request whose body is malformed",
      "POST /greetings/ada HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ntransfer-encoding: chunked\r\n\r\nzz",
    ],
  ])("is answered after it, and nothing behind it (RFC 9112 §9.3.2): %s", async (_, bytes) => {
    const text = await answeredBehind(async (left) => {
      await left;
      return { status: 200, body: "first" };
    }, bytes);
    expect(text.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200", "HTTP/1.1 400"]);
    expect(text).toMatch(/first.*invalid_request/s);
  });

  it("does not lie in the middle of an answer that is sent while it is made", async () => {
    const text = await answeredBehind(async (left) => {
      const parts = async function* () {
        yield "begun, ";
        await left;
        yield "ended";
      };
      return { status: 200, chunks: Object.assign(parts(), { discard: () => undefined }) };
    });
    expect(text).toMatch(/^HTTP\/1\.1 200 .*\r\n\r\n7\r\nbegun, \r\n5\r\nended\r\n0\r\n\r\nHTTP\/1\.1 400 /s);
    expect(text.match(/HTTP\/1\.1/g)).toHaveLength(2);
  });
});

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";

describe("observing requests (S50)", () => {
  it("passes an area the refusals of the edge itself, and sends nothing of it (R-X122)", async () => {
    const by = { check: "c4n4ry.refused", error: "c4n4ry_error", sentence: "No c4n4ry." };
    const refusing = {
      handle: async (): Promise<AnyReply> => ({ status: 400, body: { error: "no" }, refused: by }),
      invalid: async (): Promise<AnyReply> => ({ status: 400, body: { error: "broken" } }),
    };
    const given: unknown[] = [];
    const refused: Area["refused"] = ({ operationId, requestId, rawQuery }, why) => {
      given.push([operationId, requestId, rawQuery, why]);
    };
    const server = await start({ ...all, greet: refusing }, silentLog, createMetrics(), { refused });
    const url = `http://127.0.0.1:${server.port}`;
    const ask = (path: string) => call(url, path, { headers: { "x-mood": "good" }, contract: "unchecked" });
    const answers = [await ask("/greetings/ada?times=1"), await ask("/greetings/ADA")];
    await server.stop(0);
    expect(answers.map(({ text }) => text)).toEqual(['{"error":"no"}', '{"error":"broken"}']);
    expect(JSON.stringify(answers.map(({ headers }) => [...headers]))).not.toContain("c4n4ry");
    expect(given).toEqual([["greet", answers[0]?.headers.get("x-request-id"), "times=1", by]]);
  });

  it("logs and measures each answer by operation, and writes no path, query or header", async () => {
    const log = recordedLog();
    const metrics = createMetrics();
    const server = await start(all, log, metrics);
    const url = `http://127.0.0.1:${server.port}`;
    const canary = "c4n4ry";
    const traceparent = `00-${TRACE_ID}-00f067aa0ba902b7-01`;
    const headers = { "x-mood": "good", authorization: canary, cookie: canary, traceparent, tracestate: canary };
    const answers = [
      await call(url, `/greetings/${canary}?x=${canary}`, { headers, contract: "unchecked" }),
      await call(url, `/${canary}`, { headers, contract: "unchecked" }),
      await call(url, `/${canary}/%E0%A4%A`, { headers, contract: "unchecked" }),
      await call(url, `/greetings/ada`, { method: "PUT", headers, contract: "unchecked" }),
      ...(await sendRaw(url, `GET /${canary} HTTP/1.1\r\nnonsense\r\n\r\n`)).answers,
    ];
    const measured = await metrics.getSingleMetricAsString("gatehouse_http_request_duration_seconds");
    await server.stop(0);
    const lines = log.lines.filter(({ sentence }) => sentence === "Answered.");
    expect(lines.map(({ fields }) => [fields.method, fields.operationId, fields.status])).toEqual([
      ["GET", "greet", 400],
      ["GET", undefined, 404],
      ["GET", undefined, 400],
      ["PUT", undefined, 405],
      [undefined, undefined, 400],
    ]);
    expect(lines.map(({ fields }) => fields.traceId)).toEqual([TRACE_ID, TRACE_ID, TRACE_ID, TRACE_ID, undefined]);
    expect(lines.map(({ fields }) => fields.requestId)).toEqual(
      answers.map((answer) => answer.headers.get("x-request-id")),
    );
    expect(JSON.stringify(log.lines) + measured).not.toContain(canary);
    expect(measured.match(/_count\{.*/g)).toEqual([
      '_count{operation="greet",status="400"} 1',
      '_count{operation="unrouted",status="404"} 1',
      '_count{operation="unrouted",status="400"} 2',
      '_count{operation="unrouted",status="405"} 1',
    ]);
  });

  it.each([
    ["before its answer begins", 1],
    ["in the middle of its answer", 32 * 1024 * 1024],
  ])("logs, counts and does not measure a request whose client leaves %s", async (__, length) => {
    const log = recordedLog();
    const metrics = createMetrics();
    const [asked, left] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = {
      ...echo,
      async handle(): Promise<AnyReply> {
        asked.resolve();
        await left.promise;
        return { status: 200, body: "a".repeat(length) };
      },
    };
    const server = await start({ ...all, greet: held }, log, metrics);
    const client = connect(server.port, "127.0.0.1");
    client.write(
      `GET /greetings/ada HTTP/1.1\r\nhost: localhost\r\nx-mood: good\r\ntraceparent: 00-${TRACE_ID}-00f067aa0ba902b7-01\r\n\r\n`,
    );
    await asked.promise;
    if (length > 1) {
      left.resolve();
      await once(client, "data");
    }
    client.destroy();
    const lines = await eventually(
      async () => log.lines.filter(({ fields }) => fields.operationId === "greet"),
      (all) => all.length > 0,
    );
    left.resolve();
    const counted = await metrics.getSingleMetricAsString("gatehouse_http_broken_answers_total");
    await server.stop(0);
    expect(lines).toMatchObject([
      {
        level: "info",
        sentence: "A client did not read an answer to its end.",
        fields: { requestId: expect.stringMatching(/^req_/), traceId: TRACE_ID, method: "GET", reason: "left" },
      },
    ]);
    expect(counted).toContain('{operation="greet",reason="left"} 1');
    const measured = await metrics.getSingleMetricAsString("gatehouse_http_request_duration_seconds");
    expect(measured).not.toContain("_count");
  });
});
