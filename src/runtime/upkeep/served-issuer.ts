import type { Database } from "../database/database.ts";
import type { Log } from "../process/log.ts";

export interface ServedIssuerTables {
  store_identities: {
    /** The issuer of the services that started last with this store; `null` in a store of an earlier program. */
    readonly issuer: string | null;
  };
}

/**
 * Remembers the issuer that services start with, and warns when the store was served under another one: then the tokens
 * and links that are out name an address that is no longer this one (R-X364). A planned move is as good as a mistake
 * here, so nothing is refused.
 */
export async function rememberIssuer(db: Database<ServedIssuerTables>, issuer: string, log: Log): Promise<void> {
  const { issuer: former } = await db.selectFrom("store_identities").select("issuer").executeTakeFirstOrThrow();
  if (former === issuer) return;
  await db.updateTable("store_identities").set({ issuer }).execute();
  if (former !== null)
    log.warn(
      "The issuer is not the one that this store was served under. Access tokens of the former one are refused, links in sent messages lead to it, and every application must be given the new one. If this is a mistake, start with the former --issuer.",
      { detail: `${former}, now ${issuer}` },
    );
}
