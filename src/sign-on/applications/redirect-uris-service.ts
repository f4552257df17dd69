import type {
  AddRedirectUriRequest,
  AddRedirectUriResponse,
  RemoveRedirectUriRequest,
  RemoveRedirectUriResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { SignInService } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { alreadyExists, Failure, failedPrecondition, invalidArgument, notFound } from "#runtime/basis/errors.ts";
import type { InstanceId } from "#runtime/basis/ids.ts";
import type { Call, PromiseClient } from "#runtime/rpc/call.ts";
import { REDIRECT_URIS_MAX } from "./application-checks.ts";
import type { ApplicationRepository } from "./application-repository.ts";
import { type ApplicationChangeDeps, changedApplication, unknownApplication } from "./changed-application-service.ts";
import { conflictProblem, redirectUriProblem } from "./redirect-uri.ts";

interface RedirectUrisDeps extends ApplicationChangeDeps {
  readonly applications: ApplicationRepository;
  readonly workforce: PromiseClient<typeof SignInService>;
  readonly development: boolean;
}

/**
 * Registers one more redirect URI; it names one instance (R-S15).
 * @throws INVALID_ARGUMENT for what R-S15 refuses and for an instance that does not exist; NOT_FOUND; ALREADY_EXISTS
 * (redirect_uri_registered); FAILED_PRECONDITION (too_many_redirect_uris).
 */
export const addRedirectUri =
  (deps: RedirectUrisDeps) =>
  async ({ applicationId, redirectUri }: AddRedirectUriRequest, call: Call): Promise<AddRedirectUriResponse> => {
    const uri = redirectUri?.uri ?? "";
    const instanceId = redirectUri?.instanceId ?? "";
    // The kind never changes, so it may be read before the change.
    const application = await deps.applications.findAny(applicationId);
    if (application === undefined) throw unknownApplication(applicationId);
    const problem = redirectUriProblem(uri, application.kind, deps);
    if (problem !== undefined) throw invalidArgument([{ field: "redirect_uri.uri", reason: problem }]);
    await assertInstances(deps, "redirect_uri.instance_id", [{ instanceId }], call);
    return {
      application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
        if (before.redirectUris.some((one) => one.uri === uri))
          throw alreadyExists("redirect_uri_registered", "The application has this redirect URI already.");
        if (before.redirectUris.length >= REDIRECT_URIS_MAX)
          throw failedPrecondition(
            "too_many_redirect_uris",
            `An application has at most ${REDIRECT_URIS_MAX} redirect URIs. Remove one first.`,
          );
        const added = { uri, instanceId: instanceId as InstanceId };
        const conflict = conflictProblem(added, before.redirectUris);
        if (conflict !== undefined) throw invalidArgument([{ field: "redirect_uri.uri", reason: conflict }]);
        await deps.applicationChanges.addRedirectUri(db, before.id, added, at);
        const facts = { uri, instance: instanceId };
        await audit({ actor: call.actor, action: "application.addRedirectUri", object: before.id, facts });
        const redirectUris = [...before.redirectUris, added].toSorted((one, other) => (one.uri < other.uri ? -1 : 1));
        return { ...before, redirectUris, updatedAt: at };
      }),
    };
  };

/**
 * Removes a redirect URI; redirects there end at once.
 * @throws NOT_FOUND; FAILED_PRECONDITION (last_redirect_uri).
 */
export const removeRedirectUri =
  (deps: ApplicationChangeDeps) =>
  async ({ applicationId, uri }: RemoveRedirectUriRequest, call: Call): Promise<RemoveRedirectUriResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      const redirectUris = before.redirectUris.filter((one) => one.uri !== uri);
      if (redirectUris.length === before.redirectUris.length)
        throw notFound("redirect_uri_not_registered", "The application has no such redirect URI.");
      if (redirectUris.length === 0)
        throw failedPrecondition(
          "last_redirect_uri",
          "An application has at least one redirect URI. Add another one first, or disable the application.",
        );
      await deps.applicationChanges.removeRedirectUri(db, before.id, uri, at);
      const facts = { uri };
      await audit({ actor: call.actor, action: "application.removeRedirectUri", object: before.id, facts });
      return { ...before, redirectUris, updatedAt: at };
    }),
  });

/**
 * Workforce owns the instances; sign-on asks before the transaction, never inside it.
 * @throws INVALID_ARGUMENT of `field` for one that does not exist.
 */
export async function assertInstances(
  { workforce }: { readonly workforce: PromiseClient<typeof SignInService> },
  field: string,
  named: readonly { readonly instanceId: string }[],
  { requestId }: Call,
): Promise<void> {
  for (const instanceId of new Set(named.map((one) => one.instanceId))) {
    try {
      await workforce.getInstance({ instanceId }, { requestId });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "NOT_FOUND") throw error;
      throw invalidArgument([{ field, reason: `names ${instanceId}, which is no instance` }]);
    }
  }
}
