import { onEndingSignals } from "#runtime/process/lifecycle.ts";
import { present } from "../../connection/answers.ts";
import type { Asked } from "../../connection/verb.ts";
import { type Advice, adviceText, atSameGatehouse, run } from "../../output/advice.ts";
import { card, type Facts } from "../../output/card.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { paintFor } from "../../output/paint.ts";
import { write } from "../../output/streams.ts";
import { toScopeWords } from "../integrations/key-scopes.ts";
import type { Existing } from "./existing.ts";
import type { HandOverFile, HandOverValues } from "./hand-over-file.ts";
import { disabledApplication, inactiveSubscription } from "./inactive.ts";
import {
  type Inactive,
  type Onboarded,
  type OnboardedPart,
  onboardedFacts,
  onboardedJson,
  type PartName,
} from "./onboarded-shown.ts";
import { apiKeyRequest, applicationRequest, subscriptionRequest } from "./requests.ts";
import type { Wanted } from "./wanted.ts";

const SECRETS = ["API_KEY", "APPLICATION_SECRET", "WEBHOOK_SECRET"] as const;

/** Steps in the order in which each needs the one before; what each has made is kept as soon as it is known. */
export class Onboarding {
  readonly #asked: Asked;
  readonly #wanted: Wanted;
  readonly #existing: Existing;
  readonly #file: HandOverFile | undefined;
  readonly #parts = new Map<PartName, OnboardedPart>();
  #values: HandOverValues;
  /** Values that are not in the file, for all that is known. */
  #unsaved: HandOverValues = {};

  constructor(asked: Asked, wanted: Wanted, existing: Existing, file: HandOverFile | undefined) {
    this.#asked = asked;
    this.#wanted = wanted;
    this.#existing = existing;
    this.#file = file;
    this.#values = file?.values ?? {};
  }

  get guide(): string {
    return `${this.#values.GATEWAY_URL}/docs/guides/quickstart`;
  }

  /** Whether there is a secret to hand over: of this run, or of an interrupted one before. */
  get hasSecrets(): boolean {
    return SECRETS.some((name) => this.#values[name] !== undefined);
  }

  /** @throws what a step throws, or a CommandError on Ctrl-C, SIGTERM or SIGHUP, after it has printed what was made. */
  async makeAll(asJson: boolean): Promise<void> {
    let interrupted = false;
    const stopListening = onEndingSignals(() => {
      interrupted = true;
    });
    try {
      for (const step of [
        () => this.#addresses(),
        () => this.#integration(),
        () => this.#apiKey(),
        () => this.#application(),
        () => this.#subscription(),
      ]) {
        // A step that has begun is finished: its answer may have a secret.
        if (interrupted) throw commandError(EXIT.refused, INTERRUPTED);
        await step();
      }
    } catch (error) {
      if (this.#parts.size === 0) await this.#file?.discard();
      else await this.#sayWhatWasMade(asJson);
      throw error;
    } finally {
      stopListening();
    }
  }

  async #addresses(): Promise<void> {
    const { signOn, workforce, call } = this.#asked;
    const { issuer } = await signOn.getIssuer({}, call);
    const { gatewayUrl } = await workforce.getGatewayUrl({}, call);
    await this.#keep({ ISSUER: issuer, GATEWAY_URL: gatewayUrl ?? issuer });
    await this.#file?.remark(`Begin here: ${this.guide}`);
  }

  async #integration(): Promise<void> {
    const { workforce, call, requestId } = this.#asked;
    const { instance, name } = this.#wanted;
    const { integration: before, instanceIntegration: connected } = this.#existing;
    const integration =
      before ??
      present((await workforce.createIntegration({ requestId: `${requestId}-integration`, name }, call)).integration);
    this.#parts.set("integration", { id: integration.id, made: before === undefined });
    const request = { requestId: `${requestId}-connect`, integrationId: integration.id, instanceId: instance.id };
    const made =
      connected ??
      present((await workforce.connectIntegration({ ...request, configured: true }, call)).instanceIntegration);
    this.#parts.set("instance integration", { id: made.id, made: connected === undefined });
    if (!made.configured) {
      const configuring = { requestId: `${requestId}-configure`, instanceIntegrationId: made.id, configured: true };
      await workforce.configureInstanceIntegration(configuring, call);
    }
    await this.#keep({ INSTANCE_INTEGRATION_ID: made.id });
  }

  async #apiKey(): Promise<void> {
    const { workforce, call, requestId } = this.#asked;
    const { name } = this.#wanted;
    const { apiKey: before } = this.#existing;
    if (before !== undefined) {
      const remedy = run`gatehouse api-keys issue --integration ${name} --label …`;
      return this.#found("API key", before.id, "API_KEY", remedy, { scopes: toScopeWords(before.scopes) });
    }
    const integrationId = this.#parts.get("integration")?.id ?? "";
    const request = { ...apiKeyRequest(this.#wanted, integrationId), requestId: `${requestId}-key` };
    const { apiKey, secret } = await workforce.issueApiKey(request, call);
    const { id, scopes: given } = present(apiKey);
    this.#parts.set("API key", { id, made: true, scopes: toScopeWords(given) });
    await this.#keep({ API_KEY: secret });
  }

  async #application(): Promise<void> {
    const { signOn, call } = this.#asked;
    const { application: wanted } = this.#wanted;
    if (wanted === undefined) return;
    const [redirectUri = ""] = wanted.redirectUris;
    const { application: before } = this.#existing;
    if (before !== undefined) {
      await this.#keep({ APPLICATION_ID: before.id, REDIRECT_URI: redirectUri });
      const inactive = this.#here(disabledApplication(before));
      if (wanted.kind !== "web")
        return void this.#parts.set("application", { id: before.id, made: false, ...inactive });
      const remedy = run`gatehouse applications rotate-secret ${before.id}`;
      return this.#found("application", before.id, "APPLICATION_SECRET", remedy, inactive);
    }
    const { application, secret } = await signOn.createApplication(applicationRequest(this.#wanted, wanted), call);
    const { id } = present(application);
    this.#parts.set("application", { id, made: true });
    const withSecret = typeof secret === "string" ? { APPLICATION_SECRET: secret } : {};
    await this.#keep({ APPLICATION_ID: id, ...withSecret, REDIRECT_URI: redirectUri });
  }

  async #subscription(): Promise<void> {
    const { webhooks, call } = this.#asked;
    const { subscription: wanted } = this.#wanted;
    if (wanted === undefined) return;
    const { endpointUrl } = wanted;
    const { subscription: before } = this.#existing;
    if (before !== undefined) {
      await this.#keep({ SUBSCRIPTION_ENDPOINT: endpointUrl });
      const remedy = "the same command with another --subscription-label";
      return this.#found("subscription", before.id, "WEBHOOK_SECRET", remedy, this.#here(inactiveSubscription(before)));
    }
    const instanceIntegrationId = this.#parts.get("instance integration")?.id ?? "";
    const request = subscriptionRequest(wanted, instanceIntegrationId);
    const { subscription, signingSecret } = await webhooks.createSubscription(request, call);
    this.#parts.set("subscription", { id: present(subscription).id, made: true });
    await this.#keep({ SUBSCRIPTION_ENDPOINT: endpointUrl, WEBHOOK_SECRET: signingSecret });
  }

  /** Something that was there: its secret is in the unfinished file, or cannot be shown again. */
  async #found(
    part: PartName,
    id: string,
    secret: keyof HandOverValues,
    remedy: Advice,
    more: Pick<OnboardedPart, "scopes" | "inactive"> = {},
  ): Promise<void> {
    const isKnown = this.#values[secret] !== undefined;
    // In the file it is for developers, who have another machine.
    const here = atSameGatehouse(remedy, this.#asked.directories);
    this.#parts.set(part, { id, made: false, ...more, ...(isKnown ? {} : { remedy: here }) });
    if (!isKnown)
      await this.#file?.remark(`${secret} was shown when it was made; for another one: ${adviceText(remedy)}`);
  }

  #here(inactive: Inactive | undefined): Pick<OnboardedPart, "inactive"> {
    if (inactive === undefined) return {};
    return { inactive: { ...inactive, cure: atSameGatehouse(inactive.cure, this.#asked.directories) } };
  }

  async #keep(values: HandOverValues): Promise<void> {
    this.#values = { ...this.#values, ...values };
    this.#unsaved = { ...this.#unsaved, ...values };
    if (this.#file === undefined) return;
    await this.#file.add(values);
    this.#unsaved = {};
  }

  async #sayWhatWasMade(asJson: boolean): Promise<void> {
    const { stdout, stderr } = this.#asked;
    await write(
      stdout,
      asJson ? `${JSON.stringify(this.json(false), null, 2)}\n` : card(this.facts(), paintFor(stdout)),
    );
    const secrets = this.#file === undefined ? " Secrets are shown this once: store them now." : "";
    if (!asJson)
      await write(stderr, `\nThis much is made.${secrets} Run the same command again, and it goes on from here.\n\n`);
  }

  facts(): Facts {
    return onboardedFacts(this.#onboarded);
  }

  json(complete: boolean) {
    return onboardedJson(this.#onboarded, complete);
  }

  get #onboarded(): Onboarded {
    return { wanted: this.#wanted, parts: this.#parts, hasFile: this.#file !== undefined, unsaved: this.#unsaved };
  }
}

const INTERRUPTED = {
  code: "USAGE",
  reason: "interrupted",
  message: "Interrupted.",
  fix: "Run the same command again to go on.",
} as const;
