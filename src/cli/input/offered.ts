import type { Argument, Option } from "commander";

const OFFERED = new WeakMap<Argument | Option, readonly string[]>();

/**
 * Has Tab offer these values of a flag or argument. They are not checked here: the services do, and those of another
 * version may know others.
 */
export function offering<Place extends Argument | Option>(place: Place, values: readonly string[]): Place {
  OFFERED.set(place, values);
  return place;
}

/** What Tab offers: values that are checked here, or the ones that were named; `undefined` for a text of any form. */
export const offeredBy = (place: Argument | Option): readonly string[] | undefined =>
  place.argChoices ?? OFFERED.get(place);
