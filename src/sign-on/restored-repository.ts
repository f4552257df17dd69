import { type AnyTransaction, seenAs } from "#runtime/database/database.ts";
import { ENDED_EARLY } from "./ended-early.ts";
import type { SignOnTables } from "./tables.ts";

/** What a restore ended in sign-on, by number. */
interface EndedByRestore {
  readonly sessions: number;
  readonly families: number;
  readonly codes: number;
  readonly links: number;
  readonly consents: number;
  readonly signInsUnderWay: number;
}

interface RestoredRepository {
  /**
   * Ends everything in a restored store that may have been used, ended or withdrawn since its backup: sessions, token
   * families, unspent codes, password links, consents, sign-ins and sign-outs under way (R-X247, S25). Earlier sign-ins
   * stay recorded.
   */
  endAll(tx: AnyTransaction, at: Date): Promise<EndedByRestore>;
}

/** Why a token family was revoked, as operators read it. */
const BECAUSE = "store_restored";

export const restoredRepository: RestoredRepository = {
  async endAll(anyTx, at) {
    const tx = seenAs<SignOnTables>(anyTx);
    const now = at.getTime();
    const sessions = await tx
      .updateTable("sign_on_sessions")
      .set({ ended_at: now })
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    const families = await tx
      .updateTable("sign_on_families")
      .set({ revoked_at: now, revoked_because: BECAUSE })
      .where("generation", ">", 0)
      .where("revoked_at", "is", null)
      .executeTakeFirstOrThrow();
    const codes = await tx
      .updateTable("sign_on_families")
      .set({ expires_at: ENDED_EARLY })
      .where("generation", "=", 0)
      .whereRef("expires_at", ">", "issued_at")
      .executeTakeFirstOrThrow();
    const links = await tx
      .updateTable("sign_on_password_links")
      .set({ ended_at: now, ended_because: "withdrawn" })
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    const consents = await tx.deleteFrom("sign_on_consents").executeTakeFirstOrThrow();
    const interactions = await tx
      .updateTable("sign_on_interactions")
      .set({ ended_at: now })
      .where("ended_at", "is", null)
      .executeTakeFirstOrThrow();
    await tx.updateTable("sign_on_logouts").set({ expires_at: now }).where("expires_at", ">", now).execute();
    return {
      sessions: Number(sessions.numUpdatedRows),
      families: Number(families.numUpdatedRows),
      codes: Number(codes.numUpdatedRows),
      links: Number(links.numUpdatedRows),
      consents: Number(consents.numDeletedRows),
      signInsUnderWay: Number(interactions.numUpdatedRows),
    };
  },
};
