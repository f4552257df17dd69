import { ApiKeyScope } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { call } from "../support/http.ts";
import type { Case } from "./cases.ts";
import type { Installations } from "./installations.ts";
import { type Ask, both, notApplicable, type SetUp } from "./set-up.ts";
import { webhooksSetUp } from "./webhooks-set-ups.ts";

const UNKNOWN: Readonly<Record<string, readonly [parameter: string, id: string]>> = {
  instanceIntegrationNotFound: ["instanceIntegrationId", "installation_000000000000000000000"],
  clientNotFound: ["clientId", "client_000000000000000000000"],
  userNotFound: ["userId", "user_000000000000000000000"],
  workerNotFound: ["workerId", "worker_000000000000000000000"],
};

/** Brings about a case of the gateway; undefined for an unknown case. */
export async function gatewaySetUp(one: Case, installations: Installations): Promise<SetUp | undefined> {
  if (one.path.startsWith("/v1/webhooks/")) return webhooksSetUp(one, installations);
  const { world, workerId, unconfiguredId, urls } = installations;
  const ids: Readonly<Record<string, string>> = {
    instanceIntegrationId: world.instanceIntegrationId,
    clientId: world.tenantId,
    userId: world.userId,
    workerId,
  };
  const own = Object.fromEntries(Object.keys(one.shown.path).map((name) => [name, ids[name] ?? ""]));
  const good: Ask = { apiKey: world.apiKey, path: own };
  const named = Object.keys(own).at(-1);
  const address = one.path.replaceAll(/\{(\w+)\}/g, (_, name: string) => own[name] ?? "");
  switch (one.status) {
    case 200:
      return both(good);
    case 304: {
      const { headers } = await call(urls.whole, address, { headers: { "x-api-key": world.apiKey } });
      return both({ ...good, headers: { "if-none-match": headers.get("etag") ?? "" } });
    }
    case 400:
      return named === undefined
        ? { server: { ...good, body: "{}" }, sdk: notApplicable("it sends no body where the operation takes none") }
        : both({ ...good, path: { ...own, [named]: "nonsense" } });
    case 401:
      return both({ ...good, apiKey: "wrong" });
    case 403: {
      const { secret: apiKey } = await installations.gatehouse.workforce.issueApiKey({
        ...{ integrationId: world.integrationId, label: one.name, expiresAt: null, rateLimit: null },
        scopes: [ApiKeyScope.WEBHOOKS],
      });
      return both({ ...good, apiKey });
    }
    case 404: {
      if (one.example === "instanceIntegrationNotConfigured")
        return both({ ...good, path: { ...own, instanceIntegrationId: unconfiguredId } });
      const unknown = UNKNOWN[one.example ?? ""];
      return unknown === undefined ? undefined : both({ ...good, path: { ...own, [unknown[0]]: unknown[1] } });
    }
    case 412:
      return {
        server: { ...good, headers: { "if-match": '"another"' } },
        sdk: notApplicable("it has no If-Match (R-X420)"),
      };
    case 429: {
      const { secret: apiKey } = await installations.gatehouse.workforce.issueApiKey({
        integrationId: world.integrationId,
        label: one.name,
        expiresAt: null,
        rateLimit: { perSecond: 1, burst: 1 },
        scopes: [],
      });
      const headers = { "x-api-key": apiKey };
      return both({ ...good, apiKey, first: async () => void (await call(urls.whole, address, { headers })) });
    }
    case 500:
      return both({ ...good, at: "failing" });
    case 503:
      return both({ ...good, at: "unreachable" });
    default:
      return undefined;
  }
}
