import { erasedForGood } from "../failures.ts";

/** Units, or unit types, of which some are erased. */
interface Erasable<Id> {
  listErased(ids: readonly Id[]): Promise<ReadonlySet<Id>>;
}

/**
 * Asserts that what is about to be changed, or newly referred to, is not erased (R-X260, R-X365). What an erased unit
 * or unit type had when it was erased stays with it, and is not asked about here. The tenant is locked.
 * @throws FAILED_PRECONDITION (erased) naming the first.
 */
export async function assertNotErased<Id extends string>(places: Erasable<Id>, ids: readonly Id[]): Promise<void> {
  assertNoneErased(ids, await places.listErased(ids));
}

/** @throws FAILED_PRECONDITION (erased) naming the first of the ids that is erased. */
export function assertNoneErased(ids: readonly string[], erased: ReadonlySet<string>): void {
  const first = ids.find((id) => erased.has(id));
  if (first !== undefined) throw erasedForGood(first);
}
