import type { Generated } from "kysely";

/** Instants are Unix milliseconds, lists are JSON text. */

export interface SubscriptionsTable {
  readonly id: string;
  readonly label: string;
  readonly instance_integration_id: string;
  /** Copies that never change, so that fan-out asks no other domain (R-E14). */
  readonly instance_id: string;
  readonly integration_id: string;
  /** Empty: pull-only. */
  readonly endpoint_url: string;
  readonly event_types: string;
  /** Empty list: every tenant. */
  readonly tenant_ids: string;
  /** active, paused, disabled; with a phase, the nearest of them that a program from before migration 0007 knows. */
  readonly state: string;
  readonly state_reason: string | null;
  readonly created_at: number;
  /** The outbox's last sequence when it was made; 0 for subscriptions from before the column. */
  readonly events_after: number;
  /** pending, deleted; null: `state` says all. */
  readonly phase: Generated<string | null>;
  /** 1 while no ping was acknowledged by the present endpoint that needs one. */
  readonly awaits_ping: Generated<number>;
  readonly description: Generated<string>;
  readonly extra_header_names: Generated<string>;
  /** Names and values, sealed; null when there are none. */
  readonly extra_headers: Generated<Buffer | null>;
  /** The highest number that a secret or key pair has had. */
  readonly secrets_made: Generated<number>;
  /** Null: since it was made, here and below. */
  readonly updated_at: Generated<number | null>;
  readonly state_since: Generated<number | null>;
  readonly deleted_at: Generated<number | null>;
  /** The label that it had until it was deleted; `label` is its id since. */
  readonly former_label: Generated<string | null>;
  /** Id of the delivery of its latest ping; it may be gone by now. */
  readonly last_ping: Generated<string | null>;
  /** 1 while its last attempts took long, answered or not; 0 otherwise. */
  readonly slow: Generated<number>;
  /** 1 where an integration chose the endpoint; 0 where an operator did, or before migration 0012. */
  readonly endpoint_by_integration: Generated<number>;
}

interface ConnectionsTable {
  readonly instance_integration_id: string;
  /** configured, unconfigured, revoked */
  readonly state: string;
  readonly revision: number;
}

interface SigningSecretsTable {
  readonly subscription_id: string;
  /** 1, 2, …; the highest is the current one. */
  readonly number: number;
  readonly sealed: Buffer;
  readonly created_at: number;
  /** Null for the current one of its kind; a replaced one still signs until then. */
  readonly expires_at: number | null;
  /** symmetric: the secret's bytes; asymmetric: the seed of an Ed25519 key pair. */
  readonly kind: Generated<string>;
  /** Of a key pair: whpk_ and base64. */
  readonly public_key: Generated<string | null>;
  /** When `secret.expiring` was emitted. */
  readonly expiry_announced_at: Generated<number | null>;
}

/** A subscription whose deliveries have only been exhausted for a while. */
interface FailingRunsTable {
  readonly subscription_id: string;
  /** When the first of them was. */
  readonly since: number;
  /** When `subscription.failing` was emitted. */
  readonly warned_at: number | null;
  /** How many of them there were; more than decide something are not counted. */
  readonly exhausted: Generated<number>;
}

/** What a delivery is, wherever it lies. */
interface DeliveryColumns {
  readonly id: string;
  readonly event_id: string;
  readonly event_type: string;
  readonly occurred_at: number;
  readonly subscription_id: string;
  /** Of the event; null for an event of no tenant. */
  readonly tenant_id: string | null;
  /** Scheme, host and port of the endpoint as the delivery was made, or when a claim last found it moved. */
  readonly endpoint_origin: string;
  /** 1 for the deliveries of an event, higher for resends. */
  readonly round: number;
  /** Attempts made in this round. */
  readonly attempts: number;
  /** Waits between the attempts of this round in milliseconds, a JSON list; its length + 1 is the limit. */
  readonly delays: string;
  readonly created_at: number;
  /** Rises with every claim; an outcome that names a lower one comes too late. */
  readonly fence: number;
  /** The attempts that have ended, of all rounds: a JSON list (attempt.ts). */
  readonly made: string;
}

/**
 * A pending delivery and what it waits for; it leaves with the transaction that settles it, so the table is as small as
 * what is owed. Waiting: `due_at` is set. Ready: `lane` too. Under way: `lease_until` is set. In the hands of a retry
 * engine outside the store: `retry_at` is set, and `hand_over_at` too until the engine has it.
 */
export interface QueueTable extends DeliveryColumns {
  readonly sequence: Generated<number>;
  readonly due_at: number | null;
  /**
   * Set while the delivery is ready: `endpoint_origin`, with a mark before it when its subscription was not proven (lane.ts).
   * Within a lane subscriptions take turns; deliveries of one origin wait for no other origin's.
   */
  readonly lane: string | null;
  readonly lease_until: number | null;
  /** The worker's name of the claim under way; empty when there is none, or it has no name. */
  readonly claim: string;
  /** When the attempt under way was claimed, and where it goes. */
  readonly started_at: number | null;
  readonly endpoint_url: string | null;
  /** When an engine outside the store makes the next attempt. */
  readonly retry_at: number | null;
  /** From when on the delivery is offered to that engine. */
  readonly hand_over_at: number | null;
  /** Why it waits without a time; null otherwise. */
  readonly reason: string | null;
}

/** A delivery that needs nothing more: one row, appended when it is settled, with all of its attempts. */
export interface SettledTable extends DeliveryColumns {
  /** As it was in the queue. */
  readonly sequence: number;
  /** delivered, exhausted, skipped, cancelled (R-E8) */
  readonly state: string;
  readonly reason: string | null;
  readonly settled_at: number;
}

/** A table of its own: a delivery's row is written several times, its body once. */
interface DeliveryBodiesTable {
  /** `sequence` of the delivery. */
  readonly sequence: number;
  /** The delivery's. */
  readonly created_at: number;
  readonly body: Buffer;
}

/** An event that the relay has taken out of the outbox, whether a subscription got it or not. */
export interface EventsTable {
  /** Of its entry in the outbox. */
  readonly sequence: number;
  readonly event_id: string;
  readonly event_type: string;
  readonly occurred_at: number;
  readonly entity_type: string;
  readonly entity_id: string;
  readonly instance_id: string;
  readonly tenant_id: string | null;
  /** Of an operational event: the instance integration whose subscription it is about. */
  readonly owner_id: string | null;
  readonly relayed_at: number;
  /** How many were made of it so far. */
  readonly deliveries: number;
}

interface FeedTable {
  readonly number: 1;
  /** Bodies of deliveries up to this sequence may have been removed. */
  readonly begins_after: number;
}

/** A job that sends deliveries of a subscription again, with how far it has come. */
export interface RecoveriesTable {
  readonly sequence: Generated<number>;
  readonly id: string;
  readonly subscription_id: string;
  /** Copies, so that a recovery can be read when its subscription is deleted. */
  readonly subscription_label: string;
  readonly integration_id: string;
  /** running, paused, finished, cancelled */
  readonly state: string;
  readonly reason: string | null;
  /** Of deliveries made from then on, until before `to_at`. */
  readonly from_at: number;
  readonly to_at: number;
  /** exhausted, skipped */
  readonly states: string;
  /** Empty lists: every type, every tenant. */
  readonly event_types: string;
  readonly tenant_ids: string;
  readonly created_at: number;
  /** Null while it is running or paused. */
  readonly ended_at: number | null;
  /** `sequence` of the delivery that was looked at last, by counting and by sending; and whether that was the last. */
  readonly counted_to: number;
  readonly is_counted: number;
  readonly sent_to: number;
  readonly is_all_found: number;
  readonly matched: number;
  readonly sent: number;
  readonly acknowledged: number;
  readonly failed: number;
  readonly body_removed: number;
  /** Failures since the last acknowledgement. */
  readonly failed_in_row: number;
  /** Until then an engine outside the store has it; 0 when none has. */
  readonly driven_until: number;
}

/** What a recovery has sent again, until it has counted how that ended. */
interface RecoveryDeliveriesTable {
  /** `sequence` of the delivery. */
  readonly delivery: number;
  /** `sequence` of the recovery. */
  readonly recovery: number;
  readonly endpoint_origin: string;
  /** The round of the attempt; null when it is to be sent once more, since it was skipped. */
  readonly round: number | null;
}

/** Where programs from before migration 0006 kept every delivery, pending or not. Emptied by `former-repository.ts`. */
export interface FormerDeliveriesTable
  extends Omit<DeliveryColumns, "made">,
    Pick<QueueTable, "due_at" | "lane" | "lease_until" | "claim" | "retry_at" | "hand_over_at"> {
  readonly sequence: Generated<number>;
  /** pending, delivered, exhausted, skipped, cancelled (R-E8) */
  readonly state: string;
  readonly reason: string | null;
}

interface FormerBodiesTable {
  /** `sequence` of the delivery. */
  readonly delivery: number;
  readonly body: Buffer;
}

export interface FormerAttemptsTable {
  /** `sequence` of the delivery. */
  readonly delivery: number;
  readonly round: number;
  readonly number: number;
  readonly endpoint_url: string;
  readonly started_at: number;
  readonly finished_at: number | null;
  /** in_flight, lost, or an outcome class. */
  readonly outcome: string;
  readonly http_status: number | null;
  readonly duration_ms: number | null;
  readonly retry_after: string | null;
  /** The first 4 KiB of the answer. */
  readonly response_excerpt: Buffer | null;
}

export interface WebhooksTables {
  webhooks_subscriptions: SubscriptionsTable;
  webhooks_connections: ConnectionsTable;
  webhooks_signing_secrets: SigningSecretsTable;
  webhooks_failing_runs: FailingRunsTable;
  webhooks_queue: QueueTable;
  webhooks_settled: SettledTable;
  webhooks_delivery_bodies: DeliveryBodiesTable;
  webhooks_events: EventsTable;
  webhooks_feed: FeedTable;
  webhooks_recoveries: RecoveriesTable;
  webhooks_recovery_deliveries: RecoveryDeliveriesTable;
  webhooks_deliveries: FormerDeliveriesTable;
  webhooks_bodies: FormerBodiesTable;
  webhooks_attempts: FormerAttemptsTable;
}
