import { type Application, ApplicationKind } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Subscription } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { ApiKey } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { InstanceIntegration, Integration } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { Asked } from "../../connection/verb.ts";
import { allApiKeys, allIntegrations } from "../../connection/whole-lists.ts";
import { isSameName } from "../../input/id-or-name.ts";
import { applicationId, integrationId } from "../../input/references.ts";
import { type Advice, leadingTo, run } from "../../output/advice.ts";
import { type CommandError, commandError, EXIT } from "../../output/command-error.ts";
import { enumWord } from "../../output/enum-word.ts";
import { isSameScopes, toKeyScopes, toScopeWords } from "../integrations/key-scopes.ts";
import { isAccepted } from "../integrations/key-state.ts";
import type { Wanted } from "./wanted.ts";

/** What of an onboarding was made before, found by name or label. */
export interface Existing {
  readonly integration: Integration | undefined;
  readonly instanceIntegration: InstanceIntegration | undefined;
  readonly apiKey: ApiKey | undefined;
  readonly application: Application | undefined;
  readonly subscription: Subscription | undefined;
}

/** @throws CommandError when a name is ambiguous, or what has it is not what is wanted; nothing was made then. */
export async function findExisting(asked: Asked, wanted: Wanted): Promise<Existing> {
  const integrations = await allIntegrations(asked);
  const ofName = integrations.filter(({ integration }) => isSameName(integration?.name, wanted.name));
  // More than one is refused there, with the candidates.
  const id = ofName.length === 0 ? undefined : await integrationId(asked, wanted.name);
  const entry = ofName.find(({ integration }) => integration?.id === id);
  const instanceIntegration = entry?.instanceIntegrations.find(({ instance }) => instance?.id === wanted.instance.id);
  const apiKeys = id === undefined ? [] : await allApiKeys(asked, { integrationId: id });
  return {
    integration: entry?.integration ?? undefined,
    instanceIntegration,
    apiKey: findApiKey(apiKeys, wanted),
    application: await findApplication(asked, wanted),
    subscription: await findSubscription(asked, wanted, instanceIntegration),
  };
}

function findApiKey(apiKeys: readonly ApiKey[], { keyLabel, keyScopes }: Wanted): ApiKey | undefined {
  const found = apiKeys.find((key) => isAccepted(key) && isSameName(key.label, keyLabel));
  if (found === undefined || keyScopes === undefined) return found;
  if (isSameScopes(found.scopes, toKeyScopes(keyScopes))) return found;
  throw differs(
    "api_key_differs",
    `There is an API key ${keyLabel} (${found.id}) with the scopes ${toScopeWords(found.scopes).join(" ")}. Nothing was changed.`,
    "Give another --key-label.",
  );
}

async function findApplication(
  asked: Asked,
  { name, instance, application: wanted }: Wanted,
): Promise<Application | undefined> {
  if (wanted === undefined) return undefined;
  const { applications } = await asked.signOn.listApplications({ limit: 2, cursor: null, name }, asked.call);
  if (applications.length > 1) await applicationId(asked, name);
  const [found] = applications;
  if (found === undefined) return undefined;
  const missing = wanted.redirectUris.filter((uri) => !found.redirectUris.some((one) => one.uri === uri));
  if (missing[0] !== undefined)
    throw differs(
      "application_differs",
      `There is an application ${name} (${found.id}) without the redirect URI ${missing.join(" and ")}. Nothing was changed.`,
      leadingTo("Add it:", run`gatehouse applications redirect-uris add ${found.id} ${missing[0]} --instance …`),
    );
  const elsewhere = found.redirectUris.find(
    ({ uri, instanceId }) => wanted.redirectUris.includes(uri) && instanceId !== instance.id,
  );
  if (elsewhere !== undefined)
    throw differs(
      "application_differs",
      `There is an application ${name} (${found.id}) whose redirect URI ${elsewhere.uri} leads to another instance than ${instance.name}. Nothing was changed.`,
      "Give another --redirect-uri for this instance, or --no-application.",
    );
  if (enumWord(ApplicationKind, found.kind) !== wanted.kind)
    throw differs(
      "application_differs",
      `There is an application ${name} (${found.id}) of the kind ${enumWord(ApplicationKind, found.kind)}. Nothing was changed.`,
      "Give its --kind, or onboard under another name.",
    );
  return found;
}

async function findSubscription(
  { webhooks, call }: Asked,
  { subscription: wanted }: Wanted,
  instanceIntegration: InstanceIntegration | undefined,
): Promise<Subscription | undefined> {
  if (wanted === undefined) return undefined;
  const { subscriptions } = await webhooks.listSubscriptions({ label: wanted.label, states: [] }, call);
  const [found] = subscriptions;
  if (found === undefined) return undefined;
  if (found.instanceIntegrationId !== instanceIntegration?.id || found.endpointUrl !== wanted.endpointUrl)
    throw differs(
      "subscription_differs",
      `The subscription ${wanted.label} is for another endpoint or instance integration. Nothing was changed.`,
      "Give another --subscription-label.",
    );
  return found;
}

const differs = (reason: string, message: string, fix: Advice): CommandError =>
  commandError(EXIT.usage, { code: "FAILED_PRECONDITION", reason, message, fix });
