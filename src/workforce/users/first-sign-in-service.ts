import type {
  RecordSignInEverywhereRequest,
  RecordSignInEverywhereResponse,
  RecordSignInRequest,
  RecordSignInResponse,
} from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { Membership } from "#generated/proto/gatehouse/workforce/v1/sign_in.ts";
import { type PersonId, parseId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { type MembershipDeps, readMembership } from "../people/membership.ts";
import type { Seats } from "../people/seat.ts";
import { seatRepository } from "../people/seat-repository.ts";
import { tenantRepository } from "../tenants/tenant-repository.ts";
import type { WorkforceChange, WorkforceChanges } from "../writes-service.ts";
import { emitUserUpdated } from "./user-change-service.ts";
import { userRepository } from "./user-repository.ts";
import { statusAfter } from "./user-status.ts";

interface SignInDeps extends MembershipDeps {
  readonly changes: WorkforceChanges;
}

/**
 * Checks the membership and makes each INVITED user of the person on the instance ACTIVE, with one user.updated each,
 * in one transaction (R-S7, R-S19). Nearly always there is nothing to change, and then nothing is written.
 */
export const recordSignIn =
  (deps: SignInDeps) =>
  async (request: RecordSignInRequest, call: Call): Promise<RecordSignInResponse> => {
    const now = await readMembership(deps, request);
    if (now.membership !== "MEMBER" || invitedSeats(now.seats.users).length === 0)
      return { membership: Membership[now.membership] };
    return deps.changes.run(
      async (change) => {
        // Read again, before and after: what was seen outside the transaction may be over, and a seat may go while we
        // wait for its tenant.
        const inside = { seats: seatRepository(change.db) };
        const before = await readMembership(inside, request);
        if (before.membership !== "MEMBER") return change.unchanged({ membership: Membership[before.membership] });
        for (const seat of invitedSeats(before.seats.users)) await activate(change, seat, before.person.id);
        const after = await readMembership(inside, request);
        return change.ended({ membership: Membership[after.membership] });
      },
      { requestId: call.requestId, recognizesItself: true },
    );
  };

/**
 * Makes each INVITED user of the person ACTIVE, on every instance, with one user.updated each, in one transaction
 * (R-X162): the person has
 * signed in where no instance is meant. Somebody who is disabled stays as they are.
 */
export const recordSignInEverywhere =
  (deps: SignInDeps) =>
  async (
    { personId: named, authenticatedAt }: RecordSignInEverywhereRequest,
    call: Call,
  ): Promise<RecordSignInEverywhereResponse> => {
    const personId = parseId("person", named);
    const instanceIds = personId === undefined ? [] : await deps.seats.listInvitingInstances(personId);
    if (personId === undefined || instanceIds.length === 0) return {};
    return deps.changes.run(
      async (change) => {
        const inside = { seats: seatRepository(change.db) };
        const users: UserSeat[] = [];
        for (const instanceId of instanceIds) {
          const found = await readMembership(inside, { personId, instanceId, authenticatedAt });
          if (found.membership === "MEMBER") users.push(...found.seats.users);
        }
        for (const seat of invitedSeats(users)) await activate(change, seat, personId);
        return change.ended({});
      },
      { requestId: call.requestId, recognizesItself: true },
    );
  };

type UserSeat = Seats["users"][number];

/** By tenant, so that two sign-ins take the tenants' locks in the same order. */
const invitedSeats = (users: readonly UserSeat[]): readonly UserSeat[] =>
  users.filter(({ status }) => status === "INVITED").toSorted((one, other) => (one.tenantId < other.tenantId ? -1 : 1));

/** The number of changed rows decides: of two concurrent sign-ins, only one activates and emits the event (I9). */
async function activate(change: WorkforceChange, seat: UserSeat, personId: PersonId): Promise<void> {
  const [tenants, users] = [tenantRepository(change.db), userRepository(change.db)];
  const status = statusAfter("signIn", seat.status) ?? seat.status;
  const tenant = await tenants.lock(seat.tenantId);
  if (!tenant || !(await users.replaceStatus(seat.id, seat.status, status))) return;
  const user = await users.findInTenant(seat.id, tenant.id);
  if (!user) throw new Error("A user that was just activated is not there.");
  await emitUserUpdated(change, user, tenant);
  const facts = { from: seat.status };
  await change.note("user.signIn", { actor: personId, object: user.id, facts, tenants: [tenant.id] });
}
