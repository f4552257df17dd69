import { ApiKeyScope } from "../../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { inProcessCarrier } from "../../../src/runtime/rpc/in-process.ts";
import { webhooksMigrations } from "../../../src/webhooks/services.ts";
import { workforceMigrations } from "../../../src/workforce/services.ts";
import { auditEntries } from "../../support/audited.ts";
import { quietBoundary } from "../../support/carriers.ts";
import type { Answer, CallInit } from "../../support/http.ts";
import type { OpenStore } from "../../support/stores.ts";
import { startGateway } from "../../workforce/gateway-fixture.ts";
import { there, workforceOver } from "../../workforce/workforce-fixture.ts";
import { type KitOptions, webhooksKit } from "../webhooks-kit.ts";

/** One integration, connected with one instance, and what it has of webhooks. */
export interface Integrator {
  readonly integrationId: string;
  readonly instanceId: string;
  readonly instanceIntegrationId: string;
  readonly tenantId: string;
  /** A key with both scopes. */
  readonly secret: string;
  readonly apiKeyId: string;
}

/** What one asks with: a key, or none. */
export interface Asking extends Pick<CallInit, "headers" | "json" | "body"> {
  readonly secret?: string;
}

export type IntegratorApi = Awaited<ReturnType<typeof openIntegratorApi>>;

/** Workforce and webhooks over one store behind the real listener, and two integrations that know nothing of each other. */
export async function openIntegratorApi(
  open: OpenStore,
  flags: Readonly<Record<string, string>> = {},
  more: Pick<KitOptions, "resolve"> = {},
) {
  const opened = await open([workforceMigrations, webhooksMigrations]);
  const workforce = workforceOver(opened);
  const { connect } = inProcessCarrier({
    ...{ peer: "services", registrations: workforce.registrations },
    ...{ interceptors: quietBoundary(), hand: "encoded" },
  });
  const kit = webhooksKit(opened, { clock: workforce.clock, connect, flags, ...more });
  const gateway = await startGateway([...workforce.registrations, ...kit.registrations]);

  const key = async (integrationId: string, scopes: ApiKeyScope[], label = "test") => {
    const { apiKey, secret } = await workforce.operator.issueApiKey({ integrationId, label, rateLimit: null, scopes });
    return { apiKeyId: there(apiKey).id, secret };
  };
  const integrator = async (name: string): Promise<Integrator> => {
    const instanceId = await workforce.instance(name);
    const { integrationId, connectionId } = await workforce.integration(instanceId);
    const { id: tenantId } = await workforce.tenant(instanceId);
    const issued = await key(integrationId, [ApiKeyScope.READ, ApiKeyScope.WEBHOOKS]);
    return { integrationId, instanceId, instanceIntegrationId: connectionId, tenantId, ...issued };
  };
  const mine = await integrator("Europe");
  const theirs = await integrator("Elsewhere");
  const ask = (method: string, path: string, { secret, headers, ...sent }: Asking = {}): Promise<Answer> =>
    gateway.get(path, secret, {
      method,
      ...(headers && { headers }),
      ...sent,
    });

  const api = {
    opened,
    workforce,
    kit,
    gateway,
    clock: workforce.clock,
    mine,
    theirs,
    key,
    ask,
    /** With my key; fails unless the answer is good. */
    async mineOf<T>(method: string, path: string, json?: unknown): Promise<T> {
      const answer = await ask(method, path, { secret: mine.secret, ...(json !== undefined && { json }) });
      if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
      return (answer.text === "" ? undefined : answer.json()) as T;
    },
    /** A subscription to everything without an endpoint unless the arguments say otherwise; of an integrator's own making. */
    async subscribe(of: Integrator = mine, more: object = {}): Promise<string> {
      workforce.clock.step(1);
      const json = { instanceIntegrationId: of.instanceIntegrationId, eventTypes: ["*"], ...more };
      const answer = await ask("POST", "/v1/webhooks/subscriptions", { secret: of.secret, json });
      if (answer.status !== 201) throw new Error(`${answer.status} ${answer.text}`);
      return answer.json<{ subscription: { id: string } }>().subscription.id;
    },
    /** Entries of the audit log about an object, the oldest first. */
    audit: (object: string) => auditEntries(opened.store, ["actor", "action"], { object }),
  };
  return api;
}
