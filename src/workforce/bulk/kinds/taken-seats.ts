import type { TakenSeat } from "../../people/seat.ts";

/** Which seats are taken, by earlier lines too. */
export class TakenSeats<Id extends string> {
  readonly #ids = new Map<string, Id>();

  constructor(seats: readonly TakenSeat<Id>[]) {
    for (const seat of seats) this.take(seat);
  }

  /** Whose the seat is. */
  find({ tenantId, personId }: Omit<TakenSeat<Id>, "id">): Id | undefined {
    return this.#ids.get(`${tenantId} ${personId}`);
  }

  take({ id, tenantId, personId }: TakenSeat<Id>): void {
    this.#ids.set(`${tenantId} ${personId}`, id);
  }
}
