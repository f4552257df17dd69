import type {
  EndPreviousSecretRequest,
  EndPreviousSecretResponse,
  RotateApplicationSecretRequest,
  RotateApplicationSecretResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { failedPrecondition, invalidArgument } from "#runtime/basis/errors.ts";
import type { Random } from "#runtime/basis/random.ts";
import type { Change } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { digestOf } from "../digest.ts";
import type { SignOnTables } from "../tables.ts";
import { type Application, newApplicationSecret } from "./application.ts";
import { type ApplicationChangeDeps, changedApplication } from "./changed-application-service.ts";

const KEEP_SECONDS_MAX = 30 * 86_400;

/**
 * Gives an application a new secret, returned once. The previous secret stays valid for the requested time, so that
 * every process of the application can switch without a failed request; an older one ends.
 * @throws INVALID_ARGUMENT; NOT_FOUND; FAILED_PRECONDITION (application_has_no_secret).
 */
export const rotateApplicationSecret =
  (deps: ApplicationChangeDeps & { readonly random: Random }) =>
  async (request: RotateApplicationSecretRequest, call: Call): Promise<RotateApplicationSecretResponse> => {
    const { applicationId, keepPreviousSeconds: keep } = request;
    if (keep < 0 || keep > KEEP_SECONDS_MAX)
      throw invalidArgument([
        { field: "keep_previous_seconds", reason: `must be 0 to ${KEEP_SECONDS_MAX} seconds (30 days)` },
      ]);
    const secret = newApplicationSecret(deps.random);
    const secretDigest = digestOf(secret);
    const isDone = (before: Application) => before.secretDigest?.equals(secretDigest) === true;
    const rotated = async (before: Application, { db, at, audit }: Change<SignOnTables>) => {
      const { secretDigest: replaced } = before;
      if (replaced === undefined)
        throw failedPrecondition(
          "application_has_no_secret",
          "A public application has no secret; it uses PKCE instead.",
        );
      const expiresAt = new Date(at.getTime() + keep * 1000);
      const secrets = {
        secretDigest,
        previousSecret: keep === 0 ? undefined : { digest: replaced, expiresAt, lastUsedAt: undefined },
      };
      await deps.applicationChanges.replaceSecrets(db, before.id, secrets, at);
      await audit({
        actor: call.actor,
        action: "application.rotateSecret",
        object: before.id,
        facts: { previousUntil: keep === 0 ? null : expiresAt.toISOString() },
      });
      return { ...before, ...secrets, updatedAt: at };
    };
    return { application: await changedApplication(deps, applicationId, call, rotated, isDone), secret };
  };

/** Ends the secret before the last rotation now; without one nothing changes. @throws NOT_FOUND. */
export const endPreviousSecret =
  (deps: ApplicationChangeDeps) =>
  async ({ applicationId }: EndPreviousSecretRequest, call: Call): Promise<EndPreviousSecretResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      if (before.previousSecret === undefined) return before;
      const secrets = { secretDigest: before.secretDigest, previousSecret: undefined };
      await deps.applicationChanges.replaceSecrets(db, before.id, secrets, at);
      await audit({ actor: call.actor, action: "application.endPreviousSecret", object: before.id });
      return { ...before, ...secrets, updatedAt: at };
    }),
  });
