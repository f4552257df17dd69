import {
  type Application as ApplicationMessage,
  type CreateApplicationRequest,
  type CreateApplicationResponse,
  ApplicationKind as KindMessage,
  type Lifetimes as LifetimesMessage,
  type ListApplicationsRequest,
  type ListApplicationsResponse,
  ConsentPolicy as PolicyMessage,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { Failure, type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { type InstanceId, newId } from "#runtime/basis/ids.ts";
import { newSecret, type Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { parseScopes } from "../claims/scopes.ts";
import { digestOf } from "../digest.ts";
import type { SignOnTables } from "../tables.ts";
import {
  type Application,
  type ApplicationKind,
  type ConsentPolicy,
  DEFAULT_LIFETIMES,
  DEFAULT_REFRESH_REPEAT_SECONDS,
  GRANT_TYPES,
  type GrantType,
  type Lifetimes,
} from "./application.ts";
import type { ApplicationRepository } from "./application-repository.ts";
import { originProblem } from "./origin.ts";
import { redirectUriProblem } from "./redirect-uri.ts";

const KINDS: Readonly<Record<string, ApplicationKind>> = {
  [KindMessage.APPLICATION_KIND_WEB]: "web",
  [KindMessage.APPLICATION_KIND_BROWSER]: "browser",
  [KindMessage.APPLICATION_KIND_NATIVE]: "native",
};

const POLICIES: Readonly<Record<string, ConsentPolicy>> = {
  [PolicyMessage.CONSENT_POLICY_UNSPECIFIED]: "once",
  [PolicyMessage.CONSENT_POLICY_ALWAYS]: "always",
  [PolicyMessage.CONSENT_POLICY_ONCE]: "once",
  [PolicyMessage.CONSENT_POLICY_NEVER]: "never",
};

export interface ApplicationsDeps {
  readonly applications: ApplicationRepository;
  readonly changes: Changes<SignOnTables>;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly random: Random;
  /** The development switch: http://localhost redirect URIs may be registered. */
  readonly development: boolean;
}

/**
 * Registers an application. A web application gets a secret, told once and stored as a digest.
 * @throws INVALID_ARGUMENT naming every wrong field at once, an instance that does not exist included.
 */
export const createApplication =
  (deps: ApplicationsDeps) =>
  async (request: CreateApplicationRequest, call: Call): Promise<CreateApplicationResponse> => {
    const violations = check(request, deps.development);
    if (violations.length > 0) throw invalidArgument(violations);
    await assertInstances(deps, request, call);

    const kind = KINDS[request.kind] ?? "web";
    const secret = kind === "web" ? `ghs_${newSecret(deps.random)}` : undefined;
    const application = await deps.changes.run(
      async ({ db, at, audit }) => {
        const created: Application = {
          id: newId("application", deps.random),
          name: request.name.trim(),
          kind,
          secretDigest: secret === undefined ? undefined : digestOf(secret),
          previousSecret: undefined,
          scopes: parseScopes(request.scopes.join(" ")) ?? [],
          pkceRequired: request.pkceRequired || kind !== "web",
          consentPolicy: POLICIES[request.consent] ?? "once",
          lifetimes: toLifetimes(request.lifetimes),
          grantTypes: toGrantTypes(request.grantTypes),
          refreshRepeatSeconds: request.refreshRepeatSeconds ?? DEFAULT_REFRESH_REPEAT_SECONDS,
          redirectUris: request.redirectUris.map(({ uri, instanceId }) => ({
            uri,
            instanceId: instanceId as InstanceId,
          })),
          corsOrigins: [...new Set(request.corsOrigins)],
          postLogoutRedirectUris: [...new Set(request.postLogoutRedirectUris)],
          createdAt: at,
          updatedAt: at,
          disabledAt: undefined,
        };
        await deps.applications.create(db, created);
        await audit({ actor: call.peer, action: "application.create", object: created.id });
        return created;
      },
      { requestId: call.requestId },
    );
    return { application: toMessage(application), secret: secret ?? null };
  };

/** Every application, oldest first; never a secret. */
export const listApplications =
  ({ applications }: ApplicationsDeps) =>
  async (_: ListApplicationsRequest): Promise<ListApplicationsResponse> => ({
    applications: (await applications.list()).map(toMessage),
  });

function check(request: CreateApplicationRequest, development: boolean): FieldViolation[] {
  const kind = KINDS[request.kind];
  const name = request.name.trim();
  const violations: FieldViolation[] = [];
  const refuse = (field: string, reason: string) => void violations.push({ field, reason });
  if (name === "" || name.length > 100 || /\p{Cc}/u.test(name))
    refuse("name", "must have 1 to 100 characters, none of them a control character");
  if (kind === undefined) refuse("kind", "must be web, browser or native");
  if (parseScopes(request.scopes.join(" ")) === undefined)
    refuse("scopes", "must be one or more of openid, profile, email, offline_access");
  if (POLICIES[request.consent] === undefined) refuse("consent", "must be always, once or never");
  if (request.redirectUris.length === 0) refuse("redirect_uris", "must name at least one");
  for (const [index, { uri }] of request.redirectUris.entries()) {
    const problem = redirectUriProblem(uri, kind ?? "web", { development });
    if (problem !== undefined) refuse(`redirect_uris[${index}].uri`, problem);
    if (request.redirectUris.findIndex((other) => other.uri === uri) !== index)
      refuse(`redirect_uris[${index}].uri`, "stands twice");
  }
  if (request.grantTypes.some((name) => !isGrantType(name)))
    refuse("grant_types", "must be of authorization_code, refresh_token");
  if (request.grantTypes.length > 0 && !request.grantTypes.includes("authorization_code"))
    refuse("grant_types", "must contain authorization_code, since everything begins with a code");
  const repeatSeconds = request.refreshRepeatSeconds ?? DEFAULT_REFRESH_REPEAT_SECONDS;
  if (repeatSeconds < 0 || repeatSeconds > REFRESH_REPEAT_SECONDS_MAX)
    refuse("refresh_repeat_seconds", `must be 0 to ${REFRESH_REPEAT_SECONDS_MAX}`);
  for (const [index, origin] of request.corsOrigins.entries()) {
    const problem = originProblem(origin, { development });
    if (problem !== undefined) refuse(`cors_origins[${index}]`, problem);
  }
  for (const [index, uri] of request.postLogoutRedirectUris.entries()) {
    const problem = redirectUriProblem(uri, kind ?? "web", { development });
    if (problem !== undefined) refuse(`post_logout_redirect_uris[${index}]`, problem);
  }
  return [...violations, ...checkLifetimes(request.lifetimes)];
}

/** More would leave a stolen token good for too long. */
const REFRESH_REPEAT_SECONDS_MAX = 300;

const isGrantType = (name: string): name is GrantType => (GRANT_TYPES as readonly string[]).includes(name);

/** None means all. */
const toGrantTypes = (names: readonly string[]): readonly GrantType[] =>
  names.length === 0 ? GRANT_TYPES : GRANT_TYPES.filter((name) => names.includes(name));

/** Least and most seconds of each lifetime; a code may only be shortened (R-S9). */
const LIFETIME_BOUNDS: Readonly<Record<keyof Lifetimes, readonly [number, number]>> = {
  authorizationCodeSeconds: [30, 600],
  accessTokenSeconds: [60, 86_400],
  idTokenSeconds: [60, 86_400],
  refreshTokenIdleSeconds: [60, 400 * 86_400],
  refreshTokenAbsoluteSeconds: [60, 400 * 86_400],
};

function checkLifetimes(lifetimes: LifetimesMessage | null): FieldViolation[] {
  return Object.entries(LIFETIME_BOUNDS).flatMap(([name, [least, most]]) => {
    const value = lifetimes?.[name as keyof Lifetimes];
    const wrong = typeof value === "number" && (value < least || value > most);
    const field = `lifetimes.${name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`)}`;
    return wrong ? [{ field, reason: `must be ${least} to ${most}` }] : [];
  });
}

const toLifetimes = (given: LifetimesMessage | null): Lifetimes => ({
  authorizationCodeSeconds: given?.authorizationCodeSeconds ?? DEFAULT_LIFETIMES.authorizationCodeSeconds,
  accessTokenSeconds: given?.accessTokenSeconds ?? DEFAULT_LIFETIMES.accessTokenSeconds,
  idTokenSeconds: given?.idTokenSeconds ?? DEFAULT_LIFETIMES.idTokenSeconds,
  refreshTokenIdleSeconds: given?.refreshTokenIdleSeconds ?? DEFAULT_LIFETIMES.refreshTokenIdleSeconds,
  refreshTokenAbsoluteSeconds: given?.refreshTokenAbsoluteSeconds ?? DEFAULT_LIFETIMES.refreshTokenAbsoluteSeconds,
});

/** Workforce owns the instances; sign-on asks before it writes, never inside the change. */
async function assertInstances(
  { workforce }: ApplicationsDeps,
  { redirectUris }: CreateApplicationRequest,
  { requestId }: Call,
): Promise<void> {
  for (const instanceId of new Set(redirectUris.map((one) => one.instanceId))) {
    try {
      await workforce.getInstance({ instanceId }, { requestId });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "NOT_FOUND") throw error;
      throw invalidArgument([{ field: "redirect_uris", reason: `names ${instanceId}, which is no instance` }]);
    }
  }
}

const kindMessage = (kind: ApplicationKind): KindMessage =>
  ({
    web: KindMessage.APPLICATION_KIND_WEB,
    browser: KindMessage.APPLICATION_KIND_BROWSER,
    native: KindMessage.APPLICATION_KIND_NATIVE,
  })[kind];

const policyMessage = (policy: ConsentPolicy): PolicyMessage =>
  ({
    always: PolicyMessage.CONSENT_POLICY_ALWAYS,
    once: PolicyMessage.CONSENT_POLICY_ONCE,
    never: PolicyMessage.CONSENT_POLICY_NEVER,
  })[policy];

const toMessage = (application: Application): ApplicationMessage => ({
  id: application.id,
  name: application.name,
  kind: kindMessage(application.kind),
  redirectUris: application.redirectUris.map(({ uri, instanceId }) => ({ uri, instanceId })),
  scopes: [...application.scopes],
  pkceRequired: application.pkceRequired,
  consent: policyMessage(application.consentPolicy),
  lifetimes: { ...application.lifetimes },
  createdAt: application.createdAt,
  grantTypes: [...application.grantTypes],
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: [...application.corsOrigins],
  postLogoutRedirectUris: [...application.postLogoutRedirectUris],
  updatedAt: application.updatedAt,
  disabledAt: application.disabledAt ?? null,
});
