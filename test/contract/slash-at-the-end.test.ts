import { call } from "../support/http.ts";
import { startEdgeAlone } from "../support/whole-edge.ts";

const LIST = "/v1/instance-integrations";
const INSTALLATION = `${LIST}/installation_7Kq2mZx9Lw4TnB6RcV8Yd`;

describe("a slash at the end of a path (R-X18)", () => {
  let edge: Awaited<ReturnType<typeof startEdgeAlone>>;
  beforeAll(async () => {
    edge = await startEdgeAlone({ issuer: "https://sign-on.example", gatewayUrl: "https://gateway.example" });
  });
  afterAll(() => edge.stop());

  const at = (path: string, method = "GET") => call(edge.url, path, { method, unrouted: true });

  it.each([
    ["GET", `${LIST}/`, LIST],
    ["GET", `${INSTALLATION}/clients/?limit=1`, `${INSTALLATION}/clients`],
    ["POST", "/v1/webhooks/recoveries/", "/v1/webhooks/recoveries"],
    ["QUERY", "/v1/webhooks/event-types/", "/v1/webhooks/event-types"],
    ["GET", "/docs/guides/quickstart/", "/docs/guides/quickstart"],
    ["POST", "/docs/", "/docs"],
  ])("%s %s is 404, and the problem names the address without it", async (method, path, address) => {
    const answer = await at(path, method);
    const detail = `Leave out the slash at the end: ${address} is the address.`;
    expect([answer.status, answer.json()]).toEqual([
      404,
      expect.objectContaining({ code: "not_found", detail, message: detail }),
    ]);
  });

  it.each([
    ["POST", "/auth/token/", "/auth/token"],
    ["GET", "/auth/userinfo/?x=1", "/auth/userinfo"],
    ["GET", "/.well-known/openid-configuration/", "/.well-known/openid-configuration"],
  ])("%s %s is 404, and the error of OAuth names the address without it", async (method, path, address) => {
    const answer = await at(path, method);
    const sentence = `Leave out the slash at the end: ${address} is the address. (${answer.headers.get("x-request-id")})`;
    expect([answer.status, answer.json()]).toEqual([
      404,
      expect.objectContaining({ error: "invalid_request", error_description: sentence }),
    ]);
  });

  it.each(["/v1/", "/v1/nothing/", `${LIST}//`, `${LIST}//clients/`, "/v1/nothing"])(
    "%s has nothing without it",
    async (path) => {
      const answer = await at(path);
      expect([answer.status, answer.json()]).toEqual([
        404,
        expect.objectContaining({ detail: "Nothing is offered at this address." }),
      ]);
    },
  );

  it("another refusal of such a path has its own sentence", async () => {
    expect((await at("/v1/%zz/")).json()).toMatchObject({
      code: "invalid_request",
      detail: "The request has malformed percent-encoding in its path.",
    });
  });
});
