import type { ApplicationId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { SignOnTables } from "../../tables.ts";

/** A request for sign-out whose parameters are all proven. */
export interface LogoutRequest {
  readonly applicationId: ApplicationId | undefined;
  /** Registered for the application. */
  readonly postLogoutRedirectUri: string | undefined;
  readonly state: string | undefined;
  /** The session that the application means, if it sent an ID token. */
  readonly sid: string | undefined;
  /** The person of that ID token. */
  readonly personId: PersonId | undefined;
}

/** A request that waits for the person, or for the browser's GET with the cookie. */
interface StoredLogoutRequest extends LogoutRequest {
  readonly id: string;
  readonly createdAt: Date;
  readonly expiresAt: Date;
}

export interface LogoutRequestRepository {
  /** The request unless it was answered or has expired. */
  findOpen(id: string, now: Date): Promise<StoredLogoutRequest | undefined>;
  /** Creates it, unless an earlier try of the same change did. */
  create(tx: Transaction<SignOnTables>, request: StoredLogoutRequest): Promise<void>;
  /** Deletes it; `false` when another call already did. */
  remove(tx: Transaction<SignOnTables>, id: string): Promise<boolean>;
}

export const logoutRequestRepository = (db: Database<SignOnTables>): LogoutRequestRepository => ({
  async findOpen(id, now) {
    const row = await db
      .selectFrom("sign_on_logouts")
      .selectAll()
      .where("id", "=", id)
      .where("expires_at", ">", now.getTime())
      .executeTakeFirst();
    if (row === undefined) return undefined;
    return {
      id: row.id,
      applicationId: (row.application_id ?? undefined) as ApplicationId | undefined,
      postLogoutRedirectUri: row.post_logout_redirect_uri ?? undefined,
      state: row.state ?? undefined,
      sid: row.sid ?? undefined,
      personId: (row.person_id ?? undefined) as PersonId | undefined,
      createdAt: new Date(row.created_at),
      expiresAt: new Date(row.expires_at),
    };
  },
  async create(tx, request) {
    await tx
      .insertInto("sign_on_logouts")
      .values({
        id: request.id,
        application_id: request.applicationId ?? null,
        post_logout_redirect_uri: request.postLogoutRedirectUri ?? null,
        state: request.state ?? null,
        sid: request.sid ?? null,
        person_id: request.personId ?? null,
        created_at: request.createdAt.getTime(),
        expires_at: request.expiresAt.getTime(),
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  },
  async remove(tx, id) {
    const { numDeletedRows } = await tx.deleteFrom("sign_on_logouts").where("id", "=", id).executeTakeFirst();
    return numDeletedRows === 1n;
  },
});
