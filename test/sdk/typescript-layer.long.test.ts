import { spawnSync } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { join } from "node:path";
import { Headers as HeadersOfPackage } from "undici";
import vectorsFile from "#generated/contracts/webhooks.vectors.json" with { type: "json" };
import {
  type FeedEvent,
  Gatehouse,
  type GatehouseError,
  type GatehouseOptions,
  verifyEvent,
} from "#generated/sdk/typescript/dist/gatehouse.js";
import { Turnstile } from "#generated/sdk/typescript/dist/turnstile.js";
import packageFile from "../../generated/sdk/typescript/package.json" with { type: "json" };
import { listening } from "../support/listening.ts";
import { withScope } from "../support/scope.ts";

const ROOT = join(import.meta.dirname, "..", "..");
const SDK = join(ROOT, "generated", "sdk", "typescript");
const PROGRAM = join(ROOT, ".cache", "sdks", "typescript-layer");

type Reply = (reply: ServerResponse, asked: IncomingMessage) => void;

const json =
  (body: unknown, headers: Readonly<Record<string, string>> = {}): Reply =>
  (reply) =>
    void reply.writeHead(200, { "content-type": "application/json", ...headers }).end(JSON.stringify(body));

const problem =
  (status: number, body: object, headers: Readonly<Record<string, string>> = {}): Reply =>
  (reply) =>
    void reply
      .writeHead(status, { "content-type": "application/problem+json", "x-request-id": "req_1", ...headers })
      .end(JSON.stringify({ status, ...body }));

const tooMany = { title: "Too many", code: "too_many_requests", detail: "Later." };
const limitedFor = (seconds: number) => problem(429, tooMany, { "retry-after": String(seconds) });
const limited = limitedFor(1);

/** What the hand-written layer of the SDK in TypeScript does beyond the scenarios that all languages share. */
describe("the SDK in typescript", () => {
  it("has types for programs without a browser's", () => {
    mkdirSync(PROGRAM, { recursive: true });
    writeFileSync(join(PROGRAM, "package.json"), '{ "type": "module" }');
    writeFileSync(join(PROGRAM, "program.ts"), `export * from ${JSON.stringify(join(SDK, "dist", "gatehouse.js"))};\n`);
    const strict = ["--strict", "--noEmit", "--module", "nodenext", "--target", "es2023", "--lib", "es2023"];
    const types = ["--types", "node", "--typeRoots", join(ROOT, "node_modules", "@types")];
    const tsc = join(ROOT, "node_modules", ".bin", "tsc");
    expect(spawnSync(tsc, [...strict, ...types, "program.ts"], { cwd: PROGRAM, encoding: "utf8" }).stdout).toBe("");
  });

  it("can be required by a CommonJS program, as its README says", () => {
    const program = `console.log(typeof require(${JSON.stringify(join(SDK, "dist", "gatehouse.js"))}).verifyEvent)`;
    const { stdout } = spawnSync(process.execPath, ["--input-type=commonjs", "--eval", program], { encoding: "utf8" });
    expect(stdout).toBe("function\n");
  });

  withScope((closeLater) => {
    let baseUrl = "";
    let asked: IncomingMessage[] = [];
    let replies: Readonly<Record<string, Reply[]>> = {};
    beforeAll(async () => {
      const server = createServer((request, reply) => {
        asked.push(request);
        const name = new URL(request.url ?? "", "http://any").pathname.split("/").at(-2) ?? "";
        const next = replies[name]?.shift() ?? json([]);
        next(reply, request);
      });
      baseUrl = await listening(server, closeLater);
    });
    /** Answers by the last id in the path: `[]` where none is given. */
    const begin = (given: Readonly<Record<string, Reply[]>>) => {
      asked = [];
      replies = given;
    };
    const open = (options: Partial<GatehouseOptions> = {}) => new Gatehouse({ baseUrl, apiKey: "key", ...options });
    const names = () => asked.map(({ url = "" }) => new URL(url, "http://any").pathname.split("/").at(-2));

    describe("reads of one key (R-X220)", () => {
      afterEach(() => {
        jest.restoreAllMocks();
      });

      it("sends other reads while one waits for events", async () => {
        let answerPoll = () => {};
        const held: Reply = (reply) => {
          answerPoll = () => json({ data: [], next: "cursor" })(reply, reply.req);
        };
        begin({ subscription: [limited, held] });
        const gatehouse = open();
        const poll = gatehouse.gateway.readEvents({ subscriptionId: "subscription", wait: 25 });
        const read = gatehouse.jobTitles("integration", "a");
        expect(await read).toEqual([]);
        const again = await gatehouse.jobTitles("integration", "b");
        expect(again).toEqual([]);
        answerPoll();
        expect(await poll).toMatchObject({ next: "cursor" });
        // The limit of this test lies below the time for which the poll waits.
      }, 20_000);

      it("keeps the place of a read that is over the limit again, in front of those that came later", async () => {
        begin({ a: [limited, limited] });
        const gatehouse = open();
        const first = gatehouse.jobTitles("integration", "a");
        await pause(500);
        const second = gatehouse.jobTitles("integration", "b");
        expect(await Promise.all([first, second])).toEqual([[], []]);
        expect(names()).toEqual(["a", "a", "a", "b"]);
      });

      it("goes on behind a read that was cancelled while it waited", async () => {
        begin({ a: [limited] });
        const gatehouse = open();
        const first = gatehouse.jobTitles("integration", "a");
        await pause(500);
        const cancelled = gatehouse.jobTitles("integration", "b", { signal: AbortSignal.timeout(100) });
        const last = gatehouse.jobTitles("integration", "c");
        await expect(cancelled).rejects.toMatchObject({ status: 0, code: "cancelled" });
        expect(await Promise.all([first, last])).toEqual([[], []]);
        expect(names()).toEqual(["a", "a", "c"]);
      });

      it("gives the turn of a read that was cancelled to the next one that waits", async () => {
        begin({ a: [limitedFor(3)], b: [limitedFor(30)] });
        const gatehouse = open();
        const cancelled = gatehouse.jobTitles("integration", "a", { signal: AbortSignal.timeout(1_500) });
        const next = gatehouse.jobTitles("integration", "b");
        await expect(cancelled).rejects.toMatchObject({ status: 0, code: "cancelled" });
        expect(await next).toEqual([]);
        expect(names().toSorted()).toEqual(["a", "b", "b"]);
        // The limit of this test lies below the later of the two turns.
      }, 20_000);

      it.each([2, 2.25, 2.5, 2.75])(
        "begins a read at its turn in %d ms, where each look at the clock is a quarter later",
        async (turn) => {
          let looks = 0;
          jest.spyOn(performance, "now").mockImplementation(() => looks++ / 4);
          const turnstile = new Turnstile();
          const limitedMs = [turn, undefined];
          const passage = {
            ...{ place: turnstile.newPlace(), signal: undefined, leavesAtOnce: false },
            ...{ send: async () => limitedMs.shift(), limitedForMs: (answer: number | undefined) => answer },
          };
          expect(await turnstile.pass(passage)).toBe(turn);
          expect(await turnstile.pass(passage)).toBeUndefined();
        },
        5_000,
      );

      it("lets all pass when none waits any more, whatever turns are left", async () => {
        begin({ a: [limitedFor(3)], b: [limitedFor(30)] });
        const gatehouse = open();
        const first = gatehouse.jobTitles("integration", "a");
        const cancelled = gatehouse.jobTitles("integration", "b", { signal: AbortSignal.timeout(1_500) });
        await expect(cancelled).rejects.toMatchObject({ status: 0, code: "cancelled" });
        expect(await first).toEqual([]);
        expect(await gatehouse.jobTitles("integration", "c")).toEqual([]);
      }, 20_000);

      it("waits for the turn of a read that gave up, and then sends one after another those that had none", async () => {
        begin({ a: [limited, limitedFor(2)] });
        const gatehouse = open({ retries: 1 });
        const first = gatehouse.jobTitles("integration", "a");
        await pause(500);
        const rest = ["b", "c"].map((name) => gatehouse.jobTitles("integration", name));
        await expect(first).rejects.toMatchObject({ status: 429, retryAfter: 2 });
        expect(names()).toEqual(["a", "a"]);
        expect(await Promise.all(rest)).toEqual([[], []]);
        expect(names()).toEqual(["a", "a", "b", "c"]);
      });

      it("gives no second turn to a read that was refused at its turn, while others have theirs", async () => {
        begin({ a: [limited, limitedFor(30)], b: [limitedFor(3)] });
        const gatehouse = open();
        const reads = ["a", "b"].map((name) => gatehouse.jobTitles("integration", name));
        expect(await Promise.all(reads)).toEqual([[], []]);
        expect(names().slice(2)).toEqual(["a", "a", "b"]);
        // The limit of this test lies below the turn that was refused.
      }, 20_000);
    });

    describe("errors (R-X188)", () => {
      const invalid = { status: 0, code: "invalid_argument" };

      it.each([
        ["a date that is none", { from: new Date("nope") }],
        ["a date as text", { from: "2026-01-01" as unknown as Date }],
      ])("says that an argument is wrong before anything is sent: %s", async (_, given) => {
        begin({});
        await expect(open().gateway.listDeliveries(given)).rejects.toMatchObject(invalid);
        expect(asked).toEqual([]);
      });

      it("says that arguments are missing before anything is sent", async () => {
        begin({});
        const { gateway } = open();
        const getClient = gateway.getClient as unknown as () => Promise<unknown>;
        await expect(getClient()).rejects.toMatchObject(invalid);
        expect(asked).toEqual([]);
      });

      it.each([
        { deadlineMs: Number.POSITIVE_INFINITY },
        { deadlineMs: Number.NaN },
        { deadlineMs: -1 },
        { deadlineMs: 0 },
        { deadlineMs: 2 ** 32 },
        { deadlineMs: 2 ** 31 },
        { retries: -1 },
        { retries: Number.NaN },
        { longestWaitMs: -1 },
        { longestWaitMs: 2 ** 31 },
        { entityTags: { answers: -1 } },
        { entityTags: { bytes: Number.NaN } },
        { fetch: 5 as unknown as typeof fetch },
      ])("refuses an option out of range: %p", (options) => {
        expect(() => open(options)).toThrow(expect.objectContaining(invalid));
      });

      it.each([
        ["an object", { name: ["bad"] }, []],
        ["a list of texts", ["bad"], []],
        ["a list with one that is known", ["bad", { in: "query", name: "limit", detail: "too high" }], ["limit"]],
      ])("keeps status and request id of a problem whose errors are %s", async (_, errors, violated) => {
        begin({ a: [problem(400, { title: "Bad", code: "invalid_request", detail: "Wrong.", errors })] });
        const error = await open()
          .jobTitles("integration", "a")
          .catch((thrown: unknown) => thrown);
        expect(error).toMatchObject({ status: 400, code: "invalid_request", detail: "Wrong.", requestId: "req_1" });
        expect((error as GatehouseError).violations.map(({ name }) => name)).toEqual(violated);
      });

      it("follows to an answer with a status that no Response can have", async () => {
        begin({ a: [problem(999, tooMany)] });
        const follow = open().follow("/v1/instance-integrations/a/clients");
        await expect(follow).rejects.toMatchObject({ status: 999, code: "unexpected_answer", requestId: "req_1" });
      });

      it("says nothing in place of a description that is missing", async () => {
        const refused: Reply = (reply) =>
          void reply.writeHead(401, { "content-type": "application/json" }).end('{"error":"invalid_client"}');
        begin({ a: [refused] });
        await expect(open().jobTitles("integration", "a")).rejects.toMatchObject({
          ...{ code: "invalid_client", detail: "", error: "invalid_client", errorDescription: "" },
          message: "401 invalid_client: ",
        });
      });

      it("takes no address with a password in it, which fetch refuses", () => {
        expect(() => open({ baseUrl: "http://user:password@localhost" })).toThrow(expect.objectContaining(invalid));
      });

      const unreadable = { status: 200, code: "unexpected_answer", requestId: "req_1" };
      it("names the request whose answer cannot be read", async () => {
        begin({ a: [json(null, { "x-request-id": "req_1" }), json(null, { "x-request-id": "req_1" })] });
        const gatehouse = open();
        await expect(gatehouse.jobTitles("integration", "a")).rejects.toMatchObject(unreadable);
        await expect(gatehouse.clients("a")).rejects.toMatchObject(unreadable);
      });

      it("names the request whose answer cannot be read later, and whose pages are iterated", async () => {
        const broken: Reply = (reply) =>
          void reply.writeHead(200, { "content-type": "application/json", "x-request-id": "req_1" }).end("{");
        begin({ a: [broken, broken] });
        const gatehouse = open();
        const place = { instanceIntegrationId: "integration", clientId: "a" };
        const later = await gatehouse.gateway.listJobTitlesRaw(place);
        await expect(later.value()).rejects.toMatchObject(unreadable);
        await expect(gatehouse.workers("integration", "a").next()).rejects.toMatchObject(unreadable);
      });
    });

    describe("what is sent", () => {
      it("names the SDK and its version", async () => {
        begin({});
        await open().jobTitles("integration", "a");
        expect(asked[0]?.headers["user-agent"]).toBe(`gatehouse-sdk-typescript/${packageFile.version}`);
      });

      it.each([
        ["an object", { "x-trace": "1", "user-agent": "mine" }],
        ["an object of the platform", new Headers({ "x-trace": "1", "user-agent": "mine" })],
      ])("sends a caller's headers beside its own: %s", async (_, headers) => {
        begin({});
        const { gateway } = open();
        await gateway.listJobTitles({ instanceIntegrationId: "integration", clientId: "a" }, { headers });
        expect(asked[0]?.headers).toMatchObject({ "x-api-key": "key", "x-trace": "1", "user-agent": "mine" });
      });

      it("waits for no time that is neither seconds nor a date", async () => {
        const headers = (retryAfter: string) => ({ "retry-after": retryAfter });
        const values = ["1.5", "-5", "soon 5", "1e3", "Mon, 99 Foo 99999 99:99:99 GMT"];
        begin({ a: values.map((value) => problem(429, tooMany, headers(value))) });
        const gatehouse = open({ retries: 0 });
        for (const value of values) {
          const error = await gatehouse.jobTitles("integration", "a").catch((thrown: unknown) => thrown);
          expect([value, error]).toEqual([value, expect.objectContaining({ status: 429, retryAfter: undefined })]);
        }
      });

      it.each(["Wed, 21 Oct 2015 07:28:00 GMT", "Sunday, 06-Nov-94 08:49:37 GMT", "Sun Nov  6 08:49:37 1994"])(
        "takes each form of a date (RFC 9110 §5.6.7): %s",
        async (date) => {
          begin({ a: [problem(429, tooMany, { "retry-after": date })] });
          const read = open({ retries: 0 }).jobTitles("integration", "a");
          await expect(read).rejects.toMatchObject({ status: 429, retryAfter: 0 });
        },
      );

      it("reads a media type in capitals", async () => {
        const body = { title: "None", code: "client_not_found", detail: "None." };
        begin({ a: [problem(404, body, { "content-type": "Application/Problem+JSON; charset=utf-8" })] });
        await expect(open().jobTitles("integration", "a")).rejects.toMatchObject({
          status: 404,
          code: "client_not_found",
        });
      });

      it("gives the headers of the confirmation over those that are remembered (RFC 9111 §4.3.4)", async () => {
        const confirmed: Reply = (reply) =>
          void reply.writeHead(304, { etag: '"e"', "x-request-id": "second", ratelimit: "r=1" }).end();
        begin({ a: [json(["x"], { etag: '"e"', "x-request-id": "first", "x-kept": "yes" }), confirmed] });
        const { gateway } = open();
        const place = { instanceIntegrationId: "integration", clientId: "a" };
        await gateway.listJobTitles(place);
        const again = await gateway.listJobTitlesRaw(place);
        const { headers, status } = again.raw;
        expect([status, await again.value()]).toEqual([200, ["x"]]);
        expect(["x-request-id", "ratelimit", "x-kept"].map((name) => headers.get(name))).toEqual([
          "second",
          "r=1",
          "yes",
        ]);
      });
    });

    describe("events (R-X189)", () => {
      const [genuine] = vectorsFile.vectors;
      const { secret = "", body = "", verifiedAt = 0, eventType = "" } = genuine ?? {};
      const headers: Readonly<Record<string, string>> = { ...genuine?.headers };
      const now = new Date(verifiedAt * 1000);

      it("verifies a signed example as the feed gives it", async () => {
        const item = {
          id: "event",
          type: eventType,
          occurredAt: "2026-06-30T08:15:27.412Z",
          cursor: "c",
          headers,
          body,
        };
        begin({ subscription: [json({ data: [item], next: "c", hasMore: false })] });
        const { data } = await open().gateway.readEvents({ subscriptionId: "subscription" });
        const [sent] = data as [FeedEvent];
        expect(await verifyEvent(secret, sent.headers, sent.body, { now })).toMatchObject({ type: eventType });
        await expect(verifyEvent(secret, sent.headers, `${sent.body} `, { now })).rejects.toMatchObject({
          reason: "bad_signature",
        });
      });

      it("takes the Headers of another implementation than the platform's, as servers bring them along", async () => {
        const given = new HeadersOfPackage(headers);
        expect(given).not.toBeInstanceOf(Headers);
        expect(await verifyEvent(secret, given as Headers, body, { now })).toMatchObject({ type: eventType });
      });

      it.each([
        ["without padding", secret.replace(/=+$/, "")],
        ["with a line break", `${secret}\n`],
        ["with spaces", `  ${secret} `],
      ])("takes a secret %s", async (_, given) => {
        expect(given).not.toBe(secret);
        expect(await verifyEvent(given, headers, body, { now })).toMatchObject({ type: eventType });
      });

      it.each([
        ["an empty list", []],
        ["none", undefined],
        ["a list of none", [undefined]],
      ])("says that there is no secret: %s", async (_, given) => {
        await expect(verifyEvent(given as unknown as string[], headers, body, { now })).rejects.toMatchObject({
          code: "invalid_argument",
        });
      });

      it.each([{ now: new Date("nope") }, { now, toleranceSeconds: Number.NaN }])(
        "says that a time is none, which every signature would fit: %p",
        async (options) => {
          await expect(verifyEvent(secret, headers, body, options)).rejects.toMatchObject({ code: "invalid_argument" });
        },
      );
    });
  });
});

const pause = (delayMs: number) => new Promise((resolve) => setTimeout(resolve, delayMs));
