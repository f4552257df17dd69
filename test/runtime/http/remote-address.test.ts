import { startEdgeServer } from "../../../src/runtime/http/edge-server.ts";
import { area } from "../../../src/runtime/http/operation.ts";
import type { Log } from "../../../src/runtime/process/log.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import { call } from "../../support/http.ts";
import { seededRandom } from "../../support/random.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { silentLog } from "../../support/silent-log.ts";

const contract = {
  openapi: "3.1.0",
  info: { title: "Mirror", version: "1" },
  paths: { "/me": { get: { operationId: "me", responses: { "200": { description: "Who asked." } } } } },
};

const mirror = area<never>({
  name: "mirror",
  contract,
  operations: {
    me: {
      handle: async (request: { readonly remoteAddress: string }) => ({ status: 200, body: request.remoteAddress }),
      invalid: async () => ({ status: 400, body: "" }),
    },
  } as never,
  owns: () => true,
  unrouted: (status, code) => ({ status, body: { code } }),
});

/** What the edge takes for the caller's address, with these trusted and this header. */
const addressOf = async (trustedProxies: readonly string[], forwardedFor: string): Promise<string | undefined> =>
  (await addressesOf(trustedProxies, [forwardedFor])).at(0);

/** The same of several requests to one edge, one after the other. */
async function addressesOf(
  trustedProxies: readonly string[],
  forwarded: readonly (string | undefined)[],
  log: Log = silentLog,
): Promise<readonly string[]> {
  const server = await startEdgeServer({
    host: "127.0.0.1",
    port: 0,
    trustedProxies,
    areas: [mirror],
    log,
    metrics: createMetrics(),
    random: seededRandom(),
  });
  try {
    const addresses: string[] = [];
    for (const forwardedFor of forwarded) {
      const headers = { ...(forwardedFor && { "x-forwarded-for": forwardedFor }), forwarded: "for=198.51.100.9" };
      const answer = await call(`http://127.0.0.1:${server.port}`, "/me", { headers, contract: "unchecked" });
      addresses.push(answer.text);
    }
    return addresses;
  } finally {
    await server.stop(0);
  }
}

describe("the address of a caller behind a proxy (RFC 9700 statement 36, §4.13, R-X127)", () => {
  it.each<[string, readonly string[], string, string]>([
    ["no proxy is trusted", [], "203.0.113.7", "127.0.0.1"],
    ["another proxy is trusted", ["10.0.0.0/8"], "203.0.113.7", "127.0.0.1"],
    ["the proxy is trusted", ["127.0.0.1"], "203.0.113.7", "203.0.113.7"],
    ["the caller wrote one before it", ["127.0.0.0/8"], "192.0.2.1, 203.0.113.7", "203.0.113.7"],
    ["the caller wrote a trusted one", ["127.0.0.0/8"], "192.0.2.1, 127.0.0.9, 203.0.113.7", "203.0.113.7"],
    ["two trusted proxies follow each other", ["127.0.0.0/8", "10.0.0.0/8"], "203.0.113.7, 10.1.2.3", "203.0.113.7"],
    ["it wrote the port too", ["127.0.0.1"], "192.0.2.1, 203.0.113.7:52311", "203.0.113.7"],
    ["it wrote the port of an IPv6 address too", ["127.0.0.1"], "[2001:db8::7]:52311", "2001:db8::7"],
    ["it wrote an IPv6 address", ["127.0.0.1"], "2001:db8::7", "2001:db8::7"],
    ["it wrote a port and no address", ["127.0.0.1"], "unknown:80", "127.0.0.1"],
    ["it wrote no address", ["127.0.0.1"], "unknown", "127.0.0.1"],
  ])("when %s", async (_, trusted, header, expected) => {
    expect(await addressOf(trusted, header)).toBe(expected);
  });

  it("is missed in the log, once, where a sender that is not trusted names it (R-X127)", async () => {
    const warningsOf = async (trusted: readonly string[], ...forwarded: readonly (string | undefined)[]) => {
      const log = recordedLog();
      await addressesOf(trusted, forwarded, log);
      return log.lines.filter(({ level }) => level === "warn").map(({ sentence }) => sentence);
    };
    const missed = [expect.stringMatching(/^A sender that is not in trusted-proxies wrote x-forwarded-for/)];
    expect(await warningsOf([], undefined, "203.0.113.7", "203.0.113.8")).toEqual(missed);
    expect(await warningsOf(["10.0.0.0/8"], "10.1.2.3, 203.0.113.7")).toEqual(missed);
    expect(await warningsOf(["127.0.0.1"], undefined, "203.0.113.7", "192.0.2.1, 203.0.113.7")).toEqual([]);
    // The proxy's own look at the edge.
    expect(await warningsOf(["127.0.0.1"], "127.0.0.1")).toEqual([]);
    expect(await warningsOf([], undefined)).toEqual([]);
  });
});
