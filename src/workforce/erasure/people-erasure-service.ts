import { emailKey } from "#runtime/basis/email-address.ts";
import { newId, type PersonId, type TenantId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { addressDigest, appendErasure, ERASURES_CHANNEL, type ErasureScope } from "#runtime/erasure/erasures.ts";
import type { Redaction } from "#runtime/erasure/redaction.ts";
import { assertLocked } from "../people/locked-tenants-service.ts";
import { personRepository } from "../people/person-repository.ts";
import type { User } from "../users/user.ts";
import { emitManagerCleared, emitUserUpdated } from "../users/user-change-service.ts";
import { userRepository } from "../users/user-repository.ts";
import { workerRepository } from "../workers/worker-repository.ts";
import { workerUpdated } from "../workers/worker-wire.ts";
import type { WorkforceChange } from "../writes-service.ts";
import type { ErasedSeats, LockedTenant, PersonSeat } from "./erasable.ts";
import { type ErasableRepository, erasableRepository } from "./erasable-repository.ts";
import { erasingRepository } from "./erasing-repository.ts";
import { erasedAddress, redactedPerson, redactedUser, redactedWorker } from "./tombstone.ts";

/** Who asked for an erasure, by which request. */
export interface AskedBy {
  readonly actor: string;
  readonly requestId: string;
}

/** What an erasure within a change is done with. */
export interface ErasingDeps {
  readonly by: AskedBy;
  readonly random: Random;
  /** The tenant that is erased as a whole, whose messages its own erasure finds. */
  readonly within?: TenantId;
}

/**
 * Erases a person with every seat. `undefined` when there is no such person; nothing is erased when it was erased before.
 * @param locked the tenants that the change has locked before; one that lacks the tenant of a seat is repeated (R-X407).
 */
export async function erasePerson(
  change: WorkforceChange,
  id: PersonId,
  locked: ReadonlySet<TenantId>,
  deps: ErasingDeps,
): Promise<ErasedSeats | undefined> {
  const [erasable, erasing] = [erasableRepository(change.db), erasingRepository(change.db)];
  const person = await personRepository(change.db).lock(id);
  if (!person) return undefined;
  if ((await erasable.personErasedAt(id)) !== null) return { seats: [], isPersonErased: false };
  // With what came before the person was locked.
  const seats = await erasable.listSeats(id);
  assertLocked(tenantsOf(seats), locked);
  const tenants = await lockTenantsOf(erasable, seats);
  const email = erasedAddress(deps.random);
  await erasing.erasePerson(id, email, change.at);
  await erasing.forgetLastLogin(id);
  await endSeats(change, seats, tenants);
  const scope: ErasureScope = {
    people: [{ id, addressDigest: addressDigest(emailKey(person.email)) }],
    // What is in messages of the tenant goes with the tenant.
    tenantIds: [...tenants.keys()].filter((tenantId) => tenantId !== deps.within),
    redactions: [redactedPerson(id), ...seats.map((seat) => redactedSeat(seat, email))],
  };
  await append(change, id, scope, deps.by);
  const facts = { users: count(seats, "USER"), workers: count(seats, "WORKER") };
  await change.note("person.erase", { actor: deps.by.actor, object: id, facts, tenants: [...tenants.keys()] });
  return { seats, isPersonErased: true };
}

/**
 * Erases seats of one person: they lose the person, who keeps the others. Without others the person is erased too
 * (R-X261).
 */
export async function eraseSeats(
  change: WorkforceChange,
  personId: PersonId,
  seats: readonly PersonSeat[],
  deps: ErasingDeps,
): Promise<ErasedSeats> {
  const [erasable, erasing] = [erasableRepository(change.db), erasingRepository(change.db)];
  const tenants = await lockTenantsOf(erasable, seats);
  await personRepository(change.db).lock(personId);
  if ((await erasable.personErasedAt(personId)) !== null) return { seats: [], isPersonErased: false };
  const erased = await erasePersonOrSeats();
  for (const seat of seats) {
    const facts = { tenantId: seat.tenantId };
    const written = { actor: deps.by.actor, object: seat.id, facts, tenants: [seat.tenantId] };
    await change.note(seat.kind === "USER" ? "user.erase" : "worker.erase", written);
  }
  return erased;

  async function erasePersonOrSeats(): Promise<ErasedSeats> {
    const ids = new Set<string>(seats.map(({ id }) => id));
    const others = (await erasable.listSeats(personId)).filter(({ id }) => !ids.has(id));
    if (others.length === 0) {
      const locked = new Set(tenantsOf(seats));
      return (await erasePerson(change, personId, locked, deps)) ?? { seats: [], isPersonErased: false };
    }
    const tombstone = { id: newId("person", deps.random), workerProfileId: newId("workerProfile", deps.random) };
    const email = erasedAddress(deps.random);
    await erasing.createErasedPerson(tombstone, email, change.at);
    await erasing.moveSeats(seats, tombstone.id);
    await erasing.forgetLastLogin(personId, seats);
    await endSeats(change, seats, tenants);
    if (deps.within === undefined) {
      const redactions = seats.map((seat) => redactedSeat(seat, email));
      for (const { id, tenantId } of seats)
        await append(change, id, { people: [], tenantIds: [tenantId], redactions }, deps.by);
    }
    return { seats, isPersonErased: false };
  }
}

/** Announces what the other parts of the store have to erase. */
export async function append(
  change: WorkforceChange,
  object: string,
  scope: ErasureScope,
  { actor, requestId }: AskedBy,
): Promise<void> {
  await appendErasure(change.db, { object, actor, requestId, scope }, change.at);
  change.wakeAfter(ERASURES_CHANNEL);
}

const lockTenantsOf = (erasable: ErasableRepository, seats: readonly PersonSeat[]) =>
  erasable.lockTenants([...new Set(tenantsOf(seats))]);

const tenantsOf = (seats: readonly PersonSeat[]): readonly TenantId[] => seats.map(({ tenantId }) => tenantId);

const count = (seats: readonly PersonSeat[], kind: PersonSeat["kind"]): number =>
  seats.filter((seat) => seat.kind === kind).length;

const redactedSeat = (seat: PersonSeat, email: string): Redaction =>
  seat.kind === "USER" ? redactedUser(seat.id, email) : redactedWorker(seat.id, email);

/**
 * Ends the seats, whose person is erased by now, and emits what the specification has for that: one event for each seat,
 * those that had ended before included, since they showed the names too; and one for each user who loses a manager.
 */
async function endSeats(
  change: WorkforceChange,
  seats: readonly PersonSeat[],
  tenants: ReadonlyMap<TenantId, LockedTenant>,
): Promise<void> {
  const [users, workers] = [userRepository(change.db), workerRepository(change.db)];
  const ended = new Set<string>(seats.map(({ id }) => id));
  const reports: (readonly User[])[] = [];
  for (const seat of seats) {
    // Of an erased tenant every user goes: none is announced for a manager that went before it.
    if (seat.kind !== "USER" || tenants.get(seat.tenantId)?.erasedAt !== null) continue;
    reports.push((await users.listReports(seat.id, seat.tenantId)).filter(({ id }) => !ended.has(id)));
    await users.clearManager(seat.id, seat.tenantId);
  }
  await erasingRepository(change.db).eraseSeats(seats, change.at);
  for (const seat of seats) {
    const tenant = tenants.get(seat.tenantId);
    if (tenant === undefined) throw new Error("The tenant of a seat is not there.");
    if (seat.kind === "USER") {
      const user = await users.findInTenant(seat.id, tenant.id);
      if (user) await emitUserUpdated(change, user, tenant);
    } else {
      const worker = await workers.findPlaced(seat.id, tenant.id);
      if (worker) await change.emit(workerUpdated(worker, tenant.instanceId));
    }
  }
  for (const some of reports) {
    const tenant = some[0] && tenants.get(some[0].tenantId);
    if (tenant) await emitManagerCleared(change, some, tenant);
  }
}
