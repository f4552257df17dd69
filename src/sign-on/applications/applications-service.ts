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
import { cutPage } from "#runtime/basis/paged-list.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Changes } from "#runtime/changes/change.ts";
import { firstMatching } from "#runtime/database/first-matching.ts";
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
  readonly applicationChanges: Pick<ApplicationChangeRepository, "lock">;
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
    const id = newId("application", deps.random);
    const application = await deps.changes.run(
      async ({ db, at, audit, mayBeDone }) => {
        const done = mayBeDone ? await deps.applicationChanges.lock(db, id) : undefined;
        if (done !== undefined) return done;
        const created: Application = {
          id,
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
      { requestId: call.requestId, recognizesItself: true },
    );
    return { application: toMessage(application, deps.clock.now()), secret: secret ?? null };
  };

/**
 * Applications that fit the filter, oldest first, a page at a time; never a secret.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listApplications =
  ({ applications, clock }: ApplicationsDeps) =>
  async (request: ListApplicationsRequest): Promise<ListApplicationsResponse> => {
    const { limit: asked, cursor } = request;
    const violations: FieldViolation[] = [];
    const start = typeof cursor === "string" ? parseApplicationCursor(cursor) : null;
    if (asked < 0 || asked > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
    if (start === undefined) violations.push(WRONG_CURSOR);
    if (start === undefined || violations.length > 0) throw invalidArgument(violations);
    const limit = asked === 0 ? LIMIT_DEFAULT : asked;
    // One more row than requested shows whether there is a next page.
    const wanted = limit + 1;
    const name = request.name?.trim();
    const fits = filterOf(request);
    const found =
      fits === undefined
        ? await applications.list({ limit: wanted, after: start, name })
        : await firstMatching(wanted, fits, (last, count) =>
            applications.list({ limit: count, after: last ?? start, name }),
          );
    const { entries, next } = cutPage(found, { limit }, toApplicationCursor);
    const now = clock.now();
    return { applications: entries.map((application) => toMessage(application, now)), nextCursor: next };
  };

/** What a list of applications asks for besides a name; `undefined` when that is nothing. */
function filterOf(request: ListApplicationsRequest): ((application: Application) => boolean) | undefined {
  const { nameContains, redirectUriContains, instanceId, disabled } = request;
  const name = nameContains?.toLowerCase();
  const uriPart = redirectUriContains?.toLowerCase();
  const tests: ((application: Application) => boolean)[] = [];
  if (name !== undefined) tests.push((one) => one.name.toLowerCase().includes(name));
  if (uriPart !== undefined)
    tests.push(({ redirectUris }) => redirectUris.some(({ uri }) => uri.toLowerCase().includes(uriPart)));
  if (typeof instanceId === "string")
    tests.push(({ redirectUris }) => redirectUris.some((registered) => registered.instanceId === instanceId));
  if (typeof disabled === "boolean") tests.push(({ disabledAt }) => (disabledAt !== undefined) === disabled);
  return tests.length === 0 ? undefined : (application) => tests.every((test) => test(application));
}

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
