import { call } from "../../support/http.ts";
import { type StubEdge, startStubEdge } from "../../support/stub-edge.ts";

const LIST = "/v1/instance-integrations";
const CLIENTS = `${LIST}/installation_7Kq2mZx9Lw4TnB6RcV8Yd/clients`;
const KEY = { "x-api-key": "x" };

describe("an empty segment of a path is no id (R-X18)", () => {
  let edge: StubEdge;

  beforeAll(async () => {
    edge = await startStubEdge();
  });

  afterAll(() => edge.stop(0));

  const at = (path: string, method: string) => call(edge.url, path, { method, headers: KEY });

  it.each([
    ["a trailing slash where an id could follow", `${CLIENTS}/`],
    ["a doubled slash where an id belongs", `${LIST}//clients`],
    ["a doubled slash before another id", `${LIST}//clients/client_9Xw3LqT5vRz7MnB2KcY4Jd/workers`],
    ["a trailing slash of the subscriber's area", "/v1/webhooks/deliveries/"],
    ["a doubled slash of the subscriber's area", "/v1/webhooks/subscriptions//events"],
    ["an empty id and an encoded one", `${LIST}//clients/client%5F9Xw3LqT5vRz7MnB2KcY4Jd`],
    ["a guide without a name", "/docs/guides/"],
  ])("answers %s with 404 to every method", async (_, path) => {
    const methods = ["GET", "HEAD", "OPTIONS", "POST", "PATCH", "DELETE", "QUERY"];
    const answers = await Promise.all(methods.map((method) => at(path, method)));
    expect(answers.map(({ status, headers }) => [status, headers.get("allow")])).toEqual(
      methods.map(() => [404, null]),
    );
  });

  it("leaves the address without the slash as it is", async () => {
    const methods = ["GET", "HEAD", "OPTIONS", "POST"];
    const answers = await Promise.all(methods.map((method) => at(CLIENTS, method)));
    const allow = "GET, HEAD, OPTIONS";
    expect(answers.map(({ status, headers }) => [status, headers.get("allow")])).toEqual([
      [200, null],
      [200, null],
      [204, allow],
      [405, allow],
    ]);
  });

  it("leaves an id with an encoded letter as it is: ids are decoded (R-X151)", async () => {
    expect((await at(CLIENTS.replace("_", "%5F"), "GET")).status).toBe(200);
  });
});
