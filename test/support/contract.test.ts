import { readFileSync } from "node:fs";
import { contractDepartures } from "./contract.ts";
import { eventDepartures } from "./event-contract.ts";

const REQUEST_ID = "req_4tGJ9sWmQ2xZbL7NcR5Kd";

const problem = (status: number, more: object = {}) => ({
  type: "http://localhost:8080/problems/not-found",
  title: "Not found",
  status,
  detail: "There is nothing here.",
  code: "not_found",
  message: "There is nothing here.",
  requestId: REQUEST_ID,
  ...more,
});

const exchange = (method: string, url: string, status: number, headers: Record<string, string>, body: unknown) => ({
  method,
  url,
  status,
  headers: new Headers({ "x-request-id": REQUEST_ID, ...headers }),
  text: typeof body === "string" ? body : JSON.stringify(body),
});

const INTEGRATIONS = "/v1/instance-integrations";
const asJson = { "content-type": "application/json" };
const asRefusal = { ...asJson, "cache-control": "no-store" };
const asProblem = { "content-type": "application/problem+json", "cache-control": "no-store" };
const kept = {
  ...asJson,
  "cache-control": "private, no-cache",
  etag: '"1-x"',
  vary: "x-api-key, Accept-Encoding",
};

describe("an answer against the OpenAPI contracts", () => {
  it("is kept by a declared status, media type, headers and body", () => {
    const answer = { ...exchange("GET", INTEGRATIONS, 200, kept, []) };
    expect(contractDepartures(answer)).toEqual([]);
    expect(answer).toMatchContract({ method: "GET", url: `http://localhost:8080${INTEGRATIONS}?x=1` });
  });

  it.each([
    ["an undeclared status", exchange("GET", INTEGRATIONS, 418, kept, []), "status 418 is not declared"],
    [
      "an undeclared media type",
      exchange("GET", INTEGRATIONS, 200, { ...kept, "content-type": "text/html" }, "x"),
      "media type",
    ],
    ["a missing header", exchange("GET", INTEGRATIONS, 200, asJson, []), "Cache-Control is missing"],
    [
      "a wrong header",
      exchange("GET", INTEGRATIONS, 200, { ...kept, "cache-control": "public" }, []),
      "header Cache-Control",
    ],
    [
      "an undeclared header",
      exchange("GET", INTEGRATIONS, 200, { ...kept, "x-served-by": "edge-1" }, []),
      "the header x-served-by is not declared",
    ],
    [
      "a cookie below the gateway",
      exchange("GET", INTEGRATIONS, 200, { ...kept, "set-cookie": "a=b" }, []),
      "the header set-cookie is not declared",
    ],
    ["a body that is no JSON", exchange("GET", INTEGRATIONS, 200, kept, "["), "not JSON"],
    ["a body of another shape", exchange("GET", INTEGRATIONS, 200, kept, [{ id: 1 }]), "/0"],
    [
      "an undeclared member",
      exchange("GET", "/auth/none", 404, asJson, { error: "x", error_description: "x", a: 1 }),
      "additional",
    ],
    [
      "a word that its list has not",
      exchange("GET", "/auth/none", 404, asJson, { error: "x", error_description: "x" }),
      "/error must be equal to one of the allowed values",
    ],
    ["an answer without an operation that is no refusal", exchange("GET", "/nowhere", 200, kept, []), "status 200"],
    ["a problem below /auth (R-D7)", exchange("GET", "/auth/none", 404, asProblem, problem(404)), "media type"],
    [
      "an OAuth error elsewhere (R-D7)",
      exchange("GET", "/none", 404, asJson, { error: "x", error_description: "x" }),
      "media type",
    ],
    [
      "414, which nothing answers any more (R-X151)",
      exchange("GET", "/none", 414, asProblem, problem(414)),
      "status 414",
    ],
    [
      "413 in another form than the operation declares that takes the body",
      exchange("POST", "/v1/webhooks/subscriptions", 413, asJson, {}),
      "media type",
    ],
    ["405 without Allow", exchange("POST", INTEGRATIONS, 405, asProblem, problem(405)), "allow must be"],
    [
      "a problem that names another status (R-G1)",
      exchange("GET", "/none", 404, asProblem, problem(400)),
      "status in the body",
    ],
    [
      "a problem of another request (R-G1)",
      exchange("GET", "/none", 404, asProblem, problem(404, { requestId: "x" })),
      "requestId",
    ],
    ["a body in an answer to HEAD", exchange("HEAD", INTEGRATIONS, 200, kept, []), "HEAD"],
  ])("is broken by %s", (_, answer, sentence) => {
    expect(contractDepartures(answer).join("\n")).toContain(sentence);
    expect(() => expect(answer).toMatchContract(answer)).toThrow("departs from the contract");
  });

  it.each([
    ["404 of an unknown path", exchange("GET", "/nowhere", 404, asProblem, problem(404))],
    [
      "404 below /.well-known",
      exchange("GET", "/.well-known/x", 404, asRefusal, { error: "invalid_request", error_description: "x" }),
    ],
    [
      "405 with Allow",
      exchange("POST", INTEGRATIONS, 405, { ...asProblem, allow: "GET, HEAD, OPTIONS" }, problem(405)),
    ],
    [
      "431 of a declared operation",
      exchange("POST", "/auth/token", 431, asRefusal, { error: "invalid_request", error_description: "x" }),
    ],
    [
      "400 of a path that cannot be decoded",
      exchange("GET", `${INTEGRATIONS}/%E0%A4%A/clients`, 400, asProblem, problem(400)),
    ],
    [
      "400 before an operation was chosen",
      { ...exchange("GET", INTEGRATIONS, 400, asProblem, problem(400)), unrouted: true },
    ],
    ["an answer to HEAD", exchange("HEAD", INTEGRATIONS, 200, kept, "")],
  ])("is kept by %s (R-D7)", (_, answer) => {
    expect(contractDepartures(answer)).toEqual([]);
  });
});

describe("a POST against the AsyncAPI contract", () => {
  const document = JSON.parse(readFileSync("generated/contracts/webhooks.asyncapi.json", "utf8"));
  const [example] = document.components.messages.ClientCreated.examples;
  const post = (payload: object, headers: object = {}) => ({
    headers: { ...example.headers, ...headers },
    body: Buffer.from(JSON.stringify(payload)),
  });

  it("is kept by the example", () => {
    expect(post(example.payload)).toMatchEventContract();
  });

  it.each([
    ["an undeclared type", post({ ...example.payload, type: "client.eaten" }), "the type"],
    [
      "another webhook-id than the body's id",
      post(example.payload, { "webhook-id": "event_4DkSw9XbTm2RzL7QcN5Hx" }),
      "webhook-id",
    ],
    [
      "a signature of another form",
      post(example.payload, { "webhook-signature": "v2,x" }),
      "headers: /webhook-signature",
    ],
    ["an undeclared member", post({ ...example.payload, secret: 1 }), "additional"],
    ["missing data", post({ ...example.payload, data: {} }), "payload: /data"],
  ])("is broken by %s", (_, received, sentence) => {
    expect(eventDepartures(received).join("\n")).toContain(sentence);
    expect(() => expect(received).toMatchEventContract()).toThrow("departs from the contract");
  });
});
