import { join } from "node:path";
import BetterSqlite3 from "better-sqlite3";
import { ApiKeyScope } from "../../generated/proto/gatehouse/workforce/v1/operator.ts";
import { betweenCommits } from "../support/between-commits.ts";
import { call } from "../support/http.ts";
import { present } from "../support/world.ts";
import type { Installations } from "./installations.ts";

/** Who asks: an integration of one case alone, since what an integration may have and do is limited. */
interface Owner {
  readonly integrationId: string;
  readonly instanceIntegrationId: string;
  readonly apiKey: string;
}

/** What the operations on webhooks are about, made fresh for each case by the product itself as far as it can be. */
export class WebhooksRoom {
  readonly #installations: Installations;
  readonly owner: Owner;

  private constructor(installations: Installations, owner: Owner) {
    this.#installations = installations;
    this.owner = owner;
  }

  static async open(installations: Installations, name: string): Promise<WebhooksRoom> {
    const { gatehouse, world } = installations;
    const { integration } = await gatehouse.workforce.createIntegration({ requestId: "", name });
    const integrationId = present(integration).id;
    const { instanceIntegration } = await gatehouse.workforce.connectIntegration({
      ...{ requestId: "", integrationId, instanceId: world.instanceId, configured: true },
    });
    const { secret: apiKey } = await gatehouse.workforce.issueApiKey({
      ...{ integrationId, label: name, expiresAt: null, rateLimit: null, scopes: [ApiKeyScope.WEBHOOKS] },
    });
    return new WebhooksRoom(installations, {
      integrationId,
      apiKey,
      instanceIntegrationId: present(instanceIntegration).id,
    });
  }

  /** An instance integration whose set-up is not finished. */
  async unconfigured(): Promise<string> {
    const { platform, workforce } = this.#installations.gatehouse;
    const { instance } = await platform.createInstance({ requestId: "", name: "Unfinished" });
    const { integrationId } = this.owner;
    const { instanceIntegration } = await workforce.connectIntegration({
      ...{ requestId: "", integrationId, instanceId: present(instance).id, configured: false },
    });
    return present(instanceIntegration).id;
  }

  /** Lets webhooks know another state of the owner's instance integration. */
  async setConnection(state: "unconfigured" | "revoked"): Promise<void> {
    await this.write(
      `insert into webhooks_connections (instance_integration_id, state, revision) values (?, ?, 1000000)
       on conflict (instance_integration_id) do update set state = excluded.state, revision = excluded.revision`,
      this.owner.instanceIntegrationId,
      state,
    );
  }

  /** Asks the product with the owner's key. @throws Error for any refusal. */
  async ask<T = unknown>(method: string, path: string, json?: object): Promise<T> {
    const headers = { "x-api-key": this.owner.apiKey };
    const { urls } = this.#installations;
    const answer = await call(urls.whole, `/v1/webhooks${path}`, { method, headers, ...(json && { json }) });
    if (answer.status >= 300) throw new Error(`${method} ${path}: ${answer.status} ${answer.text}`);
    return (answer.text === "" ? undefined : answer.json()) as T;
  }

  /** Without an endpoint. */
  pullOnly(eventTypes: readonly string[] = ["*"]): Promise<string> {
    return this.#subscription("", eventTypes);
  }

  /** With an endpoint that answers 500 to everything, and trusted by the operator without a ping. */
  withEndpoint(): Promise<string> {
    return this.#subscription(this.#installations.hookUrl, ["*"]);
  }

  async #subscription(endpointUrl: string, eventTypes: readonly string[]): Promise<string> {
    const { subscription } = await this.#installations.gatehouse.webhooks.createSubscription({
      label: `case-${crypto.randomUUID()}`,
      instanceIntegrationId: this.owner.instanceIntegrationId,
      endpointUrl,
      eventTypes: [...eventTypes],
      tenantIds: [],
      options: null,
    });
    return subscription?.id ?? "";
  }

  /** Without an endpoint, with a key pair besides its secret. */
  async withKeyPair(): Promise<string> {
    const subscriptionId = await this.pullOnly();
    await this.ask("POST", `/subscriptions/${subscriptionId}/secrets`, { kind: "asymmetric" });
    return subscriptionId;
  }

  /** Another endpoint, which does not acknowledge its ping. */
  async changeEndpoint(subscriptionId: string): Promise<void> {
    const endpointUrl = `${this.#installations.hookUrl}/${crypto.randomUUID()}`;
    await this.ask("PATCH", `/subscriptions/${subscriptionId}`, { endpointUrl });
  }

  async testEvent(subscriptionId: string): Promise<{ readonly eventId: string; readonly deliveryId: string }> {
    return await this.ask("POST", `/subscriptions/${subscriptionId}/test-events`, { type: "user.updated" });
  }

  /** A delivery that was skipped while the subscription, which has an endpoint and is active again, was paused. */
  async skipped() {
    const subscriptionId = await this.withEndpoint();
    await this.ask("POST", `/subscriptions/${subscriptionId}/pause`);
    const made = await this.testEvent(subscriptionId);
    await this.ask("POST", `/subscriptions/${subscriptionId}/resume`);
    return { subscriptionId, ...made };
  }

  /** A recovery that stays as it is. */
  async pausedRecovery() {
    const { subscriptionId } = await this.skipped();
    const { id: recoveryId } = await this.ask<{ id: string }>("POST", "/recoveries", lastMinute(subscriptionId));
    await this.ask("POST", `/recoveries/${recoveryId}/pause`);
    return { subscriptionId, recoveryId };
  }

  /** Writes into the store what no call brings about. */
  async write(statement: string, ...values: readonly string[]): Promise<void> {
    const store = new BetterSqlite3(join(this.#installations.gatehouse.dataDirectory, "gatehouse.sqlite"), {
      timeout: 0,
    });
    try {
      await betweenCommits(() => store.prepare(statement).run(...values));
    } finally {
      store.close();
    }
  }
}

/** A recovery of what was made just now. */
export const lastMinute = (subscriptionId: string) => ({
  subscriptionId,
  from: new Date(Date.now() - 60_000).toISOString(),
});
