import type { PersonId, TenantId } from "#runtime/basis/ids.ts";

/** A person's user or worker in a tenant that keeps another one out. */
export interface HeldSeat<Id extends string> {
  readonly id: Id;
  readonly tenantId: TenantId;
  readonly personId: PersonId;
}

/** Who holds which seat, those of earlier lines included. */
export class HeldSeats<Id extends string> {
  readonly #ids = new Map<string, Id>();

  constructor(seats: readonly HeldSeat<Id>[]) {
    for (const seat of seats) this.hold(seat);
  }

  find({ tenantId, personId }: Omit<HeldSeat<Id>, "id">): Id | undefined {
    return this.#ids.get(`${tenantId} ${personId}`);
  }

  hold({ id, tenantId, personId }: HeldSeat<Id>): void {
    this.#ids.set(`${tenantId} ${personId}`, id);
  }
}
