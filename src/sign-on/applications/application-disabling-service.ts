import type {
  DisableApplicationRequest,
  DisableApplicationResponse,
  EnableApplicationRequest,
  EnableApplicationResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { AuthorizationCodeRepository } from "../authorization-codes/authorization-code-repository.ts";
import { type ApplicationChangeDeps, changedApplication } from "./changed-application-service.ts";

interface DisablingDeps extends ApplicationChangeDeps {
  readonly codes: AuthorizationCodeRepository;
}

/**
 * Switches an application off: every endpoint treats it as unknown from now on, its codes expire and its token families are worth nothing
 * any more. However many families there are, it is one write: their liveness looks at the application (decision 0031).
 * @throws NOT_FOUND.
 */
export const disableApplication =
  (deps: DisablingDeps) =>
  async ({ applicationId }: DisableApplicationRequest, call: Call): Promise<DisableApplicationResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      if (before.disabledAt !== undefined) return before;
      await deps.applicationChanges.replaceDisabledAt(db, before.id, at, at);
      await deps.codes.expireAllOfApplication(db, before.id, at);
      await audit({ actor: call.peer, action: "application.disable", object: before.id });
      return { ...before, disabledAt: at, updatedAt: at };
    }),
  });

/**
 * Switches it on again. What was being issued while it was switched off ends here at the latest.
 * @throws NOT_FOUND.
 */
export const enableApplication =
  (deps: DisablingDeps) =>
  async ({ applicationId }: EnableApplicationRequest, call: Call): Promise<EnableApplicationResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      if (before.disabledAt === undefined) return before;
      await deps.applicationChanges.replaceDisabledAt(db, before.id, undefined, at);
      await deps.codes.expireAllOfApplication(db, before.id, at);
      await audit({ actor: call.peer, action: "application.enable", object: before.id });
      return { ...before, disabledAt: undefined, updatedAt: at };
    }),
  });
