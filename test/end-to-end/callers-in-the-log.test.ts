import { readFileSync } from "node:fs";
import { join } from "node:path";
import { exchange, obtainCode, redeem } from "../support/browser.ts";
import { eventually } from "../support/eventually.ts";
import { type Carriage, type Gatehouse, openGatehouse } from "../support/gatehouse.ts";
import { type Answer, call } from "../support/http.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld } from "../support/world.ts";

interface Line {
  readonly requestId?: string;
  readonly operationId?: string;
  readonly status?: number;
  readonly caller?: string;
  readonly msg: string;
}

/** The lines of the answers to these requests, once all are written, in the order in which they were answered. */
const answersOf = (gatehouse: Gatehouse, requestIds: readonly (string | null)[]): Promise<readonly Line[]> =>
  eventually(
    async () =>
      readFileSync(join(gatehouse.dataDirectory, "gatehouse.log"), "utf8")
        .split("\n")
        // The last one may not be there as a whole.
        .slice(0, -1)
        .map((text) => JSON.parse(text) as Line)
        .filter(({ msg, requestId = "" }) => msg === "Answered." && requestIds.includes(requestId)),
    (lines) => lines.length === requestIds.length,
  );

describe.each<[Carriage, string, string]>([
  ["in process", "a limit", "100000"],
  ["socket", "no limit", "0"],
])("the log of an edge, calls carried %s, keys with %s", (carriage, _, perSecond) => {
  withScope((closeLater) => {
    it("names the key of each answer that a key was proven for, by its public id (R-X432)", async () => {
      const flags = { "gateway-rate-per-second": perSecond, "log-level": "info", "log-destination": "file" };
      const gatehouse = await openGatehouse(closeLater, { carriage, flags });
      const { apiKey, instanceIntegrationId } = await makeWorld(gatehouse);
      const { apiKey: found } = await gatehouse.workforce.findApiKey({ secret: apiKey });
      const get = async (path: string, key: string) =>
        (await call(gatehouse.url, path, { headers: { "x-api-key": key } })).headers.get("x-request-id");
      const clients = (id: string) => `/v1/instance-integrations/${id}/clients`;
      const requestIds = [
        await get(clients(instanceIntegrationId), apiKey),
        await get(clients("installation_AAAAAAAAAAAAAAAAAAAAA"), apiKey),
        await get(clients("4711"), apiKey),
        await get("/v1/webhooks/subscriptions", apiKey),
        await get(clients(instanceIntegrationId), `${apiKey.slice(0, -1)}!`),
      ];
      const answered = await answersOf(gatehouse, requestIds);
      expect(found?.id).toMatch(/^apikey_/);
      expect(answered.map(({ operationId, status, caller }) => [operationId, status, caller])).toEqual([
        ["listClients", 200, found?.id],
        ["listClients", 404, found?.id],
        ["listClients", 400, found?.id],
        ["listSubscriptions", expect.any(Number), found?.id],
        ["listClients", 401, undefined],
      ]);
      expect(JSON.stringify(answered)).not.toContain(apiKey.slice(0, 16));
    });
  });
});

describe("the log of an edge, requests of applications", () => {
  withScope((closeLater) => {
    it("names the application of each answer to one that its secret authenticated, by its client id (R-X432)", async () => {
      const flags = { "log-level": "info", "log-destination": "file" };
      const gatehouse = await openGatehouse(closeLater, { flags });
      const world = await makeWorld(gatehouse);
      const { id, secret } = world.application;
      const scope = "openid offline_access";
      const exchanged = await redeem(gatehouse.url, world, await obtainCode(gatehouse.url, world, { scope }));
      const refresh_token = exchanged.json<{ readonly refresh_token: string }>().refresh_token;
      const authorization = `Basic ${Buffer.from(`${id}:${secret}`).toString("base64")}`;
      const form = { token: refresh_token };
      const answers: readonly Answer[] = [
        exchanged,
        await exchange(gatehouse.url, world, { grant_type: "refresh_token", refresh_token }),
        await call(gatehouse.url, "/auth/introspect", { headers: { authorization }, form }),
        await call(gatehouse.url, "/auth/revoke", { form: { ...form, client_id: id, client_secret: secret } }),
        await call(gatehouse.url, "/auth/revoke", { form: { ...form, client_id: id } }),
        await call(gatehouse.url, "/auth/introspect", {
          form: { ...form, client_id: id, client_secret: `${secret}x` },
        }),
      ];
      const answered = await answersOf(
        gatehouse,
        answers.map(({ headers }) => headers.get("x-request-id")),
      );
      expect(answered.map(({ operationId, status, caller }) => [operationId, status, caller])).toEqual([
        ["exchangeToken", 200, id],
        ["exchangeToken", 200, id],
        ["introspectToken", 200, id],
        ["revokeToken", 200, id],
        ["revokeToken", 400, undefined],
        ["introspectToken", 401, undefined],
      ]);
      expect(JSON.stringify(answered)).not.toContain(secret);
    });
  });
});
