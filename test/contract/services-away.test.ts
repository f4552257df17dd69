import { Failure } from "../../src/runtime/basis/errors.ts";
import type { PromiseClient, ServiceDefinition } from "../../src/runtime/rpc/call.ts";
import { call } from "../support/http.ts";
import { startEdgeAlone, startWholeEdge } from "../support/whole-edge.ts";
import { REST_CONTRACTS } from "./contracts.ts";
import { type ExampleRequest, exampleRequests } from "./example-requests.ts";

/** What the edge answers out of its own settings: a list that grows only on purpose. */
const WITHOUT_SERVICES = ["findPasswordChange", "getAuthorizationServerMetadata", "getOpenidConfiguration"];

const requests = REST_CONTRACTS.flatMap(exampleRequests);
const asking = requests.filter(
  ({ contract, operationId }) => contract !== "portal" && !WITHOUT_SERVICES.includes(operationId),
);
const title = ({ operationId, method, path }: ExampleRequest) =>
  [operationId, `${method} ${path.split("?")[0]}`] as const;
const rows = (chosen: readonly ExampleRequest[]) => chosen.map((request) => [...title(request), request] as const);

const ADDRESSES = { issuer: "http://localhost:8080", gatewayUrl: "http://localhost:8080" };

const send = (url: string, { path, init }: ExampleRequest): ReturnType<typeof call> => call(url, path, init);

it("each of the contracts' operations has an example request", () => {
  expect(requests.length).toBeGreaterThan(40);
  expect(asking.length).toBeGreaterThan(30);
});

describe("an edge whose services cannot be reached (R-X14, R-X160)", () => {
  let edge: Awaited<ReturnType<typeof startEdgeAlone>>;
  beforeAll(async () => {
    edge = await startEdgeAlone(ADDRESSES);
  });
  afterAll(() => edge.stop());

  it.each(rows(asking))("%s (%s) answers 503 with Retry-After, as its contract says", async (_id, _route, request) => {
    const answer = await send(edge.url, request);
    expect([answer.status, answer.headers.get("retry-after"), answer.headers.get("location")]).toEqual([
      503,
      expect.stringMatching(/^[1-9][0-9]*$/),
      null,
    ]);
  });

  it("lets a page of any origin read that the keys are away, and when to ask again (R-X114)", async () => {
    const { status, headers } = await call(edge.url, "/.well-known/jwks.json", {
      headers: { origin: "https://a.example" },
    });
    const readable = ["allow-origin", "expose-headers"].map((name) => headers.get(`access-control-${name}`));
    expect([status, ...readable]).toEqual([503, "*", "x-request-id, www-authenticate, retry-after"]);
  });

  it.each([
    ["a page", "/auth/login?interaction=x", undefined, ["/auth/login?interaction=x"]],
    [
      "a form of ours",
      "/auth/login?interaction=x",
      { form_token: "x", email: "x", password: "x" },
      ["/auth/login?interaction=x"],
    ],
    ["an authorization request", "/auth/authorize?client_id=x", undefined, ["/auth/authorize?client_id=x"]],
    ["an authorization request by POST, whose address says nothing of it", "/auth/authorize", { client_id: "x" }, []],
    ["a request for sign-out by POST", "/auth/logout", { client_id: "x" }, []],
  ])("links to where %s is asked again", async (_title, path, form, links) => {
    const { text } = await call(edge.url, path, form && { method: "POST", form });
    expect([...text.matchAll(/href="(\/auth[^"]*)"/g)].map(([, address]) => address)).toEqual(links);
  });

  it.each(rows(requests.filter((request) => !asking.includes(request))))(
    "%s (%s) needs no services",
    async (_id, _route, request) => {
      expect((await send(edge.url, request)).status).toBeLessThan(500);
    },
  );
});

describe("an edge whose services fail", () => {
  let edge: Awaited<ReturnType<typeof startWholeEdge>>;
  const failing = <S extends ServiceDefinition>(definition: S): PromiseClient<S> => {
    const fail = async () => {
      throw new Failure("INTERNAL", "internal", "Internal error");
    };
    const stream = async function* () {
      yield await fail();
    };
    const methods = Object.entries(definition).map(([name, { responseStream }]) => [
      name,
      responseStream ? stream : fail,
    ]);
    return Object.fromEntries(methods) as PromiseClient<S>;
  };
  beforeAll(async () => {
    edge = await startWholeEdge(failing, ADDRESSES);
  });
  afterAll(() => edge.stop());

  it.each(rows(asking))("%s (%s) answers 500, as its contract says", async (_id, _route, request) => {
    const answer = await send(edge.url, request);
    expect([answer.status, answer.headers.get("location")]).toEqual([500, null]);
    expect(answer.text).not.toContain("INTERNAL");
  });
});
