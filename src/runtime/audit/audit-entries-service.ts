import {
  AuditService,
  type ListAuditEntriesRequest,
  type ListAuditEntriesResponse,
} from "#generated/proto/gatehouse/audit/v1/audit.ts";
import { type FieldViolation, invalidArgument, WRONG_CURSOR } from "../basis/errors.ts";
import type { Store } from "../database/database.ts";
import { type Registration, registration } from "../rpc/call.ts";
import { type AuditFilter, readAudit } from "./audit-log.ts";

interface AuditEntriesDeps {
  readonly store: Store;
}

/** The service `gatehouse.audit.v1.Audit`. */
export const auditRegistration = (deps: AuditEntriesDeps): Registration =>
  registration(AuditService, { listAuditEntries: listAuditEntries(deps) });

const LIMIT_DEFAULT = 50;
const LIMIT_MAX = 500;

/**
 * Who did what, newest first. All domains share one audit log, as they share the store.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
const listAuditEntries =
  ({ store }: AuditEntriesDeps) =>
  async (request: ListAuditEntriesRequest): Promise<ListAuditEntriesResponse> => {
    const { entries, next } = await readAudit(store.view(), parseFilter(request));
    return { entries: [...entries], nextCursor: next === undefined ? null : String(next) };
  };

function parseFilter({ limit, cursor, ...request }: ListAuditEntriesRequest): AuditFilter {
  const violations: FieldViolation[] = [];
  if (limit < 0 || limit > LIMIT_MAX) violations.push({ field: "limit", reason: `must be 1 to ${LIMIT_MAX}` });
  if (typeof cursor === "string" && !/^[1-9][0-9]{0,14}$/.test(cursor)) violations.push(WRONG_CURSOR);
  const action = request.action ?? undefined;
  if (action !== undefined && !/^[A-Za-z_]{1,60}\.([A-Za-z_]{1,60}|\*)$/.test(action))
    violations.push({ field: "action", reason: "must be like application.create, or application.* for all of a noun" });
  if (violations.length > 0) throw invalidArgument(violations);
  return {
    object: request.object ?? undefined,
    actor: request.actor ?? undefined,
    action,
    requestId: request.requestId ?? undefined,
    since: request.since ?? undefined,
    until: request.until ?? undefined,
    before: typeof cursor === "string" ? Number(cursor) : undefined,
    limit: limit === 0 ? LIMIT_DEFAULT : limit,
  };
}
