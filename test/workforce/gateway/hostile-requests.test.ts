import { GatewayService } from "../../../generated/proto/gatehouse/workforce/v1/gateway.ts";
import { Failure } from "../../../src/runtime/basis/errors.ts";
import type { Registration } from "../../../src/runtime/rpc/call.ts";
import { newApiKey } from "../../../src/workforce/integrations/api-key.ts";
import { sendRaw } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import { eachStore } from "../../support/stores.ts";
import { workOf, workOfRounds } from "../../support/work.ts";
import { type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce } from "../workforce-fixture.ts";
import { fillIds, OPERATIONS, unknownIds } from "./contract-paths.ts";

const PATH = "/v1/instance-integrations";

eachStore((_, open) => {
  let gateway: Gateway;
  let secret: string;

  beforeAll(async () => {
    const workforce = await openWorkforce(open);
    ({ secret } = await workforce.integration(await workforce.instance()));
    gateway = await startGateway(workforce.registrations);
  });
  afterAll(() => gateway.stop());

  /** Measured once, when it is first asked for. */
  let workOfPlain: number | undefined;
  const raw = async (headers: readonly string[], target = PATH) => {
    const text = [`GET ${target} HTTP/1.1`, "host: gateway", ...headers, "connection: close", "", ""].join("\r\n");
    // node:http gives up on a request whose sender has closed its half.
    const { answers } = await sendRaw(gateway.baseUrl, text, { end: false });
    return answers[0];
  };

  it("answers a well-formed request, so that the refusals below are meaningful", async () => {
    expect((await raw([`x-api-key: ${secret}`]))?.status).toBe(200);
    expect((await raw([`X-API-KEY:${secret}`]))?.status).toBe(200);
  });

  it.each([
    ["twice", () => [`x-api-key: ${secret}`, `x-api-key: ${secret}`]],
    ["twice, once in other letters", () => [`x-api-key: ${secret}`, `X-Api-Key: ${newApiKey(seededRandom())}`]],
    ["twice in one line", () => [`x-api-key: ${secret}, ${secret}`]],
    ["as a bearer token", () => [`authorization: Bearer ${secret}`]],
    ["as a cookie", () => [`cookie: x-api-key=${secret}`]],
    ["in quotes", () => [`x-api-key: "${secret}"`]],
    ["8,000 characters long", () => [`x-api-key: ${"A".repeat(8_000)}`]],
    ["with bytes beyond ASCII", () => [`x-api-key: ${secret.slice(0, -1)}\u00e9`]],
  ])("refuses a key %s with 401 (R-G11)", async (_, headers) => {
    const answer = await raw(headers());
    expect(answer?.status).toBe(401);
    expect(answer).toMatchContract({ method: "GET", url: PATH });
  });

  it("ignores a key in the query (R-G11)", async () => {
    expect((await raw([], `${PATH}?x-api-key=${secret}`))?.status).toBe(401);
  });

  it("ignores a proof that a caller sends in a header", async () => {
    const headers = ["x-api-key-lookup: AAAAAAAAAAAA", `x-api-key-digest: ${"0".repeat(64)}`];
    expect((await raw(headers))?.status).toBe(401);
  });

  it.each([
    ["a path that no operation has", "/v1/nothing", 404, "not_found"],
    ["a trailing slash", `${PATH}/`, 404, "not_found"],
    ["version 2 of a list that has none", "/v2/instance-integrations", 404, "not_found"],
    ["malformed percent-encoding", `${PATH}/%zz/clients`, 400, "invalid_request"],
    ["dots", `${PATH}/../x`, 404, "not_found"],
  ])("answers problem+json to %s (R-D7)", async (_, target, status, code) => {
    const answer = await raw([`x-api-key: ${secret}`], target);
    expect(answer?.status).toBe(status);
    expect(answer?.json()).toMatchObject({ code, requestId: answer?.headers.get("x-request-id") });
    expect(answer).toMatchContract({ method: "GET", url: target, unrouted: true });
  });

  it("answers 405 with the allowed methods, before it looks at a key", async () => {
    const answer = await gateway.get(PATH, undefined, { method: "DELETE" });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, HEAD, OPTIONS"]);
  });

  it.each([
    ["10,000 percent signs in the path", () => `${PATH}/${"%".repeat(10_000)}/clients`, [400]],
    ["5,000 encoded percent signs in the path", () => `${PATH}/${"%25".repeat(5_000)}/clients`, [400]],
    ["10,000 percent signs in the query", () => `${PATH}?x=${"%".repeat(10_000)}`, [400]],
    ["10,000 equals signs in the query", () => `${PATH}?${"=".repeat(10_000)}`, [200]],
    ["10,000 ampersands", () => `${PATH}?${"&".repeat(10_000)}`, [400]],
    ["10,000 slashes", () => `${PATH}${"/".repeat(10_000)}`, [404]],
    ["10,000 dots", () => `${PATH}/${"../".repeat(3_000)}`, [404]],
    ["overlong UTF-8 in the query", () => `${PATH}?x=%C0%AF`, [400]],
    ["a lone surrogate in the query", () => `${PATH}?x=%ED%A0%80`, [400]],
    ["NUL in the query", () => `${PATH}?x=%00`, [400]],
    ["control characters in the query", () => `${PATH}?x=%01%1b%7f%0d%0a`, [200]],
  ])("answers %s, for less work than 200 plain addresses of 10,000 characters (S40)", async (_, target, statuses) => {
    const send = (address: string) => raw([`x-api-key: ${secret}`], address);
    workOfPlain ??= await workOfRounds(200, () => send(`${PATH}?x=${"y".repeat(10_000)}`));
    const work = await workOf(async () => expect(statuses).toContain((await send(target()))?.status));
    expect(work).toBeLessThan(workOfPlain);
  });

  it("refuses 10 MB of headers with 431 after the first few kilobytes (S40)", async () => {
    const before = process.memoryUsage().rss;
    const line = `x: ${"a".repeat(65_000)}\r\n`;
    const pieces = [`GET ${PATH} HTTP/1.1\r\nhost: gateway\r\n`, ...Array.from({ length: 160 }, () => line)];
    const { answers } = await sendRaw(gateway.baseUrl, pieces, { end: false });
    expect(answers.map(({ status }) => status)).toEqual([431]);
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1024 * 1024);
  });

  it.each([
    ["if-none-match", '"a"'],
    ["accept", "application/json"],
    ["accept-encoding", "identity"],
    ["traceparent", "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"],
    ["x-request-id", "mine"],
    ["content-type", "application/json"],
    ["authorization", "Basic eA=="],
    ["cookie", "a=b"],
    ["user-agent", "a"],
    ["x-forwarded-host", "evil.example"],
    ["range", "bytes=0-0"],
  ])("treats %s sent twice, or empty, or with bytes beyond ASCII, as absent", async (name, value) => {
    const plain = await raw([`x-api-key: ${secret}`]);
    for (const headers of [[`${name}: ${value}`, `${name}: ${value}`], [`${name}:`], [`${name}: \u00e9\u00ff`]]) {
      const answer = await raw([`x-api-key: ${secret}`, ...headers]);
      expect([headers, answer?.status, answer?.text]).toEqual([headers, 200, plain?.text]);
    }
  });

  it("answers an id of 201 characters with 400, after the key (R-G2, R-G13)", async () => {
    const target = `${PATH}/${"a".repeat(201)}/clients`;
    expect((await raw([], target))?.status).toBe(401);
    expect((await raw([`x-api-key: ${secret}`], target))?.status).toBe(400);
  });

  it("answers malformed percent-encoding in a path with 400, before the key (R-X30)", async () => {
    for (const headers of [[], ["x-api-key: unknown"], [`x-api-key: ${secret}`]])
      expect((await raw(headers, `${PATH}/%zz/clients`))?.status).toBe(400);
  });

  it("answers malformed percent-encoding in a query with 400, after the key (R-G2, R-X30)", async () => {
    expect((await raw([], `${PATH}?x=%zz`))?.status).toBe(401);
    expect((await raw([`x-api-key: ${secret}`], `${PATH}?x=%zz`))?.status).toBe(400);
  });
});

describe("services that answer badly", () => {
  const withGateway = async (connect: () => unknown, check: (gateway: Gateway) => Promise<void>) => {
    const gateway = await startGateway([] as readonly Registration[], { connect: connect as never });
    try {
      await check(gateway);
    } finally {
      await gateway.stop();
    }
  };
  const failing = (code: string, retryAfterSeconds?: number) => async () => {
    throw new Failure(code as never, "x", "private words", { retryAfterSeconds });
  };
  const key = newApiKey(seededRandom());
  /** A service each of whose methods does the same; one that streams does it instead of its first message. */
  const everyMethod = (method: () => Promise<unknown>) => () =>
    Object.fromEntries(
      Object.entries(GatewayService).map(([name, { responseStream }]) => [
        name,
        responseStream ? () => streamOf(method) : method,
      ]),
    );

  it.each([
    ["UNAVAILABLE", 503, "unavailable", 7],
    ["DEADLINE_EXCEEDED", 503, "unavailable", undefined],
    ["ABORTED", 503, "unavailable", undefined],
    ["CANCELLED", 503, "unavailable", undefined],
    ["INTERNAL", 500, "internal_error", undefined],
    ["PERMISSION_DENIED", 500, "internal_error", undefined],
    ["NOT_FOUND", 500, "internal_error", undefined],
    ["UNAUTHENTICATED", 401, "unauthorized", undefined],
  ])(
    "%s becomes %i at every operation, whether the request is valid or not",
    async (code, status, problem, retryAfter) => {
      await withGateway(everyMethod(failing(code, retryAfter)), async (gateway) => {
        const paths = OPERATIONS.map((operation) => fillIds(operation.path, unknownIds(operation)));
        const answers = await Promise.all(
          paths.flatMap((path) => [gateway.get(path, key), gateway.get(path, key, { method: "GET", body: "x" })]),
        );
        for (const answer of answers) {
          expect([answer.status, answer.json<{ code: string }>().code]).toEqual([status, problem]);
          expect(answer.headers.get("retry-after")).toBe(status === 503 ? String(retryAfter ?? 2) : null);
          expect(answer.headers.get("cache-control")).toBe("no-store");
          expect(answer.text).not.toContain("private words");
        }
      });
    },
  );

  it("a fault of the edge itself becomes 500 without any detail", async () => {
    const broken = async () => ({ instanceIntegrations: [{ id: "x", instance: null }] });
    await withGateway(everyMethod(broken), async (gateway) => {
      const answer = await gateway.get(PATH, key);
      expect([answer.status, answer.json<{ code: string }>().code]).toEqual([500, "internal_error"]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
    });
  });
});

async function* streamOf(method: () => Promise<unknown>): AsyncIterable<unknown> {
  yield await method();
}
