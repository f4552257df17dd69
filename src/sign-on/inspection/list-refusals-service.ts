import type { ListRefusalsRequest, ListRefusalsResponse } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { readRefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { ApplicationRepository } from "../applications/application-repository.ts";
import type { RefusalRepository } from "../refusals/refusal-repository.ts";

interface ListRefusalsDeps {
  readonly refusals: Pick<RefusalRepository, "list">;
  readonly applications: Pick<ApplicationRepository, "findName">;
}

/**
 * Refused requests that are stored, newest first, a page at a time; those that named an application, if one is given.
 * Failed sign-ins of a flood are in the audit log alone.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listRefusals =
  ({ refusals, applications }: ListRefusalsDeps) =>
  async (request: ListRefusalsRequest): Promise<ListRefusalsResponse> => {
    const { applicationId } = request;
    const page = readRefusalPage(request, optionalIdViolations("application", "application_id", applicationId));
    const found = await refusals.list(page, applicationId ?? undefined);
    const shown = found.slice(0, page.limit);
    const names = new Map<string, string | undefined>();
    for (const { applicationId: id } of shown)
      if (id !== undefined && !names.has(id)) names.set(id, await applications.findName(id));
    return {
      refusals: shown.map(({ requestId, at, operation, check, error, applicationId: id }) => ({
        requestId,
        at,
        operation,
        check,
        error,
        applicationId: id,
        applicationName: id === undefined ? undefined : names.get(id),
      })),
      more: found.length > page.limit,
    };
  };
