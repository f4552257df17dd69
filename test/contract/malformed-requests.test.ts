import { sendRaw } from "../support/http.ts";
import { startEdgeAlone } from "../support/whole-edge.ts";

const LIST = "/v1/instance-integrations";
const HOST = "Host: a.example\r\n";

/** What comes, and the end of the sentence that begins with "The request". */
const REQUESTS = [
  ["no Host header", "GET {path} HTTP/1.1", "", "has no Host header"],
  ["no Host header in HTTP/1.0", "GET {path} HTTP/1.0", "", "has no Host header"],
  ["two Host headers", "GET {path} HTTP/1.1", `${HOST}${HOST}`, "has more than one Host header"],
  [
    "a Host header with a comma",
    "GET {path} HTTP/1.1",
    "Host: a,b\r\n",
    "has a Host header that is not a name or an address, with a port or without",
  ],
  ["a number sign", "GET {path}#x HTTP/1.1", HOST, "has a target with a number sign"],
  [
    "two transfer codings",
    "POST {path} HTTP/1.1",
    `${HOST}Transfer-Encoding: gzip, chunked\r\n`,
    "has a Transfer-Encoding other than chunked alone",
  ],
  [
    "a transfer coding in HTTP/1.0",
    "POST {path} HTTP/1.0",
    `${HOST}Transfer-Encoding: chunked\r\n`,
    "has a Transfer-Encoding, which HTTP/1.0 does not know",
  ],
  [
    "malformed percent-encoding in the path",
    "GET {path}/%zz HTTP/1.1",
    HOST,
    "has malformed percent-encoding in its path",
  ],
] as const;

describe("a malformed request is answered with what is wrong with it (R-X23, R-X30)", () => {
  let edge: Awaited<ReturnType<typeof startEdgeAlone>>;
  beforeAll(async () => {
    edge = await startEdgeAlone({ issuer: "https://sign-on.example", gatewayUrl: "https://gateway.example" });
  });
  afterAll(() => edge.stop());

  const bodyOf = async (bytes: string, url: string, method: string) => {
    const { answers } = await sendRaw(edge.url, bytes);
    expect(answers).toMatchObject([{ status: 400 }]);
    const [answer] = answers;
    expect(answer).toMatchContract({ method, url, unrouted: true });
    return answer?.json();
  };

  it.each(REQUESTS)("%s, at each part of the listener", async (_what, line, headers, why) => {
    const at = (path: string) =>
      bodyOf(`${line.replace("{path}", path)}\r\n${headers}\r\n`, path, line.split(" ")[0] ?? "");
    const detail = `The request ${why}.`;
    const problem = { code: "invalid_request", detail, message: detail };
    expect([await at(LIST), await at("/auth/nothing"), await at("/nothing")]).toEqual([
      expect.objectContaining(problem),
      expect.objectContaining({
        error: "invalid_request",
        error_description: expect.stringMatching(new RegExp(`^The request ${why}\\. \\(req_\\w+\\)$`)),
      }),
      expect.objectContaining(problem),
    ]);
  });

  it.each([
    ["a target with a host", `GET http://a.example${LIST} HTTP/1.1\r\n${HOST}\r\n`, "does not begin with a slash"],
    ["an asterisk as its target", `OPTIONS * HTTP/1.1\r\n${HOST}\r\n`, "does not begin with a slash"],
  ])("%s", async (_what, bytes, why) => {
    const detail = `The request has a target that ${why}.`;
    expect(await bodyOf(bytes, "/", bytes.split(" ")[0] ?? "")).toMatchObject({ detail, message: detail });
  });

  it.each([
    ["the first bytes of HTTP/2", "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n"],
    ["a line of no protocol", "hello\r\n\r\n"],
    ["a header line without a colon", `GET ${LIST} HTTP/1.1\r\n${HOST}nonsense\r\n\r\n`],
  ])("%s are no request", async (_what, bytes) => {
    const detail = "The request is not one of HTTP/1.1 to this server.";
    expect(await bodyOf(bytes, "/", "GET")).toMatchObject({ code: "invalid_request", detail, message: detail });
  });

  it.each([
    ["a header line without a colon", "nonsense", 400],
    ["headers that are too large", `x: ${"x".repeat(100_000)}`, 431],
  ])("%s: one answer for each part of the listener, as its contract says (R-X185)", async (_what, line, status) => {
    for (const url of [LIST, "/auth/authorize", "/docs"]) {
      const { answers } = await sendRaw(edge.url, `GET ${url} HTTP/1.1\r\n${HOST}${line}\r\n\r\n`, { end: false });
      expect(answers).toMatchObject([{ status }]);
      expect(answers[0]).toMatchContract({ method: "GET", url, unrouted: true });
    }
  });
});
