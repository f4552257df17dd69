import type {
  UpdateApplicationRequest,
  UpdateApplicationResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { parseScopes } from "../claims/scopes.ts";
import {
  type Application,
  type ApplicationFields,
  DEFAULT_REFRESH_REPEAT_SECONDS,
  type Lifetimes,
} from "./application.ts";
import { type CheckedField, FIELD_CHECKS, fieldViolations, LIFETIME_FIELDS } from "./application-checks.ts";
import { toConsentPolicy, toGrantTypes, toLifetimes } from "./application-message.ts";
import type { ApplicationRepository } from "./application-repository.ts";
import { type ApplicationChangeDeps, changedApplication, unknownApplication } from "./changed-application-service.ts";

interface UpdateDeps extends ApplicationChangeDeps {
  readonly applications: ApplicationRepository;
  readonly development: boolean;
}

/** The new value of a field that an update names. */
type Becomes = (given: UpdateApplicationRequest, before: Application) => Partial<ApplicationFields>;

const BECOMES: Readonly<Record<string, Becomes>> = {
  name: ({ name }) => ({ name: name.trim() }),
  scopes: ({ scopes }) => ({ scopes: parseScopes(scopes.join(" ")) ?? [] }),
  pkce_required: ({ pkceRequired }) => ({ pkceRequired }),
  consent: ({ consent }) => ({ consentPolicy: toConsentPolicy(consent) ?? "once" }),
  grant_types: ({ grantTypes }) => ({ grantTypes: toGrantTypes(grantTypes) }),
  refresh_repeat_seconds: ({ refreshRepeatSeconds }) => ({
    refreshRepeatSeconds: refreshRepeatSeconds ?? DEFAULT_REFRESH_REPEAT_SECONDS,
  }),
  cors_origins: ({ corsOrigins }) => ({ corsOrigins: [...new Set(corsOrigins)] }),
  post_logout_redirect_uris: ({ postLogoutRedirectUris }) => ({
    postLogoutRedirectUris: [...new Set(postLogoutRedirectUris)],
  }),
};

/** The paths that an update may name. */
const UPDATE_PATHS: readonly string[] = [...Object.keys(BECOMES), ...LIFETIME_FIELDS.keys()];

/**
 * Changes only the named fields, under the rules of a registration. Two parallel updates of different fields both take
 * effect. An update without a difference writes nothing.
 * @throws INVALID_ARGUMENT naming every wrong field at once; NOT_FOUND.
 */
export const updateApplication =
  (deps: UpdateDeps) =>
  async (request: UpdateApplicationRequest, call: Call): Promise<UpdateApplicationResponse> => {
    // The kind never changes, so it may be read before the change.
    const application = await deps.applications.findAny(request.applicationId);
    if (application === undefined) throw unknownApplication(request.applicationId);
    const paths = [...new Set(request.updateMask ?? [])];
    const violations = [...maskViolations(paths), ...valueViolations(paths, request, application, deps.development)];
    if (violations.length > 0) throw invalidArgument(violations);
    return {
      application: await changedApplication(deps, request.applicationId, call, async (before, { db, at, audit }) => {
        const after = updated(before, paths, request);
        const facts = changedFacts(before, after);
        if (Object.keys(facts).length === 0) return before;
        await deps.applicationChanges.replaceFields(db, before.id, after, at);
        await audit({ actor: call.actor, action: "application.update", object: before.id, facts });
        return { ...after, updatedAt: at };
      }),
    };
  };

function maskViolations(paths: readonly string[]): FieldViolation[] {
  if (paths.length === 0)
    return [{ field: "update_mask", reason: `must name at least one of ${UPDATE_PATHS.join(", ")}` }];
  return paths.every((path) => UPDATE_PATHS.includes(path))
    ? []
    : [{ field: "update_mask", reason: `may name only ${UPDATE_PATHS.join(", ")}` }];
}

function valueViolations(
  paths: readonly string[],
  request: UpdateApplicationRequest,
  { kind }: Application,
  development: boolean,
): FieldViolation[] {
  const lifetimes = paths.some((path) => LIFETIME_FIELDS.has(path)) ? (["lifetimes"] as const) : [];
  const checked = paths.filter(
    (path): path is CheckedField => path !== "lifetimes" && Object.hasOwn(FIELD_CHECKS, path),
  );
  const found = fieldViolations([...checked, ...lifetimes], request, { kind, development, registered: true });
  // Lifetimes that are not named are ignored.
  const violations = found.filter(({ field }) => !LIFETIME_FIELDS.has(field) || paths.includes(field));
  if (paths.includes("pkce_required") && !request.pkceRequired && kind !== "web")
    violations.push({ field: "pkce_required", reason: "cannot be false: public applications must use PKCE (R-S16)" });
  return violations;
}

function updated(before: Application, paths: readonly string[], request: UpdateApplicationRequest): Application {
  const given = toLifetimes(request.lifetimes);
  const lifetimes: Record<keyof Lifetimes, number> = { ...before.lifetimes };
  let after: Application = before;
  for (const path of paths) {
    const lifetime = LIFETIME_FIELDS.get(path);
    if (lifetime !== undefined) lifetimes[lifetime] = given[lifetime];
    else after = { ...after, ...BECOMES[path]?.(request, before) };
  }
  return { ...after, lifetimes };
}

/**
 * Each change with its old and new value, for the audit log: `consentPolicy.from`, `consentPolicy.to`. None of these
 * fields is secret.
 */
function changedFacts(before: Application, after: Application): Record<string, string> {
  const flat = ({ lifetimes, ...rest }: Application) => ({ ...pick(rest), ...lifetimes });
  const [from, to] = [flat(before), flat(after)] as readonly Readonly<Record<string, unknown>>[];
  return Object.fromEntries(
    Object.keys(from ?? {}).flatMap((name) => {
      const [old, now] = [shown(from?.[name]), shown(to?.[name])];
      return old === now ? [] : [[`${name}.from`, old] as const, [`${name}.to`, now] as const];
    }),
  );
}

const pick = (application: Omit<Application, "lifetimes">): Omit<ApplicationFields, "lifetimes"> => ({
  name: application.name,
  scopes: application.scopes,
  pkceRequired: application.pkceRequired,
  consentPolicy: application.consentPolicy,
  grantTypes: application.grantTypes,
  refreshRepeatSeconds: application.refreshRepeatSeconds,
  corsOrigins: application.corsOrigins,
  postLogoutRedirectUris: application.postLogoutRedirectUris,
});

const shown = (value: unknown): string => (Array.isArray(value) ? value.join(" ") : String(value));
