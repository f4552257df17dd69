import { ApplicationKind } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type ApiKey, NamedKind } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { type IdKind, parseId } from "#runtime/basis/ids.ts";
import { present } from "../connection/answers.ts";
import type { Asked } from "../connection/verb.ts";
import { allApiKeys, allInstances, allIntegrations } from "../connection/whole-lists.ts";
import { asTyped, leadingTo, run } from "../output/advice.ts";
import { commandError, EXIT } from "../output/command-error.ts";
import { enumWord } from "../output/enum-word.ts";
import { toShownInstant } from "../output/instant.ts";
import { type Found, idOf, isSameName, noun, SHOWN_MAX, tenantNeeded, unknown } from "./id-or-name.ts";

const INSTANCE = noun("instance", "instance", run`gatehouse instances list`);
const INTEGRATION = noun("integration", "integration", run`gatehouse integrations list`);
const INSTANCE_INTEGRATION = noun("instanceIntegration", "instance integration", run`gatehouse integrations list`);
const TENANT = noun("tenant", "tenant", run`gatehouse tenants list`);
const APPLICATION = noun("application", "application", run`gatehouse applications list`);
const SUBSCRIPTION = noun("subscription", "subscription", run`gatehouse subscriptions list`);
const DELIVERY = noun("delivery", "delivery", run`gatehouse deliveries list`);
const RECOVERY = noun("recovery", "recovery", run`gatehouse recoveries list`);
const EVENT = noun("event", "event", run`gatehouse events list`);
const ANYTHING = {
  ...noun("person", "person, tenant, application or integration", run`gatehouse audit list`, "things"),
  reason: "name",
};
const PERSON = noun("person", "person", run`gatehouse users list --tenant <tenant>`, "people");

/** The id of an instance that was given by id or by name. @throws CommandError when no instance, or more than one, has the name. */
export const instanceId = (asked: Asked, given: string): Promise<string> =>
  idOf(INSTANCE, given, async () => among(await allInstances(asked), given));

/** The id of an integration given by id or by name. @throws CommandError when no integration, or more than one, has the name. */
export const integrationId = (asked: Asked, given: string): Promise<string> =>
  idOf(INTEGRATION, given, async () => {
    const integrations = await allIntegrations(asked);
    return among(
      integrations.map(({ integration }) => present(integration)),
      given,
    );
  });

/**
 * The id of an instance integration given by id or as `Payroll on Europe`, or by one of the two names when only one
 * fits; with an integration, one of its own.
 * @throws CommandError.
 */
export const instanceIntegrationId = (asked: Asked, given: string, integration?: string): Promise<string> =>
  idOf(INSTANCE_INTEGRATION, given, async () => {
    const owner = integration === undefined ? undefined : await integrationId(asked, integration);
    const integrations = await allIntegrations(asked);
    const all = integrations
      .filter((one) => owner === undefined || one.integration?.id === owner)
      .flatMap((one) =>
        one.instanceIntegrations.map(({ id, instance, configured }) => ({
          id,
          parts: [present(one.integration).name, present(instance).name],
          name: `${present(one.integration).name} on ${present(instance).name}`,
          details: configured ? [] : ["not configured"],
        })),
      );
    const whole = all.filter(({ name }) => isSameName(name, given));
    const matching =
      whole.length > 0 ? whole : all.filter(({ parts }) => parts.some((part) => isSameName(part, given)));
    return { found: matching, more: false, known: all.map(({ name }) => name) };
  });

/** The id of a tenant given by id or by name, on whichever instance. @throws CommandError. */
export const tenantId = (asked: Asked, given: string): Promise<string> =>
  idOf(TENANT, given, () => named(asked, NamedKind.TENANT, given));

/** The ids of tenants given by ids or names, in their order. @throws CommandError for the first that is not found. */
export async function tenantIds(asked: Asked, given: readonly string[]): Promise<string[]> {
  const ids: string[] = [];
  for (const one of given) ids.push(await tenantId(asked, one));
  return ids;
}

/** The id of a tenant given by a flag; `undefined` without the flag. @throws CommandError. */
const optionalTenantId = async (asked: Asked, given: string | undefined): Promise<string | undefined> =>
  given === undefined ? undefined : tenantId(asked, given);

/** The id of a person given by id, e-mail address, or first and last name. @throws CommandError. */
export const personId = (asked: Asked, given: string): Promise<string> =>
  idOf(PERSON, given, () => named(asked, NamedKind.PERSON, given));

/**
 * Asks about a person given in one of the same ways, by a method that takes an id or an address itself.
 * @throws CommandError when no person has the address, and when none or several have the name.
 */
export async function byPersonKey<T>(
  asked: Asked,
  given: string,
  ask: (key: { $case: "email" | "personId"; value: string }) => Promise<T>,
): Promise<T> {
  if (!given.includes("@")) return ask({ $case: "personId", value: await personId(asked, given) });
  try {
    return await ask({ $case: "email", value: given });
  } catch (error) {
    if (!(error instanceof Failure) || error.reason !== "person_not_found") throw error;
    throw unknown(PERSON, given, []);
  }
}

/** Something of a tenant: found by name where the tenant is known. */
type OfTenant = (asked: Asked, given: string, tenant: string | undefined) => Promise<string>;

const ofTenant =
  (kind: IdKind, word: string, nouns: string, named_: NamedKind, hasAddress = false): OfTenant =>
  async (asked, given, tenant) => {
    const list = (of: string | undefined) =>
      noun(
        kind,
        word,
        of === undefined
          ? asTyped(`gatehouse ${nouns} list --tenant <tenant>`)
          : run`gatehouse ${nouns} list --tenant ${of}`,
      );
    const id = parseId(kind, given);
    if (id !== undefined) return id;
    const isAddress = hasAddress && given.includes("@");
    if (tenant === undefined && !isAddress) throw tenantNeeded(list(undefined), given, hasAddress);
    const within = await optionalTenantId(asked, tenant);
    return idOf(list(tenant), given, () => named(asked, named_, given, { tenantId: within ?? null }));
  };

/** The id of a user given by id, e-mail address, or first and last name. @throws CommandError. */
export const userId = ofTenant("user", "user", "users", NamedKind.USER, true);
/** The id of a worker given by id, e-mail address, or first and last name. @throws CommandError. */
export const workerId = ofTenant("worker", "worker", "workers", NamedKind.WORKER, true);
/** The id of a unit given by id, name or code. @throws CommandError. */
export const unitId = ofTenant("organizationUnit", "unit", "units", NamedKind.UNIT);
/** The id of a unit type given by id or name. @throws CommandError. */
export const unitTypeId = ofTenant("unitType", "unit type", "unit-types", NamedKind.UNIT_TYPE);
/** The id of a location given by id or name. @throws CommandError. */
export const locationId = ofTenant("organizationLocation", "location", "locations", NamedKind.LOCATION);

/** The id of an API key given by id or label, among those of an integration if there is one. @throws CommandError. */
export const apiKeyId = (asked: Asked, given: string, integration: string | undefined): Promise<string> =>
  idOfApiKey(asked, given, integration, async (owner) => {
    const live = await named(asked, NamedKind.API_KEY, given, { integrationId: owner });
    if (live.found.length === 0) await assertNotRevoked(asked, given, owner);
    return live;
  });

/**
 * The same for a command that only reads: of a label that no live key has, the latest of the revoked ones.
 * @throws CommandError.
 */
export const anyApiKeyId = (asked: Asked, given: string, integration: string | undefined): Promise<string> =>
  idOfApiKey(asked, given, integration, async (owner) => {
    const live = await named(asked, NamedKind.API_KEY, given, { integrationId: owner });
    if (live.found.length > 0) return live;
    const revoked = await latestRevoked(asked, given, owner);
    return revoked === undefined ? live : { ...live, found: [{ id: revoked.id, name: revoked.label, details: [] }] };
  });

async function idOfApiKey(
  asked: Asked,
  given: string,
  integration: string | undefined,
  find: (owner: string | null) => Promise<Found>,
): Promise<string> {
  const owner = integration === undefined ? null : await integrationId(asked, integration);
  const list =
    integration === undefined
      ? run`gatehouse api-keys list`
      : run`gatehouse api-keys list --integration ${integration}`;
  const what = noun("apiKey", "API key", list);
  return idOf(owner === null ? { ...what, narrower: "--integration" } : what, given, () => find(owner));
}

/** The key with the label that was revoked, the latest one of several. */
async function latestRevoked(asked: Asked, given: string, owner: string | null): Promise<ApiKey | undefined> {
  const keys = await allApiKeys(asked, { integrationId: owner ?? undefined });
  return keys.findLast(({ label, revokedAt }) => revokedAt !== null && isSameName(label, given));
}

/** @throws CommandError when the label is that of a key that was revoked. */
async function assertNotRevoked(asked: Asked, given: string, owner: string | null): Promise<void> {
  const revoked = await latestRevoked(asked, given, owner);
  if (revoked === undefined) return;
  const integrations = await allIntegrations(asked);
  const { name } = present(
    integrations.find(({ integration }) => integration?.id === revoked.integrationId)?.integration,
  );
  throw commandError(EXIT.usage, {
    code: "FAILED_PRECONDITION",
    reason: "api_key_revoked",
    message: `The API key ${revoked.label} of ${name} (${revoked.id}) is revoked already, since ${toShownInstant(revoked.revokedAt)}.`,
    fix: leadingTo("See what there is:", run`gatehouse api-keys list --integration ${name}`),
  });
}

/** The id of an application given by id or name, disabled or not. @throws CommandError. */
export const applicationId = ({ signOn, call }: Asked, given: string): Promise<string> =>
  idOf(APPLICATION, given, async () => {
    const { applications } = await signOn.listApplications({ limit: SHOWN_MAX + 1, cursor: null, name: given }, call);
    const found = applications.map((one) => ({
      id: one.id,
      name: one.name,
      details: [
        enumWord(ApplicationKind, one.kind),
        ...(one.disabledAt ? ["disabled"] : []),
        one.redirectUris[0]?.uri ?? "",
      ],
    }));
    return { found: found.slice(0, SHOWN_MAX), more: found.length > SHOWN_MAX };
  });

/** The id of a person, an application, a tenant or an integration, given by name. @throws CommandError. */
export async function anyId(asked: Asked, given: string): Promise<string> {
  const { signOn, call } = asked;
  if (given.includes("@")) return personId(asked, given);
  const people = await named(asked, NamedKind.PERSON, given);
  const tenants = await named(asked, NamedKind.TENANT, given);
  const { applications } = await signOn.listApplications({ limit: SHOWN_MAX, cursor: null, name: given }, call);
  const integrations = await allIntegrations(asked);
  const found = [
    ...people.found.map((one) => ({ ...one, details: ["person", ...one.details] })),
    ...tenants.found.map((one) => ({ ...one, details: ["tenant", ...one.details] })),
    ...applications.map(({ id, name }) => ({ id, name, details: ["application"] })),
    ...among(
      integrations.map(({ integration }) => present(integration)),
      given,
    ).found.map((one) => ({ ...one, details: ["integration"] })),
  ];
  return idOf(ANYTHING, given, async () => ({ found, more: people.more || tenants.more }));
}

/** The id of a subscription given by id or label. @throws CommandError. */
export const subscriptionId = ({ webhooks, call }: Asked, given: string): Promise<string> =>
  idOf(SUBSCRIPTION, given, async () => {
    const { subscriptions } = await webhooks.listSubscriptions({ label: given.trim(), states: [] }, call);
    return { found: subscriptions.map(({ id, label }) => ({ id, name: label, details: [] })), more: false };
  });

/** The id of a delivery, which has no name. @throws CommandError for any other text. */
export const deliveryId = (given: string): Promise<string> =>
  idOf(DELIVERY, given, async () => ({ found: [], more: false }));

/** The id of a recovery, which has no name. @throws CommandError for any other text. */
export const recoveryId = (given: string): Promise<string> =>
  idOf(RECOVERY, given, async () => ({ found: [], more: false }));

/** The id of an event, which has no name. @throws CommandError for any other text. */
export const eventId = (given: string): Promise<string> => idOf(EVENT, given, async () => ({ found: [], more: false }));

async function named(
  { workforce, call }: Asked,
  kind: NamedKind,
  name: string,
  within: { readonly tenantId?: string | null; readonly integrationId?: string | null } = {},
): Promise<Found> {
  if (name.trim() === "") return NOTHING;
  try {
    return await workforce.findNamed({ kind, name, limit: SHOWN_MAX, ...within }, call);
  } catch (error) {
    // What no name can be, since it is too long for instance, is the name of nothing.
    if (error instanceof Failure && error.violations[0]?.field === "name") return NOTHING;
    throw error;
  }
}

const NOTHING: Found = { found: [], more: false };

/** The entries of a short list that have the name. */
const among = (all: readonly { readonly id: string; readonly name: string }[], given: string) => ({
  found: all.filter(({ name }) => isSameName(name, given)).map(({ id, name }) => ({ id, name, details: [] })),
  more: false,
  known: all.map(({ name }) => name),
});
