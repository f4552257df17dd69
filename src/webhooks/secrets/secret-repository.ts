import { sql } from "kysely";
import type { SubscriptionId } from "#runtime/basis/ids.ts";
import type { Database, Transaction } from "#runtime/database/database.ts";
import { instantIn, rowsOf } from "#runtime/database/rows.ts";
import type { WebhooksTables } from "../tables.ts";
import type { SealedSecret, SecretKind } from "./signing-secret.ts";

/** A secret or key pair without what is secret of it. */
export interface SecretInfo {
  /** Unique within the subscription, rising. */
  readonly number: number;
  readonly kind: SecretKind;
  readonly createdAt: Date;
  /** When it stops signing; `undefined` for the current one of its kind. */
  readonly expiresAt: Date | undefined;
  /** Of a key pair. */
  readonly publicKey: string | undefined;
}

/** What signs, sealed. */
interface LiveSecret extends SealedSecret {
  /** True for the one of its kind without an end; of key pairs there may be none. */
  readonly isCurrent: boolean;
}

export interface SecretRepository {
  /** What signs at `now`, newest first, by subscription. */
  listLive(
    db: Database<WebhooksTables>,
    subscriptionIds: readonly string[],
    now: Date,
  ): Promise<ReadonlyMap<string, readonly SecretInfo[]>>;
  /** What signs at `now` for one subscription, newest first, sealed. */
  listSealed(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    now: Date,
  ): Promise<readonly LiveSecret[]>;
  /** Draws the number of a new secret of a subscription that is locked. */
  nextNumber(tx: Transaction<WebhooksTables>, subscriptionId: SubscriptionId): Promise<number>;
  create(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    secret: SealedSecret & Pick<SecretInfo, "publicKey">,
    at: Date,
  ): Promise<void>;
  /** Lets the current one of a kind sign until then. */
  expireCurrent(
    tx: Transaction<WebhooksTables>,
    subscriptionId: SubscriptionId,
    kind: SecretKind,
    until: Date,
  ): Promise<void>;
  /** The one without an end. */
  removeCurrent(tx: Transaction<WebhooksTables>, subscriptionId: SubscriptionId, kind: SecretKind): Promise<void>;
  remove(tx: Transaction<WebhooksTables>, subscriptionId: SubscriptionId, number: number): Promise<void>;
}

export const secretRepository: SecretRepository = {
  async listLive(db, subscriptionIds, now) {
    const { rows } = await sql<SecretRow>`
      select webhooks_signing_secrets.* from ${rowsOf(
        db,
        subscriptionIds.map((id) => ({ id })),
      )}
      join webhooks_signing_secrets on subscription_id = given.value ->> 'id'
      where expires_at is null or expires_at > ${now.getTime()}
      order by subscription_id, number desc`.execute(db);
    const grouped = Map.groupBy(rows, ({ subscription_id }) => subscription_id);
    return new Map([...grouped].map(([id, found]) => [id, found.map(toSecretInfo)]));
  },
  async listSealed(tx, subscriptionId, now) {
    const rows = await tx
      .selectFrom("webhooks_signing_secrets")
      .select(["number", "kind", "sealed", "expires_at"])
      .where("subscription_id", "=", subscriptionId)
      .where((row) => row.or([row("expires_at", "is", null), row("expires_at", ">", now.getTime())]))
      .orderBy("number", "desc")
      .execute();
    return rows.map(({ number, kind, sealed, expires_at }) => ({
      number,
      kind: kind as SecretKind,
      sealed,
      isCurrent: expires_at === null,
    }));
  },
  async nextNumber(tx, subscriptionId) {
    const { secrets_made } = await tx
      .updateTable("webhooks_subscriptions")
      .set((row) => ({ secrets_made: row("secrets_made", "+", 1) }))
      .where("id", "=", subscriptionId)
      .returning("secrets_made")
      .executeTakeFirstOrThrow();
    return secrets_made;
  },
  async create(tx, subscriptionId, { number, kind, sealed, publicKey }, at) {
    await tx
      .insertInto("webhooks_signing_secrets")
      .values({
        subscription_id: subscriptionId,
        number,
        kind,
        sealed,
        public_key: publicKey ?? null,
        created_at: at.getTime(),
        expires_at: null,
      })
      .execute();
  },
  async expireCurrent(tx, subscriptionId, kind, until) {
    await tx
      .updateTable("webhooks_signing_secrets")
      .set({ expires_at: until.getTime() })
      .where("subscription_id", "=", subscriptionId)
      .where("kind", "=", kind)
      .where("expires_at", "is", null)
      .execute();
  },
  async removeCurrent(tx, subscriptionId, kind) {
    await tx
      .deleteFrom("webhooks_signing_secrets")
      .where("subscription_id", "=", subscriptionId)
      .where("kind", "=", kind)
      .where("expires_at", "is", null)
      .execute();
  },
  async remove(tx, subscriptionId, number) {
    await tx
      .deleteFrom("webhooks_signing_secrets")
      .where("subscription_id", "=", subscriptionId)
      .where("number", "=", number)
      .execute();
  },
};

interface SecretRow {
  readonly subscription_id: string;
  readonly number: number;
  readonly kind: string;
  readonly created_at: number;
  readonly expires_at: number | null;
  readonly public_key: string | null;
}

const toSecretInfo = (row: SecretRow): SecretInfo => ({
  number: row.number,
  kind: row.kind as SecretKind,
  createdAt: new Date(row.created_at),
  expiresAt: instantIn(row.expires_at),
  publicKey: row.public_key ?? undefined,
});
