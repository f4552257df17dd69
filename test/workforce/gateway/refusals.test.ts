import { operations } from "../../../generated/operations/gateway.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, GATEWAY_URL, type Gateway, openFurnished } from "../gateway-fixture.ts";
import type { Workforce } from "../workforce-fixture.ts";
import { fillIds, OPERATIONS } from "./contract-paths.ts";

const UNKNOWN = {
  instanceIntegrationId: "installation_AAAAAAAAAAAAAAAAAAAAA",
  clientId: "client_AAAAAAAAAAAAAAAAAAAAA",
  userId: "user_AAAAAAAAAAAAAAAAAAAAA",
  workerId: "worker_AAAAAAAAAAAAAAAAAAAAA",
};
type IdName = keyof typeof UNKNOWN;

const NOT_FOUND: Readonly<Record<IdName, string>> = {
  instanceIntegrationId: "Instance integration not found",
  clientId: "Client not found",
  userId: "User not found",
  workerId: "Worker not found",
};

/** Every operation with every position of an id in its path. */
const POSITIONS = OPERATIONS.flatMap(({ id, path, positions }) =>
  positions.map(({ name }) => [id, name as IdName, path] as const),
);

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;

  beforeAll(async () => {
    ({ workforce, gateway, have } = await openFurnished(open));
  });
  afterAll(() => gateway.stop());

  const fill = (path: string, ids: Partial<Record<IdName, string>> = {}) => fillIds(path, { ...have.pathIds, ...ids });
  const costOf = async (path: string, secret?: string, init = {}) => {
    gateway.takeCalls();
    const answer = await gateway.get(path, secret, init);
    return { answer, calls: gateway.takeCalls() };
  };

  describe.each(OPERATIONS)("$id", ({ path }) => {
    it("answers 401 to a missing key, with the one challenge and no call (R-G2)", async () => {
      const { answer, calls } = await costOf(fill(path));
      expect(answer.status).toBe(401);
      expect(answer.headers.get("www-authenticate")).toBe('ApiKey realm="gateway"');
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(calls).toEqual([]);
      expect(answer.json()).toEqual({
        type: `${GATEWAY_URL}/problems/unauthorized`,
        title: "Unauthorized",
        status: 401,
        detail: "The API key (header x-api-key) is missing or wrong.",
        code: "unauthorized",
        message: "The API key (header x-api-key) is missing or wrong.",
        requestId: answer.headers.get("x-request-id"),
      });
    });

    it("decides 401 before 400 and 404, 400 before 404 (R-G2)", async () => {
      const malformed = `${fill(path, { instanceIntegrationId: "x" })}`;
      const withBody = { method: "GET", body: "x", headers: { "content-length": "1" } };
      const unknown = fill(path, UNKNOWN);
      const bad = "ghk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD8PzT4";
      expect((await costOf(malformed, bad, withBody)).answer.status).toBe(401);
      expect((await costOf(unknown, bad)).answer.status).toBe(401);
      const refused = await costOf(unknown, have.secret, withBody);
      expect([refused.answer.status, refused.calls]).toEqual([400, ["CheckCaller"]]);
    });

    it("answers 400 to a body, naming it (R-G2)", async () => {
      const { answer } = await costOf(fill(path), have.secret, { method: "GET", body: "{}" });
      expect(answer.status).toBe(400);
      expect(answer.json()).toMatchObject({
        code: "invalid_request",
        detail: "The request is not valid.",
        errors: [{ in: "body", name: "/", detail: "is not taken by this operation" }],
      });
    });
  });

  describe.each(POSITIONS)("%s, %s", (_id, name, path) => {
    it.each([
      ["no prefix", () => "AAAAAAAAAAAAAAAAAAAAA"],
      ["the prefix of another kind", () => (name === "clientId" ? have.instanceId : have.tenant.id)],
      ["another id of the same path", () => (name === "instanceIntegrationId" ? have.worker.id : have.connectionId)],
      ["20 characters", () => UNKNOWN[name].slice(0, -1)],
      ["22 characters", () => `${UNKNOWN[name]}A`],
      ["a letter beyond ASCII", () => `${UNKNOWN[name].slice(0, -1)}%C3%A9`],
      ["an encoded line feed behind", () => `${UNKNOWN[name]}%0A`],
      ["an encoded slash", () => `${UNKNOWN[name].slice(0, -1)}%2F`],
      ["a quote", () => `${UNKNOWN[name].slice(0, -1)}'`],
      ["NUL", () => `${UNKNOWN[name].slice(0, -1)}%00`],
      ["a number", () => "1"],
      ["190 characters", () => "x".repeat(190)],
    ])("answers 400 to %s, for one CheckCaller (R-G13)", async (_, malformed) => {
      const { answer, calls } = await costOf(fill(path, { [name]: malformed() }), have.secret);
      expect([answer.status, calls]).toEqual([400, ["CheckCaller"]]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      const prefix = UNKNOWN[name].split("_", 1)[0];
      expect(answer.json()).toMatchObject({
        errors: [{ in: "path", name, detail: `must be ${prefix}_ followed by 21 letters or digits` }],
      });
    });

    it("answers 404 to an unknown id, with the specification's text (spec §7.4)", async () => {
      const { answer, calls } = await costOf(fill(path, { [name]: UNKNOWN[name] }), have.secret);
      expect([answer.status, calls.length]).toEqual([404, 1]);
      expect(answer.headers.get("cache-control")).toBe("no-store");
      expect(answer.json()).toMatchObject({ detail: NOT_FOUND[name], message: NOT_FOUND[name] });
    });
  });

  it("answers 404 'Instance integration not configured' on the clients of such a one, and lists it (spec §7.4, R-G5)", async () => {
    const path = fill(operations.listClients.path, { instanceIntegrationId: have.unconfiguredId });
    expect((await gateway.get(path, have.secret)).json()).toMatchObject({
      status: 404,
      detail: "Instance integration not configured",
    });
    const list = (await gateway.get("/v1/instance-integrations", have.secret)).json<{ id: string }[]>();
    expect(list.map(({ id }) => id)).toContain(have.unconfiguredId);
  });

  it("names the first of several unknown ids in the path (R-G2)", async () => {
    for (const { path } of OPERATIONS.filter(({ positions }) => positions.length > 0)) {
      const all = await gateway.get(fill(path, UNKNOWN), have.secret);
      expect(all.json()).toMatchObject({ detail: NOT_FOUND.instanceIntegrationId });
    }
    for (const { path } of OPERATIONS.filter(({ positions }) => positions.some(({ name }) => name === "clientId"))) {
      const below = await gateway.get(
        fill(path, { ...UNKNOWN, instanceIntegrationId: have.connectionId }),
        have.secret,
      );
      expect(below.json()).toMatchObject({ detail: NOT_FOUND.clientId });
    }
  });

  it("refuses a revoked key at once (R-G11)", async () => {
    const { secret, apiKeyId } = await workforce.integration(have.instanceId);
    expect((await gateway.get("/v1/instance-integrations", secret)).status).toBe(200);
    await workforce.operator.revokeApiKey({ apiKeyId });
    expect((await gateway.get("/v1/instance-integrations", secret)).status).toBe(401);
  });
});
