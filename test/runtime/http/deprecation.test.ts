import { deprecationHeaders, withDeprecation } from "../../../src/runtime/http/deprecation.ts";
import { startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { type AnyReply, area } from "../../../src/runtime/http/operation.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { call } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import { withScope } from "../../support/scope.ts";
import { silentLog } from "../../support/silent-log.ts";

const ENDING = {
  deprecated: true,
  "x-deprecated-at": "2026-12-01T00:00:00Z",
  "x-deprecation-page": "https://docs.example/ending",
  "x-sunset-at": "2027-06-01T12:30:00Z",
  "x-sunset-page": "https://docs.example/policy",
};
const LINKS =
  '<https://docs.example/ending>; rel="deprecation"; type="text/html", <https://docs.example/policy>; rel="sunset"; type="text/html"';

const operation = (operationId: string, more: object = {}) => ({
  get: {
    operationId,
    parameters: [{ name: "times", in: "query", schema: { type: "integer" } }],
    responses: { "200": { description: "Good." } },
    ...more,
  },
});

const contract = {
  openapi: "3.1.0",
  info: { title: "Greetings", version: "1" },
  paths: {
    "/lasting": operation("lasting"),
    "/ending": operation("ending", ENDING),
    "/listed": operation("listed", ENDING),
    "/failing": operation("failing", ENDING),
  },
};

const answering = (headers?: Record<string, string>) => ({
  handle: async (): Promise<AnyReply> => ({ status: 200, body: {}, ...(headers && { headers }) }),
  invalid: async (): Promise<AnyReply> => ({ status: 400, body: {} }),
});

describe("what a deprecated operation announces (RFC 9745, RFC 8594)", () => {
  withScope((closeLater) => {
    let url: string;

    beforeAll(async () => {
      const server = await startEdgeServer({
        host: "127.0.0.1",
        port: 0,
        areas: [
          area<Record<string, never>>({
            name: "greetings",
            contract,
            operations: {
              lasting: answering(),
              ending: answering(),
              listed: answering({ link: '</listed?page=2>; rel="next"' }),
              failing: {
                ...answering(),
                handle: async () => {
                  throw new Error("A fault.");
                },
              },
            } as never,
            owns: () => true,
            unrouted: (status) => ({ status, body: {} }),
          }),
        ],
        log: silentLog,
        metrics: createMetrics(),
        random: seededRandom(),
      });
      closeLater(() => server.stop(100));
      url = `http://127.0.0.1:${server.port}`;
    });

    const told = async (path: string) => {
      const { status, headers } = await call(url, path, { contract: "unchecked" });
      return [status, headers.get("deprecation"), headers.get("sunset"), headers.get("link")];
    };

    it("is in every answer of it, good or not, and in no other", async () => {
      const announced = ["@1796083200", "Tue, 01 Jun 2027 12:30:00 GMT", LINKS];
      expect(await told("/ending")).toEqual([200, ...announced]);
      expect(await told("/ending?times=x")).toEqual([400, ...announced]);
      expect(await told("/failing")).toEqual([500, ...announced]);
      expect(await told("/lasting")).toEqual([200, null, null, null]);
      expect(await told("/gone")).toEqual([404, null, null, null]);
    });

    it("keeps the answer's own links", async () => {
      expect((await told("/listed")).at(-1)).toBe(`</listed?page=2>; rel="next", ${LINKS}`);
    });
  });

  it.each<[string, object, object | undefined]>([
    ["nothing without a word about it", {}, undefined],
    ["nothing without a date", { deprecated: true }, undefined],
    ["the date alone", { deprecated: true, "x-deprecated-at": "2026-12-01T00:00:00Z" }, { Deprecation: "@1796083200" }],
    [
      "no page of an end that has no date",
      { ...ENDING, "x-sunset-at": undefined, "x-deprecation-page": undefined },
      { Deprecation: "@1796083200" },
    ],
  ])("is %s", (_, given, expected) => {
    expect(deprecationHeaders({ operationId: "ending", ...given })).toEqual(expected);
  });

  it.each<[string, Record<string, string>, string | undefined, Record<string, string>]>([
    ["beside a header that is none", { vary: "accept" }, "<b>", { vary: "accept", Link: "<b>" }],
    [
      "in the field of the answer's own, behind other headers",
      { vary: "x", link: "<a>" },
      "<b>",
      { vary: "x", link: "<a>, <b>" },
    ],
    ["nowhere without pages", { link: "<a>" }, undefined, { link: "<a>" }],
  ])("has its links %s", (_, own, Link, expected) => {
    const announced = { Deprecation: "@1", ...(Link && { Link }) };
    expect(withDeprecation(own, announced)).toEqual({ ...expected, Deprecation: "@1" });
  });

  it.each<[string, object]>([
    ["a date that is none", { ...ENDING, "x-deprecated-at": "soon" }],
    ["a day without a time", { ...ENDING, "x-sunset-at": "2027-06-01" }],
    ["an end before the beginning (RFC 9745 §4)", { ...ENDING, "x-sunset-at": "2026-11-30T23:59:59Z" }],
    ["an end without deprecation", { "x-sunset-at": "2027-06-01T12:30:00Z" }],
    ["a date of what is not deprecated", { "x-deprecated-at": "2027-06-01T12:30:00Z" }],
  ])("refuses %s at start", (_, given) => {
    expect(() => deprecationHeaders({ operationId: "ending", ...given })).toThrow(/^ending/);
  });
});
