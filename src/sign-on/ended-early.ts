import { sql } from "kysely";
import { CLOCKS_APART_MS } from "#runtime/basis/clock.ts";

/**
 * `expires_at` of a code that ends before its time: before it was issued, so that a redemption that took its instant
 * earlier, in another process or before it waited, finds it over (R-S20).
 */
export const ENDED_EARLY = sql<number>`issued_at - ${sql.lit(CLOCKS_APART_MS)}`;
