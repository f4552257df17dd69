import type { ListRefusalsRequest, ListRefusalsResponse } from "#generated/proto/gatehouse/sign_on/v1/inspection.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { readRefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { RefusalRepository } from "../refusals/refusal-repository.ts";

interface ListRefusalsDeps {
  readonly refusals: Pick<RefusalRepository, "list">;
}

/**
 * Refused requests that are stored, newest first, a page at a time; those that named an application, if one is given.
 * Failed sign-ins of a flood are in the audit log alone.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listRefusals =
  ({ refusals }: ListRefusalsDeps) =>
  async (request: ListRefusalsRequest): Promise<ListRefusalsResponse> => {
    const { applicationId } = request;
    const page = readRefusalPage(request, optionalIdViolations("application", "application_id", applicationId));
    const found = await refusals.list(page, applicationId ?? undefined);
    return { refusals: found.slice(0, page.limit), more: found.length > page.limit };
  };
