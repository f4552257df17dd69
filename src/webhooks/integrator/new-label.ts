import { randomCharacters } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";

/**
 * The label of a subscription that an integration makes. Labels are unique in an installation: one of the integration's
 * choice would reveal which labels others have (R-X301).
 */
export const newLabel = (random: Random): string => `api-${randomCharacters(random, 16).toLowerCase()}`;
