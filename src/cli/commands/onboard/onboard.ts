import { type Command, Option } from "commander";
import { ApplicationKind, ConsentPolicy } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { repeated } from "../../input/flags.ts";
import { card, type Facts } from "../../output/card.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { one } from "../../output/outcome.ts";
import { paintFor } from "../../output/paint.ts";
import { write } from "../../output/streams.ts";
import { shellWord } from "../../output/terminal-text.ts";
import { keyScopeOption, toKeyScopes, toScopeWords } from "../integrations/key-scopes.ts";
import { type Existing, findExisting } from "./existing.ts";
import { type HandOverFile, type HandOverValues, openHandOverFile } from "./hand-over-file.ts";
import { type OnboardOptions, readWanted, type Wanted } from "./wanted.ts";

/** `gatehouse onboard` */
export function addOnboard(program: Command, verb: Verb): void {
  program
    .command("onboard")
    .summary("make everything an integrator needs, and a file to hand over")
    .description(
      "Makes an integration, its instance integration, an API key, an application and a subscription in one go, and writes the file that its developers begin with. At a terminal it asks for what no flag says; in a script it never asks, and makes an application only with --redirect-uri, a subscription only with --endpoint-url.\n\nRun again after an interruption, it goes on: what exists by name or label is not made twice.",
    )
    .argument("<name>", "of the integration and its application")
    .option("--instance <id or name>", "instance of the platform; not needed where there is only one")
    .option("--redirect-uri <uri>", "where its application gets people back; may be repeated", repeated)
    .addOption(
      new Option("--kind <kind>", "of its application: web (has a secret), browser or native (default: web)").choices(
        lowerWordsOf(ApplicationKind),
      ),
    )
    .option("--no-application", "no application, and no question about one")
    .option("--endpoint-url <url>", "address that its events are posted to")
    .option("--event-type <type>", "an exact type, user.* or *; may be repeated (default: *)", repeated)
    .option("--subscription-label <slug>", "a-z, 0-9 and hyphens (default: made of the names)")
    .option("--no-subscription", "no subscription, and no question about one")
    .option("--key-label <text>", "distinguishes its API key from others", "hand-over")
    .addOption(keyScopeOption("its API key", "read, and webhooks with a subscription"))
    .option(
      "--hand-over <file>",
      "a new file for the values and secrets, which the guides call handover.env; without it they are shown once",
    )
    .action(
      verb<OnboardOptions>(
        async (asked, options, name = "") => {
          const wanted = await readWanted(asked, name.trim(), options);
          const existing = await findExisting(asked, wanted);
          const file =
            wanted.handOver === undefined
              ? undefined
              : await openHandOverFile(
                  wanted.handOver,
                  wanted.name,
                  wanted.instance.name,
                  existing.integration !== undefined,
                );
          const done = new Onboarding(asked, wanted, existing, file);
          await done.makeAll(options.json === true);
          await file?.finish();
          return one(done.json(true), done.facts(), {
            said: !done.hasSecrets
              ? `${wanted.name} was onboarded before; no secret was made${file === undefined ? "" : `, and ${wanted.handOver} has none`}. Beside each thing is the command that makes a new one.`
              : file === undefined
                ? `${wanted.name} is onboarded. Secrets are shown this once and stored nowhere: store them now, in a safe place.`
                : `${wanted.name} is onboarded. Its values and secrets are in ${wanted.handOver}, which only you can read; no secret is shown here or stored elsewhere.`,
            next: `hand it over, with the address of the guides: ${done.guide}`,
          });
        },
        {
          name: "<name>",
          instance_id: "--instance",
          label: "--key-label",
          "redirect_uris.uri": "--redirect-uri",
          endpoint_url: "--endpoint-url",
          event_types: "--event-type",
        },
      ),
    );
}

/** One thing that was made now, or was there. */
interface Part {
  readonly id: string;
  readonly made: boolean;
  /** Of something that was there before: how to get another secret. */
  readonly remedy?: string;
  /** Of an API key. */
  readonly scopes?: readonly string[];
}

const SECRETS = ["API_KEY", "APPLICATION_SECRET", "WEBHOOK_SECRET"] as const;

type PartName = "integration" | "instance integration" | "API key" | "application" | "subscription";

/** Steps in the order in which each needs the one before; what each has made is kept as soon as it is known. */
class Onboarding {
  readonly #asked: Asked;
  readonly #wanted: Wanted;
  readonly #existing: Existing;
  readonly #file: HandOverFile | undefined;
  readonly #parts = new Map<PartName, Part>();
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

  /** @throws@throws what a step throws, or a CommandError on Ctrl-C, after it has printed what was made. */
  async makeAll(asJson: boolean): Promise<void> {
    let interrupted = false;
    const onSignal = () => {
      interrupted = true;
    };
    process.on("SIGINT", onSignal);
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
      await this.#sayWhatWasMade(asJson);
      throw error;
    } finally {
      process.off("SIGINT", onSignal);
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
    const { name, keyLabel: label, keyScopes, subscription } = this.#wanted;
    const { apiKey: before } = this.#existing;
    if (before !== undefined) {
      const remedy = `gatehouse api-keys issue --integration ${shellWord(name)} --label …`;
      return this.#found("API key", before.id, "API_KEY", remedy, { scopes: toScopeWords(before.scopes) });
    }
    const integrationId = this.#parts.get("integration")?.id ?? "";
    // Who gets events manages the subscription with the same key.
    const scopes = toKeyScopes(keyScopes ?? (subscription === undefined ? ["read"] : ["read", "webhooks"]));
    const request = { integrationId, label, expiresAt: null, rateLimit: null, scopes, requestId: `${requestId}-key` };
    const { apiKey, secret } = await workforce.issueApiKey(request, call);
    const { id, scopes: given } = present(apiKey);
    this.#parts.set("API key", { id, made: true, scopes: toScopeWords(given) });
    await this.#keep({ API_KEY: secret });
  }

  async #application(): Promise<void> {
    const { signOn, call } = this.#asked;
    const { name, instance, application: wanted } = this.#wanted;
    if (wanted === undefined) return;
    const [redirectUri = ""] = wanted.redirectUris;
    const { application: before } = this.#existing;
    if (before !== undefined) {
      await this.#keep({ APPLICATION_ID: before.id, REDIRECT_URI: redirectUri });
      if (wanted.kind !== "web") return void this.#parts.set("application", { id: before.id, made: false });
      const remedy = `gatehouse applications rotate-secret ${before.id}`;
      return this.#found("application", before.id, "APPLICATION_SECRET", remedy);
    }
    const { application, secret } = await signOn.createApplication(
      {
        name,
        kind: valueOfLower(ApplicationKind, wanted.kind),
        redirectUris: wanted.redirectUris.map((uri) => ({ uri, instanceId: instance.id })),
        scopes: ["openid", "profile", "email"],
        pkceRequired: false,
        consent: ConsentPolicy.ONCE,
        lifetimes: null,
        grantTypes: [],
        refreshRepeatSeconds: null,
        corsOrigins: [],
        postLogoutRedirectUris: [],
      },
      call,
    );
    const { id } = present(application);
    this.#parts.set("application", { id, made: true });
    const withSecret = typeof secret === "string" ? { APPLICATION_SECRET: secret } : {};
    await this.#keep({ APPLICATION_ID: id, ...withSecret, REDIRECT_URI: redirectUri });
  }

  async #subscription(): Promise<void> {
    const { webhooks, call } = this.#asked;
    const { subscription: wanted } = this.#wanted;
    if (wanted === undefined) return;
    const { label, endpointUrl, eventTypes } = wanted;
    const { subscription: before } = this.#existing;
    if (before !== undefined) {
      await this.#keep({ SUBSCRIPTION_ENDPOINT: endpointUrl });
      const remedy = `the same command with another --subscription-label`;
      return this.#found("subscription", before.id, "WEBHOOK_SECRET", remedy);
    }
    const instanceIntegrationId = this.#parts.get("instance integration")?.id ?? "";
    const request = { label, instanceIntegrationId, endpointUrl, eventTypes: [...eventTypes], tenantIds: [] };
    const { subscription, signingSecret } = await webhooks.createSubscription(request, call);
    this.#parts.set("subscription", { id: present(subscription).id, made: true });
    await this.#keep({ SUBSCRIPTION_ENDPOINT: endpointUrl, WEBHOOK_SECRET: signingSecret });
  }

  /** Something that was there: its secret is in the unfinished file, or cannot be shown again. */
  async #found(
    part: PartName,
    id: string,
    secret: keyof HandOverValues,
    remedy: string,
    more: Pick<Part, "scopes"> = {},
  ): Promise<void> {
    const isKnown = this.#values[secret] !== undefined;
    this.#parts.set(part, { id, made: false, ...more, ...(isKnown ? {} : { remedy }) });
    if (!isKnown) await this.#file?.remark(`${secret} was shown when it was made; for another one: ${remedy}`);
  }

  async #keep(values: HandOverValues): Promise<void> {
    this.#values = { ...values, ...this.#values };
    this.#unsaved = { ...this.#unsaved, ...values };
    if (this.#file === undefined) return;
    await this.#file.add(values);
    this.#unsaved = {};
  }

  async #sayWhatWasMade(asJson: boolean): Promise<void> {
    const { stdout, stderr } = this.#asked;
    if (this.#parts.size === 0) return;
    await write(
      stdout,
      asJson ? `${JSON.stringify(this.json(false), null, 2)}\n` : card(this.facts(), paintFor(stdout)),
    );
    const secrets = this.#file === undefined ? " Secrets are shown this once: store them now." : "";
    if (!asJson)
      await write(stderr, `\nThis much is made.${secrets} Run the same command again, and it goes on from here.\n\n`);
  }

  facts(): Facts {
    return [
      ["name", this.#wanted.name],
      ["instance", this.#wanted.instance.name],
      ...[...this.#parts].flatMap(([part, { id, made, remedy, scopes }]) => [
        [part, `${id} (${made ? "made" : "was there"})`] as const,
        ...(scopes === undefined ? [] : [["", `its scopes: ${scopes.join(" ")}`] as const]),
        ...(remedy === undefined ? [] : [["", `its secret was shown before; for another one: ${remedy}`] as const]),
      ]),
      ...(this.#file === undefined ? [] : [["file", this.#wanted.handOver] as const]),
      ...Object.entries(this.#unsaved),
    ];
  }

  json(complete: boolean) {
    const part = (name: PartName) => {
      const found = this.#parts.get(name);
      return found === undefined
        ? null
        : { id: found.id, made: found.made, ...(found.scopes && { scopes: found.scopes }) };
    };
    return {
      name: this.#wanted.name,
      complete,
      integration: part("integration"),
      instanceIntegration: part("instance integration"),
      apiKey: part("API key"),
      application: part("application"),
      subscription: part("subscription"),
      handOver: this.#wanted.handOver ?? null,
      values: this.#unsaved,
    };
  }
}

const INTERRUPTED = {
  code: "USAGE",
  reason: "interrupted",
  message: "Interrupted.",
  fix: "Run the same command again to go on.",
} as const;
