import { CallersService } from "../../../generated/proto/gatehouse/workforce/v1/callers.ts";
import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { eachStore } from "../../support/stores.ts";
import { fillIds, OPERATIONS, unknownIds } from "../gateway/contract-paths.ts";
import { type Furniture, type Gateway, openFurnished } from "../gateway-fixture.ts";
import { there, type Workforce, withKey } from "../workforce-fixture.ts";

const { READ, WEBHOOKS, UNSPECIFIED } = ApiKeyScope;

eachStore((_, open) => {
  describe("the scopes of a key (R-X295)", () => {
    let workforce: Workforce;
    let gateway: Gateway;
    let have: Furniture;

    beforeAll(async () => {
      ({ workforce, gateway, have } = await openFurnished(open));
    });
    afterAll(() => gateway.stop());

    const issue = async (scopes: ApiKeyScope[]) => {
      const request = { integrationId: have.integrationId, label: `of ${scopes.join()}`, rateLimit: null, scopes };
      const { apiKey, secret } = await workforce.operator.issueApiKey(request);
      return { ...there(apiKey), secret };
    };
    const callers = () =>
      inProcessCarrier({
        ...{ peer: "services", registrations: workforce.registrations },
        ...{ interceptors: quietBoundary(), hand: "encoded" },
      }).connect(CallersService);
    const admit = (secret: string, scope: ApiKeyScope) =>
      callers().admitCaller({ scope, operation: "listSubscriptions", ids: [], again: false }, withKey(secret));

    it.each([
      ["none", [], [READ]],
      ["read", [READ], [READ]],
      ["webhooks", [WEBHOOKS], [WEBHOOKS]],
      ["both, in another order and twice", [WEBHOOKS, READ, WEBHOOKS], [READ, WEBHOOKS]],
    ])("issued with %s are shown in one order, by the answer and in the list", async (__, given, shown) => {
      const { id, scopes } = await issue(given);
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId: have.integrationId, after: null });
      expect([scopes, apiKeys.find((key) => key.id === id)?.scopes]).toEqual([shown, shown]);
    });

    it("are known ones", async () => {
      await expect(issue([READ, UNSPECIFIED])).rejects.toMatchObject({
        code: "INVALID_ARGUMENT",
        violations: [{ field: "scopes", reason: "must be known scopes" }],
      });
    });

    it("are read alone for a key that an earlier program issues", async () => {
      const { id } = await issue([WEBHOOKS]);
      const old = "apikey_BBBBBBBBBBBBBBBBBBBBB";
      await workforce.raw(`
        insert into workforce_api_keys (id, integration_id, label, look_up, digest, created_at)
        select '${old}', integration_id, label, 'BBBBBBBBBBBB', digest, created_at
        from workforce_api_keys where id = '${id}'`);
      const { apiKeys } = await workforce.operator.listApiKeys({ integrationId: have.integrationId, after: null });
      expect(apiKeys.find((key) => key.id === old)?.scopes).toEqual([READ]);
    });

    it.each(OPERATIONS.map((operation) => [operation.id, operation] as const))(
      "answer 403 that names the one %s asks for, before anything else is looked at but key and rate",
      async (__, operation) => {
        const { secret } = await issue([WEBHOOKS]);
        for (const path of [fillIds(operation.path, unknownIds(operation)), `${operation.path}?limit=0`]) {
          const answer = await gateway.get(path, secret);
          expect(answer.status).toBe(403);
          expect(answer.json()).toMatchObject({
            code: "scope_missing",
            detail: "This API key lacks the scope read.",
            requestId: answer.headers.get("x-request-id"),
          });
          expect(answer.headers.get("ratelimit")).toMatch(/r=\d+/);
        }
      },
    );

    it("leave a record that operators have explained (R-X199)", async () => {
      const { secret, label } = await issue([WEBHOOKS]);
      const { headers } = await gateway.get("/v1/instance-integrations", secret);
      const requestId = headers.get("x-request-id") ?? "";
      expect(await workforce.operator.explainGatewayRefusal({ requestId })).toMatchObject({
        ...{ operation: "listInstanceIntegrations", check: "scope.missing", apiKeyLabel: label },
        advice: expect.stringContaining("gatehouse api-keys issue --scope"),
      });
    });

    it("say to webhooks whose key it is, or refuse", async () => {
      const both = await issue([READ, WEBHOOKS]);
      const { integrationId, label: apiKeyLabel, id: apiKeyId } = both;
      expect(await admit(both.secret, WEBHOOKS)).toEqual({ integrationId, apiKeyId, apiKeyLabel });
      const reading = await issue([]);
      await expect(admit(reading.secret, WEBHOOKS)).rejects.toMatchObject({
        ...{ code: "PERMISSION_DENIED", reason: "scope_missing" },
        message: "This API key lacks the scope webhooks.",
      });
      await expect(admit(both.secret, UNSPECIFIED)).rejects.toMatchObject({ code: "INVALID_ARGUMENT" });
    });

    it.each([
      ["without a key", () => callers().admitCaller({ scope: WEBHOOKS, operation: "x", ids: [], again: false })],
      [
        "with a revoked key",
        async () => {
          const { id, secret } = await issue([WEBHOOKS]);
          await workforce.operator.revokeApiKey({ apiKeyId: id });
          return admit(secret, WEBHOOKS);
        },
      ],
    ])("are not looked at %s", async (__, ask) => {
      await expect(ask()).rejects.toMatchObject({ code: "UNAUTHENTICATED", reason: "unauthenticated" });
    });
  });
});
