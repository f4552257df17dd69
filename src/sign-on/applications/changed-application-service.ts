import type { Clock } from "#runtime/basis/clock.ts";
import { type Failure, notFound } from "#runtime/basis/errors.ts";
import type { Change, Changes } from "#runtime/changes/change.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { SignOnTables } from "../tables.ts";
import type { Application } from "./application.ts";
import type { ApplicationChangeRepository } from "./application-change-repository.ts";
import { toMessage } from "./application-message.ts";

export interface ApplicationChangeDeps {
  readonly applicationChanges: ApplicationChangeRepository;
  readonly changes: Changes<SignOnTables>;
  readonly clock: Clock;
}

export const unknownApplication = (id: string): Failure =>
  notFound("application_not_found", `There is no application ${/^[\w-]{1,40}$/.test(id) ? id : "of this id"}.`);

/**
 * Changes one application in one transaction that locks it. `work` gets the current application and returns the new
 * one. `isDone` recognizes an application that an earlier try of this change, whose answer was lost, has changed (R-X333).
 * @returns the application as operators are shown it.
 * @throws NOT_FOUND (application_not_found).
 */
export async function changedApplication(
  { applicationChanges, changes, clock }: ApplicationChangeDeps,
  applicationId: string,
  call: Call,
  work: (before: Application, change: Change<SignOnTables>) => Promise<Application>,
  isDone?: (before: Application) => boolean,
) {
  const application = await changes.run(
    async (change) => {
      const before = await applicationChanges.lock(change.db, applicationId);
      if (before === undefined) throw unknownApplication(applicationId);
      if (change.mayBeDone && isDone?.(before) === true) return before;
      return work(before, change);
    },
    { requestId: call.requestId, recognizesItself: isDone !== undefined },
  );
  return toMessage(application, clock.now());
}
