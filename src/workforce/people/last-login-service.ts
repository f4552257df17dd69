import {
  SetLastLoginContextRequest,
  SetLastLoginContextResponse,
} from "#generated/proto/gatehouse/workforce/v1/platform.ts";
import { SeatKind } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { wordOf } from "#runtime/basis/enum-words.ts";
import { failedPrecondition } from "#runtime/basis/errors.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { unknownReference } from "../failures.ts";
import { readWrite } from "../request-fields.ts";
import { getAndLock } from "../tenants/belonging.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import { repeatable, type WorkforceChanges } from "../writes-service.ts";
import { isUsable } from "./last-login-context.ts";
import { personRepository } from "./person-repository.ts";
import { seatRepository } from "./seat-repository.ts";

interface LastLoginDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Remembers the seat that the person used last on the tenant's instance (R-S22).
 * @throws NOT_FOUND (tenant_not_found, person_not_found); FAILED_PRECONDITION (seat_not_usable).
 */
export const setLastLoginContext =
  ({ changes }: LastLoginDeps) =>
  async (request: SetLastLoginContextRequest, call: Call): Promise<SetLastLoginContextResponse> => {
    const { personId, tenantId, kind } = readWrite(request, (fields) => {
      const kind = wordOf(SeatKind, request.kind);
      fields.check(kind !== undefined, "kind", "must be SEAT_KIND_USER or SEAT_KIND_WORKER");
      return {
        personId: fields.id("person_id", "person", request.personId),
        tenantId: fields.id("tenant_id", "tenant", request.tenantId),
        kind: kind ?? "USER",
      };
    });
    return changes.run(
      async ({ db, at, wrote }) => {
        const { instanceId } = await getAndLock(tenantRepository(db), tenantId);
        if (!(await personRepository(db).find(personId))) throw unknownReference("person", "person_id", personId);
        const seats = seatRepository(db);
        const loginContext = { kind, tenantId };
        if (!isUsable(loginContext, await seats.listOnInstance(personId, instanceId)))
          throw failedPrecondition(
            "seat_not_usable",
            `The person has no ${kind === "USER" ? "ACTIVE user" : "worker"} in this tenant. Name a seat that the person can use.`,
          );
        await seats.replaceLastLoginContext(personId, instanceId, loginContext, at);
        const facts = { kind, tenantId };
        return wrote("person.setLastLoginContext", { actor: call.actor, object: personId, facts }, {});
      },
      repeatable(request, call, SetLastLoginContextRequest, SetLastLoginContextResponse),
    );
  };
