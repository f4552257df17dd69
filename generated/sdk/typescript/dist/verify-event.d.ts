import { type ClientCreatedEvent } from "./models/ClientCreatedEvent.js";
import { type DeliveryExhaustedEvent } from "./models/DeliveryExhaustedEvent.js";
import { type OrganizationLocationCreatedEvent } from "./models/OrganizationLocationCreatedEvent.js";
import { type OrganizationLocationDeletedEvent } from "./models/OrganizationLocationDeletedEvent.js";
import { type OrganizationUnitCreatedEvent } from "./models/OrganizationUnitCreatedEvent.js";
import { type OrganizationUnitTypeCreatedEvent } from "./models/OrganizationUnitTypeCreatedEvent.js";
import { type RecoveryFinishedEvent } from "./models/RecoveryFinishedEvent.js";
import { type SecretExpiringEvent } from "./models/SecretExpiringEvent.js";
import type { SignedHeaders } from "./models/SignedHeaders.js";
import { type SubscriptionDisabledEvent } from "./models/SubscriptionDisabledEvent.js";
import { type SubscriptionEnabledEvent } from "./models/SubscriptionEnabledEvent.js";
import { type SubscriptionFailingEvent } from "./models/SubscriptionFailingEvent.js";
import { type UserCreatedEvent } from "./models/UserCreatedEvent.js";
import { type UserUpdatedEvent } from "./models/UserUpdatedEvent.js";
import { type WebhookPingEvent } from "./models/WebhookPingEvent.js";
import { type WorkerOnboardedEvent } from "./models/WorkerOnboardedEvent.js";
import { type WorkerUpdatedEvent } from "./models/WorkerUpdatedEvent.js";
export type KnownEvent = ClientCreatedEvent | UserCreatedEvent | UserUpdatedEvent | WorkerOnboardedEvent | WorkerUpdatedEvent | OrganizationUnitTypeCreatedEvent | OrganizationUnitCreatedEvent | OrganizationLocationCreatedEvent | OrganizationLocationDeletedEvent | SubscriptionFailingEvent | DeliveryExhaustedEvent | SubscriptionDisabledEvent | SubscriptionEnabledEvent | SecretExpiringEvent | RecoveryFinishedEvent | WebhookPingEvent;
/** A genuine event that is newer than this package: of another type, or of another version. */
export interface UnknownEvent {
    readonly type: "unknown";
    /** The id in `webhook-id`, the same on every attempt. */
    readonly id: string;
    /** The type as it was sent. */
    readonly originalType: string;
    /** Everything as it was sent. */
    readonly body: Readonly<Record<string, unknown>>;
}
/** `type` says which. */
export type GatehouseEvent = KnownEvent | UnknownEvent;
export type RefusalReason = "missing_header" | "bad_signature" | "too_old" | "too_new" | "not_json";
/** What was received is not a genuine event: answer with a status that is not 2xx, and believe nothing of it. */
export declare class EventRefused extends Error {
    readonly name = "EventRefused";
    readonly reason: RefusalReason;
    constructor(reason: RefusalReason, message: string, options?: {
        readonly cause?: unknown;
    });
}
/**
 * Headers of a request as web servers have them: of the Fetch API, or of Node.js. Capitals do not matter. Or those of an event of the feed,
 * as `gateway.readEvents` gives them.
 */
export type EventHeaders = Headers | Readonly<Record<string, string | readonly string[] | undefined>> | SignedHeaders;
export interface VerifyOptions {
    /** The present time unless given. */
    readonly now?: Date;
    /** How far the time of the signature may be from now, either way; 300 unless given. */
    readonly toleranceSeconds?: number;
}
/**
 * The event in a request that was received, or in an event of the feed, once its signature and its time are verified (Standard Webhooks).
 *
 * @param secrets `whsec_…`, with white space around it or not; several while a secret is being replaced. A public key `whpk_…` of the subscription stands
 *   in place of a secret, or beside one: it verifies signatures `v1a`. One that fits is enough.
 * @param rawBody The bytes as they were received, or the `body` of an event of the feed. A body that was parsed and serialised again has another signature.
 * @throws EventRefused when it is not genuine; GatehouseError with the code `invalid_argument` for no secret, a secret or
 *   public key that is none, and for a public key where the platform has no Ed25519.
 */
export declare function verifyEvent(secrets: string | readonly string[], headers: EventHeaders, rawBody: string | Uint8Array, { now, toleranceSeconds }?: VerifyOptions): Promise<GatehouseEvent>;
