import type { EdgeRequest } from "../../../src/runtime/http/operation.ts";
import { type AskedRequest, askedBy, edgeCall } from "../../../src/sign-on/browser/edge-call.ts";
import { parseAskedMetadata } from "../../../src/sign-on/refusals/asked.ts";

const APP = "app_AAAAAAAAAAAAAAAAAAAAA";
const OTHER = "app_BBBBBBBBBBBBBBBBBBBBB";
const TRACE = { traceparent: "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01" };

const basic = (text: string) => `Basic ${Buffer.from(text).toString("base64")}`;

const request = (given: Partial<AskedRequest>): AskedRequest =>
  ({ requestId: "req_1", trace: TRACE, rawQuery: "", rawForm: "", headers: {}, ...given }) as EdgeRequest;

const asked = (applicationId: string | undefined, parameters: readonly string[], redirectUri?: string) => ({
  applicationId,
  parameters,
  redirectUri,
});

describe("what a request asks for, as far as it may be written down (R-X122)", () => {
  it.each<[Partial<AskedRequest>, ReturnType<typeof asked>]>([
    [{}, asked(undefined, [])],
    [
      { rawQuery: `client_id=${APP}&state=s&state=t&secret=x&redirect_uri=https%3A%2F%2Fa.example%2Fcb` },
      asked(APP, ["client_id", "state", "redirect_uri"], "https://a.example/cb"),
    ],
    [{ rawForm: `scope=openid&client_id=${APP}` }, asked(APP, ["scope", "client_id"])],
    [{ body: { grant_type: "x", client_id: APP, more: 1 } }, asked(APP, ["grant_type", "client_id"])],
    // The body counts where an address names another application; of several in an address, the first.
    [{ rawQuery: `client_id=${OTHER}`, body: { client_id: APP } }, asked(APP, ["client_id"])],
    [{ rawQuery: `client_id=${APP}&client_id=${OTHER}` }, asked(APP, ["client_id"])],
    // HTTP Basic names an application, and is no parameter.
    [{ headers: { authorization: basic(`${APP}:secret`) }, body: { code: "c" } }, asked(APP, ["code"])],
    [{ headers: { authorization: basic(`${APP}:secret`) }, body: { client_id: "" } }, asked(APP, ["client_id"])],
    [{ headers: { authorization: "Basic nonsense" } }, asked(undefined, [])],
    [{ headers: { authorization: `Bearer ${APP}` } }, asked(undefined, [])],
    [{ rawQuery: "redirect_uri=%20a%20&redirect_uri=b" }, asked(undefined, ["redirect_uri"], " a ")],
    // What has not the form of an id, or is no text, is not written down.
    [{ body: { client_id: "app_1", redirect_uri: 7 } }, asked(undefined, ["client_id", "redirect_uri"])],
    [{ body: { client_id: [APP] } }, asked(undefined, ["client_id"])],
    [{ body: "client_id" }, asked(undefined, [])],
    [{ body: null }, asked(undefined, [])],
    [
      { rawQuery: "redirect_uri=https%3A%2F%2Fa.example%2F%0A%C3%BC" },
      asked(undefined, ["redirect_uri"], "https://a.example/??"),
    ],
  ])("%j", (given, expected) => {
    const sent = request(given);
    expect(askedBy(sent)).toEqual(expected);
    const { requestId, metadata = {} } = edgeCall(sent);
    expect([requestId, metadata.traceparent]).toEqual(["req_1", TRACE.traceparent]);
    expect(parseAskedMetadata(metadata)).toEqual(expected);
    // What HTTP/2 carries as a header (RFC 9113 §8.2.1).
    for (const value of Object.values(metadata)) expect(value).toMatch(/^[\x21-\x7e]( ?[\x21-\x7e]+)*$/);
  });

  it("is looked at again on the other side of the call", () => {
    const metadata = {
      "asked-application": "nobody",
      "asked-parameters": "state password state",
      "asked-redirect-uri": Buffer.from(`https://a.example/${"x".repeat(600)}`).toString("base64url"),
    };
    const { redirectUri, ...rest } = parseAskedMetadata(metadata);
    expect(rest).toEqual({ applicationId: undefined, parameters: ["state"] });
    expect([redirectUri?.length, redirectUri?.slice(-4)]).toEqual([500, "x..."]);
    expect(parseAskedMetadata({})).toEqual(asked(undefined, []));
  });
});
