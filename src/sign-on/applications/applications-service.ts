import type {
  CreateApplicationRequest,
  CreateApplicationResponse,
  GetApplicationRequest,
  GetApplicationResponse,
  ListApplicationsRequest,
  ListApplicationsResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { CheckOriginRequest, CheckOriginResponse } from "#generated/proto/gatehouse/sign_on/v1/tokens.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { type FieldViolation, invalidArgument, WRONG_CURSOR } from "#runtime/basis/errors.ts";
import { type InstanceId, newId, parseId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { parseScopes } from "../claims/scopes.ts";
import { digestOf } from "../digest.ts";
import type { SignOnTables } from "../tables.ts";
import { type Application, DEFAULT_REFRESH_REPEAT_SECONDS, newApplicationSecret } from "./application.ts";
import type { ApplicationChangeRepository } from "./application-change-repository.ts";
import { registrationViolations } from "./application-checks.ts";
import { toConsentPolicy, toGrantTypes, toKind, toLifetimes, toMessage } from "./application-message.ts";
import type { ApplicationRepository, ApplicationStart } from "./application-repository.ts";
import { unknownApplication } from "./changed-application-service.ts";
import { assertInstances } from "./redirect-uris-service.ts";

interface ApplicationsDeps {
  readonly applications: ApplicationRepository;
  readonly applicationChanges: ApplicationChangeRepository;
  readonly changes: Changes<SignOnTables>;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly clock: Clock;
  readonly random: Random;
  /** Development only: http://localhost redirect URIs may be registered. */
  readonly development: boolean;
}

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 200;

/**
 * Registers an application, or with `check_only` says whether it could be. A web application gets a secret, returned once
 * and stored as a digest.
 * @throws INVALID_ARGUMENT naming every wrong field at once, an instance that does not exist included.
 */
export const createApplication =
  (deps: ApplicationsDeps) =>
  async (request: CreateApplicationRequest, call: Call): Promise<CreateApplicationResponse> => {
    const violations = registrationViolations(request, deps.development);
    if (violations.length > 0) throw invalidArgument(violations);
    await assertInstances(deps, "redirect_uris", request.redirectUris, call);
    if (request.checkOnly) return { application: null, secret: null };

    const kind = toKind(request.kind) ?? "web";
    const secret = kind === "web" ? newApplicationSecret(deps.random) : undefined;
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
          consentPolicy: toConsentPolicy(request.consent) ?? "once",
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
        await audit({ actor: call.actor, action: "application.create", object: created.id });
        return created;
      },
      { requestId: call.requestId },
    );
    return { application: toMessage(application, deps.clock.now()), secret: secret ?? null };
  };

/**
 * Applications, or those of one name, oldest first, a page at a time; never a secret.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listApplications =
  ({ applications, clock }: ApplicationsDeps) =>
  async ({ limit: asked, cursor, name }: ListApplicationsRequest): Promise<ListApplicationsResponse> => {
    const violations: FieldViolation[] = [];
    const after = typeof cursor === "string" ? parseApplicationCursor(cursor) : null;
    if (asked < 0 || asked > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
    if (after === undefined) violations.push(WRONG_CURSOR);
    if (after === undefined || violations.length > 0) throw invalidArgument(violations);
    const limit = asked === 0 ? LIMIT_DEFAULT : asked;
    // One more row than requested shows whether there is a next page.
    const found = await applications.list({ limit: limit + 1, after, name: name?.trim() });
    const page = found.slice(0, limit);
    const last = page.at(-1);
    const now = clock.now();
    return {
      applications: page.map((application) => toMessage(application, now)),
      nextCursor: found.length > limit && last !== undefined ? toApplicationCursor(last) : null,
    };
  };

/** @throws NOT_FOUND (application_not_found). */
export const getApplication =
  ({ applications, clock }: ApplicationsDeps) =>
  async ({ applicationId }: GetApplicationRequest): Promise<GetApplicationResponse> => {
    const application = await applications.findAny(applicationId);
    if (application === undefined) throw unknownApplication(applicationId);
    return { application: toMessage(application, clock.now()) };
  };

/** Where the next page of applications begins, as opaque text. */
const toApplicationCursor = ({ createdAt, id }: ApplicationStart): string =>
  Buffer.from(`${createdAt.getTime()} ${id}`, "latin1").toString("base64url");

/** `undefined` when the text is not a cursor of ours. */
function parseApplicationCursor(cursor: string): ApplicationStart | undefined {
  const [, time, text = ""] = /^(\d{1,15}) (\S+)$/.exec(Buffer.from(cursor, "base64url").toString("latin1")) ?? [];
  const id = parseId("application", text);
  const start = time === undefined || id === undefined ? undefined : { createdAt: new Date(Number(time)), id };
  return start !== undefined && toApplicationCursor(start) === cursor ? start : undefined;
}

/** Whether an origin is registered: by the application named, or by any when none is (R-S15, RFC 9700 §2.6). Disabled ones do not count. */
export const checkOrigin =
  ({ applications }: { readonly applications: ApplicationRepository }) =>
  async ({ origin, applicationId }: CheckOriginRequest): Promise<CheckOriginResponse> => {
    if (typeof applicationId !== "string") return { registered: await applications.hasOrigin(origin) };
    // Read from a token that may be anybody's text, and a store may refuse such text.
    const id = parseId("application", applicationId);
    const application = id && (await applications.find(id));
    return { registered: application?.corsOrigins.includes(origin) ?? false };
  };
