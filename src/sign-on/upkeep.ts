import { type TableUpkeep, upkeepOf } from "#runtime/database/sweeping.ts";
import { SIGN_ON_SWEEPS } from "./sweep-loop.ts";

/** What becomes of the rows of each of sign-on's tables. */
export const signOnUpkeep: readonly TableUpkeep[] = [
  ...SIGN_ON_SWEEPS.map(upkeepOf),
  { table: "sign_on_applications", bounded: "registered by operators; deleted ones are removed after 410 days" },
  { table: "sign_on_redirect_uris", bounded: "of the applications" },
  { table: "sign_on_credentials", bounded: "one for each person" },
  { table: "sign_on_consents", bounded: "one for each person, application and instance" },
  { table: "sign_on_families", bounded: "removed two days after their end; unused codes after one" },
  { table: "sign_on_token_families", bounded: "from before families had numbers; removed two days after their end" },
  { table: "sign_on_signing_keys", bounded: "two for each rotation" },
  { table: "sign_on_refusals", bounded: "14 days, and 10,000 rows at most" },
];
