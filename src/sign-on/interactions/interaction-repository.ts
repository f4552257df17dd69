import type { ApplicationId, InstanceId, PersonId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import type { RequestedClaims } from "../claims/requested-claims.ts";
import type { Scope } from "../claims/scopes.ts";
import type { InteractionsTable, SignOnTables } from "../tables.ts";
import type { Interaction, Prompt, ResponseMode } from "./interaction.ts";

export interface InteractionRepository {
  /** The interaction unless it has ended or expired. */
  findOpen(id: string, now: Date): Promise<Interaction | undefined>;
  /**
   * The redirect URI of an interaction, open or not. `undefined` when it never existed or was swept, when its
   * application is disabled, and when the same bytes are no longer registered.
   */
  findRedirectUri(id: string): Promise<string | undefined>;
  /** Creates it, unless an earlier try of the same change did. */
  create(tx: Transaction<SignOnTables>, interaction: Interaction): Promise<void>;
  /** Deletes an unproven interaction: one with its original expiry. */
  giveUp(tx: Transaction<SignOnTables>, interaction: Pick<Interaction, "id" | "expiresAt">): Promise<void>;
  /** Prolongs an open one until `expiresAt`. */
  prolong(tx: Transaction<SignOnTables>, id: string, expiresAt: Date): Promise<void>;
  /** Ends it; `false` when another call already did, so that two submitted forms give one code. */
  end(tx: Transaction<SignOnTables>, id: string, at: Date): Promise<boolean>;
  /** Whether it was ended at this instant. */
  hasEndedAt(tx: Transaction<SignOnTables>, id: string, at: Date): Promise<boolean>;
}

export const interactionRepository = (db: Database<SignOnTables>): InteractionRepository => ({
  async findOpen(id, now) {
    const row = await db
      .selectFrom("sign_on_interactions")
      .selectAll()
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .where("expires_at", ">", now.getTime())
      .executeTakeFirst();
    return row === undefined ? undefined : toInteraction(row);
  },
  async findRedirectUri(id) {
    const row = await db
      .selectFrom("sign_on_interactions as interaction")
      .innerJoin("sign_on_applications as application", "application.id", "interaction.application_id")
      .innerJoin("sign_on_redirect_uris as registered", (join) =>
        join
          .onRef("registered.application_id", "=", "interaction.application_id")
          .onRef("registered.uri", "=", "interaction.redirect_uri"),
      )
      .select("interaction.redirect_uri")
      .where("interaction.id", "=", id)
      .where("application.disabled_at", "is", null)
      .executeTakeFirst();
    return row?.redirect_uri;
  },
  async create(tx, interaction) {
    await tx
      .insertInto("sign_on_interactions")
      .values({
        id: interaction.id,
        secret_digest: interaction.secretDigest,
        application_id: interaction.applicationId,
        redirect_uri: interaction.redirectUri,
        instance_id: interaction.instanceId,
        scopes: JSON.stringify(interaction.scopes),
        state: interaction.state ?? null,
        nonce: interaction.nonce ?? null,
        code_challenge: interaction.codeChallenge ?? null,
        prompts: JSON.stringify(interaction.prompts),
        max_age_seconds: interaction.maxAgeSeconds ?? null,
        login_hint: interaction.loginHint ?? null,
        response_mode: interaction.responseMode,
        ui_locales: interaction.uiLocales ?? null,
        expected_person_ids:
          interaction.expectedPersonIds === undefined ? null : JSON.stringify(interaction.expectedPersonIds),
        claims: JSON.stringify(interaction.claims),
        created_at: interaction.createdAt.getTime(),
        expires_at: interaction.expiresAt.getTime(),
        ended_at: null,
      })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
  },
  async giveUp(tx, { id, expiresAt }) {
    await tx
      .deleteFrom("sign_on_interactions")
      .where("id", "=", id)
      .where("expires_at", "=", expiresAt.getTime())
      .where("ended_at", "is", null)
      .execute();
  },
  async prolong(tx, id, expiresAt) {
    await tx
      .updateTable("sign_on_interactions")
      .set({ expires_at: expiresAt.getTime() })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .execute();
  },
  async end(tx, id, at) {
    const { numUpdatedRows } = await tx
      .updateTable("sign_on_interactions")
      .set({ ended_at: at.getTime() })
      .where("id", "=", id)
      .where("ended_at", "is", null)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  },
  async hasEndedAt(tx, id, at) {
    const row = await tx.selectFrom("sign_on_interactions").select("ended_at").where("id", "=", id).executeTakeFirst();
    return row?.ended_at === at.getTime();
  },
});

const toInteraction = (row: InteractionsTable): Interaction => ({
  id: row.id,
  secretDigest: row.secret_digest,
  applicationId: row.application_id as ApplicationId,
  redirectUri: row.redirect_uri,
  instanceId: row.instance_id as InstanceId,
  scopes: JSON.parse(row.scopes) as Scope[],
  state: row.state ?? undefined,
  nonce: row.nonce ?? undefined,
  codeChallenge: row.code_challenge ?? undefined,
  prompts: JSON.parse(row.prompts) as Prompt[],
  maxAgeSeconds: row.max_age_seconds ?? undefined,
  loginHint: row.login_hint ?? undefined,
  responseMode: row.response_mode as ResponseMode,
  uiLocales: row.ui_locales ?? undefined,
  expectedPersonIds: row.expected_person_ids === null ? undefined : (JSON.parse(row.expected_person_ids) as PersonId[]),
  claims: JSON.parse(row.claims) as RequestedClaims,
  createdAt: new Date(row.created_at),
  expiresAt: new Date(row.expires_at),
});
