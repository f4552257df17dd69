import { setImmediate as nextTurn } from "node:timers/promises";
import type { TenantId } from "#runtime/basis/ids.ts";
import type { ErasedCounts, PersonSeat, SeatPlace } from "./erasable.ts";
import type { ErasableRepository } from "./erasable-repository.ts";

/** Seats that one question counts. */
const SEATS_AT_ONCE = 500;

/**
 * What erasing a tenant would end. Its seats are counted in parts, between which others have their turn: of a large tenant
 * one question would keep the whole embedded store waiting (R-X263). Who comes or goes meanwhile may be left out.
 */
export async function countTenant(erasable: ErasableRepository, id: TenantId): Promise<ErasedCounts> {
  const users = await countSeats(erasable, id, "USER");
  const workers = await countSeats(erasable, id, "WORKER");
  const { units, unitTypes, locations } = await erasable.countPlacesOf(id);
  const people = users.people + workers.people;
  return { people, users: users.seats, workers: workers.seats, units, unitTypes, locations };
}

async function countSeats(erasable: ErasableRepository, id: TenantId, kind: PersonSeat["kind"]) {
  const counted = { seats: 0, people: 0 };
  let after: SeatPlace | undefined;
  do {
    const { seats, people, next } = await erasable.countSeatsOf(id, kind, after, SEATS_AT_ONCE);
    counted.seats += seats;
    counted.people += people;
    after = next;
    await nextTurn();
  } while (after !== undefined);
  return counted;
}
