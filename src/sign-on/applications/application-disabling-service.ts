import type {
  DeleteApplicationRequest,
  DeleteApplicationResponse,
  DisableApplicationRequest,
  DisableApplicationResponse,
  EnableApplicationRequest,
  EnableApplicationResponse,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import type { ApplicationId } from "#runtime/basis/ids.ts";
import type { Transaction } from "#runtime/database/database.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { CodeExpiryRepository } from "../authorization-codes/code-expiry-repository.ts";
import type { SignOnTables } from "../tables.ts";
import { type ApplicationChangeDeps, changedApplication } from "./changed-application-service.ts";

interface DisablingDeps extends ApplicationChangeDeps {
  readonly codeExpiry: CodeExpiryRepository;
}

interface EnablingDeps extends DisablingDeps {
  /** Of the token families, whose folder imports this one. */
  readonly revocations: { revokeLaterOf(tx: Transaction<SignOnTables>, id: ApplicationId, at: Date): Promise<void> };
}

/**
 * Disables an application: every endpoint treats it as unknown from now on, its codes expire and its token families are
 * invalid. It is one write for any number of families, since their validity depends on the application's row (decision
 * 0031).
 * @throws NOT_FOUND.
 */
export const disableApplication =
  (deps: DisablingDeps) =>
  async ({ applicationId }: DisableApplicationRequest, call: Call): Promise<DisableApplicationResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      if (before.disabledAt !== undefined) return before;
      await deps.applicationChanges.replaceDisabledAt(db, before.id, at, at);
      await deps.codeExpiry.expireAllOfApplication(db, before.id, at);
      await audit({ actor: call.actor, action: "application.disable", object: before.id });
      return { ...before, disabledAt: at, updatedAt: at };
    }),
  });

/**
 * Enables an application again. Codes and families that were being issued while it was disabled end here at the latest.
 * So do those that are later than now: the clock has been set back since, and the mark of now leaves them out.
 * @throws NOT_FOUND.
 */
export const enableApplication =
  (deps: EnablingDeps) =>
  async ({ applicationId }: EnableApplicationRequest, call: Call): Promise<EnableApplicationResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      if (before.disabledAt === undefined) return before;
      await deps.applicationChanges.replaceDisabledAt(db, before.id, undefined, at);
      await deps.revocations.revokeLaterOf(db, before.id, at);
      await deps.codeExpiry.expireAllOfApplication(db, before.id, at);
      await audit({ actor: call.actor, action: "application.enable", object: before.id });
      return { ...before, disabledAt: undefined, updatedAt: at };
    }),
  });

/**
 * Deletes an application for good (R-X200). Its row remains, found by no operator, until the last token that could
 * refer to it is swept: then any number of families is void by one write, as with disabling. The sweep removes what
 * people consented to.
 * @throws NOT_FOUND.
 */
export const deleteApplication =
  (deps: DisablingDeps) =>
  async ({ applicationId }: DeleteApplicationRequest, call: Call): Promise<DeleteApplicationResponse> => ({
    application: await changedApplication(deps, applicationId, call, async (before, { db, at, audit }) => {
      await deps.applicationChanges.end(db, before.id, at);
      await deps.codeExpiry.expireAllOfApplication(db, before.id, at);
      const facts = { name: before.name };
      await audit({ actor: call.actor, action: "application.delete", object: before.id, facts });
      return before;
    }),
  });
