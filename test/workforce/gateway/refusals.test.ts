import { operations } from "../../../generated/operations/gateway.ts";
import type { Answer } from "../../support/http.ts";
import { eachStore } from "../../support/stores.ts";
import { type Furniture, furnish, GATEWAY_URL, type Gateway, startGateway } from "../gateway-fixture.ts";
import { openWorkforce, type Workforce } from "../workforce-fixture.ts";

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

const OPERATIONS = Object.entries(operations).map(([id, { path }]) => ({
  id,
  path,
  names: [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name as IdName),
}));
/** Every operation with every position of an id in its path. */
const POSITIONS = OPERATIONS.flatMap(({ id, path, names }) => names.map((name) => [id, name, path] as const));

/** All that may differ between two answers that must be alike (R-G3). */
const shown = ({ status, headers, text }: Answer) => {
  const requestId = headers.get("x-request-id") ?? "";
  const kept = [...headers].filter(([name]) => !["x-request-id", "date", "ratelimit"].includes(name));
  return { status, headers: kept, text: text.replaceAll(requestId, "REQUEST") };
};

eachStore((_, open) => {
  let workforce: Workforce;
  let gateway: Gateway;
  let have: Furniture;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    gateway = await startGateway(workforce.registrations);
    have = await furnish(workforce);
  });
  afterAll(() => gateway.stop());

  const fill = (path: string, ids: Partial<Record<IdName, string>> = {}) => {
    const mine = {
      instanceIntegrationId: have.connectionId,
      clientId: have.tenant.id,
      userId: have.user.id,
      workerId: have.worker.id,
    };
    return path.replaceAll(/\{(\w+)\}/g, (_, name: IdName) => ids[name] ?? mine[name]);
  };
  const foreign = () => ({
    instanceIntegrationId: have.theirs.connectionId,
    clientId: have.foreignTenant.id,
    userId: have.foreignUser.id,
    workerId: have.foreignWorker.id,
  });
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
        detail: "The API key is missing or wrong.",
        code: "unauthorized",
        message: "The API key is missing or wrong.",
        requestId: answer.headers.get("x-request-id"),
      });
    });

    it("answers every kind of bad key alike (R-G2)", async () => {
      const other = (await workforce.integration(have.instanceId)).secret;
      const { apiKeys } = await workforce.operator.listApiKeys({
        integrationId: (await workforce.operator.listIntegrations({})).integrations.at(-1)?.integration?.id ?? "",
      });
      await workforce.operator.revokeApiKey({ apiKeyId: apiKeys[0]?.id ?? "" });
      const expired = await workforce.integration(have.instanceId);
      await workforce.raw(`update workforce_api_keys set expires_at = 1 where id = '${expired.apiKeyId}'`);
      const unknown = "ghk_AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAD8PzT4";
      const keys = [
        "",
        "x",
        have.secret.slice(1),
        `${have.secret}A`,
        have.secret.toLowerCase(),
        other,
        unknown,
        expired.secret,
      ];
      const answers = await Promise.all(keys.map((key) => gateway.get(fill(path), key)));
      const [missing] = [await gateway.get(fill(path))];
      expect(answers.map(shown)).toEqual(keys.map(() => shown(missing as Answer)));
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

    it("answers a foreign id byte for byte like an unknown one (R-G3)", async () => {
      const answers = [
        await gateway.get(fill(path, { [name]: UNKNOWN[name] }), have.secret),
        await gateway.get(fill(path, { [name]: foreign()[name] }), have.secret),
      ];
      expect(answers[0]?.status).toBe(404);
      expect(shown(answers[1] as Answer)).toEqual(shown(answers[0] as Answer));
    });
  });

  it("shows nothing of another integration below its own ids, and lets that integration read it", async () => {
    for (const { path, names } of OPERATIONS.filter(({ names }) => names.length > 0)) {
      const theirs = fill(path, foreign());
      expect([names, (await gateway.get(theirs, have.secret)).status]).toEqual([names, 404]);
      expect([names, (await gateway.get(theirs, have.theirs.secret)).status]).toEqual([names, 200]);
    }
  });

  it("does not find a client of one instance under the connection with another, or a user or worker under another client", async () => {
    const client = fill(operations.getClient.path, { instanceIntegrationId: have.otherConnectionId });
    const user = fill(operations.getUser.path, { clientId: have.bare.id });
    const worker = fill(operations.getWorkerV2.path, { clientId: have.bare.id });
    expect((await gateway.get(client, have.secret)).json()).toMatchObject({ code: "client_not_found" });
    expect((await gateway.get(user, have.secret)).json()).toMatchObject({ code: "user_not_found" });
    expect((await gateway.get(worker, have.secret)).json()).toMatchObject({ code: "worker_not_found" });
  });

  describe.each(POSITIONS.filter(([, name]) => name !== "instanceIntegrationId"))("%s, %s", (_id, name, path) => {
    it.each([
      ["one of its own", () => ({})],
      ["an unknown one", () => ({ [name]: UNKNOWN[name] })],
      ["a foreign one", () => ({ [name]: foreign()[name] })],
    ])("answers 404 'Instance integration not configured' below such a one, to %s (R-G5)", async (_, ids) => {
      const answer = await gateway.get(
        fill(path, { ...ids(), instanceIntegrationId: have.unconfiguredId }),
        have.secret,
      );
      expect([answer.status, answer.json<{ detail: string }>().detail]).toEqual([
        404,
        "Instance integration not configured",
      ]);
    });

    it("answers 400 to a malformed one all the same (R-G2)", async () => {
      const ids = { instanceIntegrationId: have.unconfiguredId, [name]: "x" };
      expect((await gateway.get(fill(path, ids), have.secret)).status).toBe(400);
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

  it("says of several unknown ids what comes first in the path (R-G2)", async () => {
    for (const { path, names } of OPERATIONS.filter(({ names }) => names.length > 0)) {
      const all = await gateway.get(fill(path, UNKNOWN), have.secret);
      expect(all.json()).toMatchObject({ detail: NOT_FOUND.instanceIntegrationId });
      if (!names.includes("clientId")) continue;
      const below = await gateway.get(
        fill(path, { ...UNKNOWN, instanceIntegrationId: have.connectionId }),
        have.secret,
      );
      expect(below.json()).toMatchObject({ detail: NOT_FOUND.clientId });
    }
  });

  it("does not tell whether a foreign connection is configured", async () => {
    const { integrationId } = await workforce.integration();
    const request = { requestId: "", integrationId, instanceId: have.instanceId, configured: false };
    const { instanceIntegration } = await workforce.operator.connectIntegration(request);
    const path = fill(operations.listClients.path, { instanceIntegrationId: instanceIntegration?.id ?? "" });
    expect((await gateway.get(path, have.secret)).json()).toMatchObject({ code: "instance_integration_not_found" });
  });

  it("refuses a revoked key at once (R-G11)", async () => {
    const { secret, apiKeyId } = await workforce.integration(have.instanceId);
    expect((await gateway.get("/v1/instance-integrations", secret)).status).toBe(200);
    await workforce.operator.revokeApiKey({ apiKeyId });
    expect((await gateway.get("/v1/instance-integrations", secret)).status).toBe(401);
  });
});
