import { hash } from "node:crypto";
import { ApplicationKind } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Instance } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { type LowerEnumWord, lowerWordsOf } from "#runtime/basis/enum-words.ts";
import type { Asked } from "../../connection/verb.ts";
import { allInstances } from "../../connection/whole-lists.ts";
import { contradiction } from "../../input/flags.ts";
import { canAsk, openQuestions, type Questions } from "../../input/questions.ts";
import { instanceId } from "../../input/references.ts";
import { leadingTo, run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import type { ScopeWord } from "../integrations/key-scopes.ts";

export interface OnboardOptions {
  readonly instance?: string;
  readonly keyLabel: string;
  readonly scope?: readonly ScopeWord[];
  /** `false` for `--no-application`. */
  readonly application?: boolean;
  readonly redirectUri?: readonly string[];
  readonly kind?: LowerEnumWord<typeof ApplicationKind>;
  /** `false` for `--no-subscription`. */
  readonly subscription?: boolean;
  readonly endpointUrl?: string;
  readonly eventType?: readonly string[];
  readonly subscriptionLabel?: string;
  readonly handOver?: string;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** What one onboarding makes, or finds made. */
export interface Wanted {
  readonly name: string;
  readonly instance: Pick<Instance, "id" | "name">;
  readonly keyLabel: string;
  /** Of the API key; `undefined` where no flag says them. */
  readonly keyScopes: readonly ScopeWord[] | undefined;
  readonly application: WantedApplication | undefined;
  readonly subscription: WantedSubscription | undefined;
  readonly handOver: string | undefined;
}

export interface WantedApplication {
  readonly kind: LowerEnumWord<typeof ApplicationKind>;
  readonly redirectUris: readonly string[];
}

export interface WantedSubscription {
  readonly label: string;
  readonly endpointUrl: string;
  readonly eventTypes: readonly string[];
}

/**
 * The flags, and at a terminal the answers to what no flag says; a script is never asked.
 * @throws CommandError when the instance is not said and there are several, and when two flags contradict each other.
 */
export async function readWanted(asked: Asked, name: string, options: OnboardOptions): Promise<Wanted> {
  assertNoContradiction(options);
  const instances = await allInstances(asked);
  const questions = canAsk(asked, options) ? openQuestions(asked) : undefined;
  try {
    const instance = await readInstance(asked, instances, options, questions);
    const application = await readApplication(options, questions);
    const subscription = await readSubscription(`${name} ${instance.name}`, options, questions);
    const handOver = options.handOver ?? (await questions?.ask("File to hand over (empty: show the secrets here)"));
    const { keyLabel, scope: keyScopes } = options;
    return { name, instance, keyLabel, keyScopes, application, subscription, handOver: handOver || undefined };
  } finally {
    questions?.close();
  }
}

/** What is not wanted has no flags of its own. */
function assertNoContradiction(options: OnboardOptions): void {
  const { redirectUri, kind, endpointUrl, eventType, subscriptionLabel } = options;
  const ofApplication = { "--redirect-uri": redirectUri, "--kind": kind };
  const ofSubscription = {
    "--endpoint-url": endpointUrl,
    "--event-type": eventType,
    "--subscription-label": subscriptionLabel,
  };
  for (const [isWanted, none, flags] of [
    [options.application, "--no-application", ofApplication],
    [options.subscription, "--no-subscription", ofSubscription],
  ] as const) {
    const given = Object.entries(flags).find(([, value]) => value !== undefined);
    if (isWanted === false && given !== undefined) throw contradiction(given[0], none);
  }
}

async function readInstance(
  asked: Asked,
  instances: readonly Instance[],
  { instance: given }: OnboardOptions,
  questions: Questions | undefined,
): Promise<Wanted["instance"]> {
  const [only, another] = instances;
  if (given === undefined && only !== undefined && another === undefined) return only;
  const names = instances.map(({ name }) => name);
  const chosen =
    given ?? (only === undefined ? undefined : await questions?.choose("Instance of the platform", names, only.name));
  if (chosen === undefined)
    throw commandError(EXIT.usage, {
      code: "USAGE",
      reason: "instance_missing",
      message: "--instance is missing.",
      fix:
        only === undefined
          ? leadingTo("Make one:", run`gatehouse instances create --name …`)
          : `There are: ${names.join(", ")}`,
    });
  const id = await instanceId(asked, chosen);
  return { id, name: instances.find((one) => one.id === id)?.name ?? id };
}

const KINDS = lowerWordsOf(ApplicationKind);

async function readApplication(
  options: OnboardOptions,
  questions: Questions | undefined,
): Promise<WantedApplication | undefined> {
  if (options.application === false) return undefined;
  const uris =
    options.redirectUri ??
    (await questions?.ask("Redirect URIs of its application, with spaces between them (empty: no application)"))?.split(
      /\s+/,
    ) ??
    [];
  const redirectUris = uris.filter((uri) => uri !== "");
  if (redirectUris.length === 0) {
    assertNotGiven({ "--kind": options.kind }, "--redirect-uri", "an application");
    return undefined;
  }
  const kind = options.kind ?? (await questions?.choose("Kind of application", KINDS, "web")) ?? "web";
  return { redirectUris, kind: kind as WantedApplication["kind"] };
}

async function readSubscription(
  owner: string,
  options: OnboardOptions,
  questions: Questions | undefined,
): Promise<WantedSubscription | undefined> {
  if (options.subscription === false) return undefined;
  const endpointUrl =
    options.endpointUrl ?? (await questions?.ask("Endpoint that gets its events (empty: no subscription)")) ?? "";
  if (endpointUrl === "") {
    const { eventType, subscriptionLabel } = options;
    const flags = { "--event-type": eventType, "--subscription-label": subscriptionLabel };
    assertNotGiven(flags, "--endpoint-url", "a subscription");
    return undefined;
  }
  const types = options.eventType ?? (await questions?.ask("Event types, with spaces between them", "*"))?.split(/\s+/);
  return { endpointUrl, eventTypes: types ?? ["*"], label: options.subscriptionLabel ?? toLabel(owner) };
}

/** @throws CommandError when a flag describes what is not made, since the flag without which it is not made has no value. */
function assertNotGiven(flags: Readonly<Record<string, unknown>>, needed: string, thing: string): void {
  const [given] = Object.entries(flags).find(([, value]) => value !== undefined) ?? [];
  if (given === undefined) return;
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "needed_flag_missing",
    message: `${given} is about ${thing}, and without ${needed} none is made. Nothing was changed.`,
    fix: `Give ${needed}, or leave ${given} out.`,
  });
}

/** `Harbour Payroll Europe` → `harbour-payroll-europe`; a name without such letters gets one made of its digest. */
function toLabel(owner: string): string {
  const letters = owner.normalize("NFKD").replaceAll(/\p{M}/gu, "").toLowerCase();
  const slug = letters
    .replaceAll(/[^a-z0-9]+/g, "-")
    .replaceAll(/^-|-$/g, "")
    .slice(0, 40)
    .replace(/-$/, "");
  return slug === "" ? `subscription-${hash("sha256", owner, "hex").slice(0, 8)}` : slug;
}
