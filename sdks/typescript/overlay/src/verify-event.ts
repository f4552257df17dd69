import { localError } from "./gatehouse-error.js";
import { type ClientCreatedEvent, ClientCreatedEventFromJSON } from "./models/ClientCreatedEvent.js";
import { type DeliveryExhaustedEvent, DeliveryExhaustedEventFromJSON } from "./models/DeliveryExhaustedEvent.js";
import {
  type OrganizationLocationCreatedEvent,
  OrganizationLocationCreatedEventFromJSON,
} from "./models/OrganizationLocationCreatedEvent.js";
import {
  type OrganizationLocationDeletedEvent,
  OrganizationLocationDeletedEventFromJSON,
} from "./models/OrganizationLocationDeletedEvent.js";
import {
  type OrganizationUnitCreatedEvent,
  OrganizationUnitCreatedEventFromJSON,
} from "./models/OrganizationUnitCreatedEvent.js";
import {
  type OrganizationUnitTypeCreatedEvent,
  OrganizationUnitTypeCreatedEventFromJSON,
} from "./models/OrganizationUnitTypeCreatedEvent.js";
import { type RecoveryFinishedEvent, RecoveryFinishedEventFromJSON } from "./models/RecoveryFinishedEvent.js";
import { type SecretExpiringEvent, SecretExpiringEventFromJSON } from "./models/SecretExpiringEvent.js";
import type { SignedHeaders } from "./models/SignedHeaders.js";
import {
  type SubscriptionDisabledEvent,
  SubscriptionDisabledEventFromJSON,
} from "./models/SubscriptionDisabledEvent.js";
import { type SubscriptionEnabledEvent, SubscriptionEnabledEventFromJSON } from "./models/SubscriptionEnabledEvent.js";
import { type SubscriptionFailingEvent, SubscriptionFailingEventFromJSON } from "./models/SubscriptionFailingEvent.js";
import { type UserCreatedEvent, UserCreatedEventFromJSON } from "./models/UserCreatedEvent.js";
import { type UserUpdatedEvent, UserUpdatedEventFromJSON } from "./models/UserUpdatedEvent.js";
import { type WebhookPingEvent, WebhookPingEventFromJSON } from "./models/WebhookPingEvent.js";
import { type WorkerOnboardedEvent, WorkerOnboardedEventFromJSON } from "./models/WorkerOnboardedEvent.js";
import { type WorkerUpdatedEvent, WorkerUpdatedEventFromJSON } from "./models/WorkerUpdatedEvent.js";

export type KnownEvent =
  | ClientCreatedEvent
  | UserCreatedEvent
  | UserUpdatedEvent
  | WorkerOnboardedEvent
  | WorkerUpdatedEvent
  | OrganizationUnitTypeCreatedEvent
  | OrganizationUnitCreatedEvent
  | OrganizationLocationCreatedEvent
  | OrganizationLocationDeletedEvent
  | SubscriptionFailingEvent
  | DeliveryExhaustedEvent
  | SubscriptionDisabledEvent
  | SubscriptionEnabledEvent
  | SecretExpiringEvent
  | RecoveryFinishedEvent
  | WebhookPingEvent;

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

const READERS: { readonly [Type in KnownEvent["type"]]: (body: unknown) => Extract<KnownEvent, { type: Type }> } = {
  "client.created": ClientCreatedEventFromJSON,
  "user.created": UserCreatedEventFromJSON,
  "user.updated": UserUpdatedEventFromJSON,
  "worker.onboarded": WorkerOnboardedEventFromJSON,
  "worker.updated": WorkerUpdatedEventFromJSON,
  "organization_unit_type.created": OrganizationUnitTypeCreatedEventFromJSON,
  "organization_unit.created": OrganizationUnitCreatedEventFromJSON,
  "organization_location.created": OrganizationLocationCreatedEventFromJSON,
  "organization_location.deleted": OrganizationLocationDeletedEventFromJSON,
  "subscription.failing": SubscriptionFailingEventFromJSON,
  "delivery.exhausted": DeliveryExhaustedEventFromJSON,
  "subscription.disabled": SubscriptionDisabledEventFromJSON,
  "subscription.enabled": SubscriptionEnabledEventFromJSON,
  "secret.expiring": SecretExpiringEventFromJSON,
  "recovery.finished": RecoveryFinishedEventFromJSON,
  "webhook.ping": WebhookPingEventFromJSON,
};

export type RefusalReason = "missing_header" | "bad_signature" | "too_old" | "too_new" | "not_json";

/** What was received is not a genuine event: answer with a status that is not 2xx, and believe nothing of it. */
export class EventRefused extends Error {
  override readonly name = "EventRefused";
  readonly reason: RefusalReason;

  constructor(reason: RefusalReason, message: string, options?: { readonly cause?: unknown }) {
    super(message, options);
    this.reason = reason;
  }
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
export async function verifyEvent(
  secrets: string | readonly string[],
  headers: EventHeaders,
  rawBody: string | Uint8Array,
  { now = new Date(), toleranceSeconds = 300 }: VerifyOptions = {},
): Promise<GatehouseEvent> {
  if (Number.isNaN(now.getTime()) || Number.isNaN(toleranceSeconds))
    throw localError("invalid_argument", "now is no time, or toleranceSeconds no number.");
  const texts = typeof secrets === "string" ? [secrets] : (secrets ?? []);
  if (texts.length === 0) throw localError("invalid_argument", "There is no signing secret and no public key.");
  const keys = await Promise.all(texts.map(keyOf));
  const body = bytesOf(rawBody);
  const id = header(headers, "webhook-id");
  const timestamp = header(headers, "webhook-timestamp");
  const signatures = header(headers, "webhook-signature");
  if (!/^\d{1,15}$/.test(timestamp))
    throw new EventRefused("missing_header", "The header webhook-timestamp is not a number of seconds.");
  const signed = joined(new TextEncoder().encode(`${id}.${timestamp}.`), body);
  if (!(await isSignedByAny(keys, signatures, signed)))
    throw new EventRefused("bad_signature", "No signature fits the body and a key of yours.");
  const ageSeconds = Math.floor(now.getTime() / 1000) - Number(timestamp);
  if (ageSeconds > toleranceSeconds)
    throw new EventRefused("too_old", `The event was signed ${ageSeconds} seconds ago.`);
  if (ageSeconds < -toleranceSeconds)
    throw new EventRefused("too_new", `The event is signed for a time ${-ageSeconds} seconds from now.`);
  return eventOf(id, parsed(body));
}

/**
 * One way of signing. The prefix of a key says which is its own: were it the header that says, a public key could be
 * taken for a secret.
 */
interface Scheme {
  readonly keyPrefix: string;
  readonly signaturePrefix: string;
  readonly algorithm: { readonly name: "HMAC"; readonly hash: "SHA-256" } | { readonly name: "Ed25519" };
  isKey(bytes: Uint8Array): boolean;
}

const SCHEMES: readonly Scheme[] = [
  {
    keyPrefix: "whsec_",
    signaturePrefix: "v1,",
    algorithm: { name: "HMAC", hash: "SHA-256" },
    isKey: ({ byteLength }) => byteLength > 0,
  },
  {
    keyPrefix: "whpk_",
    signaturePrefix: "v1a,",
    algorithm: { name: "Ed25519" },
    isKey: ({ byteLength }) => byteLength === 32,
  },
];

interface Key {
  readonly scheme: Scheme;
  readonly cryptoKey: CryptoKey;
}

async function keyOf(given: string): Promise<Key> {
  const text = typeof given === "string" ? given.trim() : "";
  const scheme = SCHEMES.find(({ keyPrefix }) => text.startsWith(keyPrefix));
  const bytes = scheme && fromBase64(text.slice(scheme.keyPrefix.length));
  if (bytes === undefined || !scheme?.isKey(bytes))
    throw localError(
      "invalid_argument",
      "A signing secret is whsec_ with base64 behind it, a public key whpk_ with base64 of 32 bytes.",
    );
  const { algorithm } = scheme;
  try {
    const cryptoKey = await crypto.subtle.importKey("raw", bytes as BufferSource, algorithm, false, ["verify"]);
    return { scheme, cryptoKey };
  } catch (cause) {
    throw localError("invalid_argument", `This platform takes no such ${algorithm.name} key.`, cause);
  }
}

function fromBase64(text: string): Uint8Array | undefined {
  try {
    return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
  } catch {
    return undefined;
  }
}

function bytesOf(rawBody: string | Uint8Array): Uint8Array {
  if (typeof rawBody === "string") return new TextEncoder().encode(rawBody);
  if (rawBody instanceof Uint8Array) return rawBody;
  throw localError("invalid_argument", "The raw body is a string or bytes; a parsed body cannot be verified.");
}

/** The members of the feed's headers. */
const MEMBERS = {
  "webhook-id": "webhookId",
  "webhook-timestamp": "webhookTimestamp",
  "webhook-signature": "webhookSignature",
} as const satisfies Readonly<Record<string, keyof SignedHeaders>>;
type HeaderName = keyof typeof MEMBERS;

function header(headers: EventHeaders, name: HeaderName): string {
  const value = isOfFetch(headers) ? headers.get(name) : inRecord(headers, name);
  if (value === undefined || value === null || value === "")
    throw new EventRefused("missing_header", `The header ${name} is missing.`);
  return value;
}

/** Of whatever implementation: some servers bring their own, which is no instance of the platform's. */
const isOfFetch = (headers: EventHeaders): headers is Headers =>
  typeof (headers as { readonly get?: unknown }).get === "function";

function inRecord(headers: Exclude<EventHeaders, Headers>, name: HeaderName): string | undefined {
  const entries: readonly (readonly [string, string | readonly string[] | undefined])[] = Object.entries(headers);
  const [, value] = entries.find(([key]) => key === MEMBERS[name] || key.toLowerCase() === name) ?? [];
  return typeof value === "string" ? value : value?.join(" ");
}

function joined(one: Uint8Array, other: Uint8Array): Uint8Array {
  const all = new Uint8Array(one.byteLength + other.byteLength);
  all.set(one);
  all.set(other, one.byteLength);
  return all;
}

/** A subscription has six keys at most. Each signature costs a look at the whole body, and anyone can send thousands. */
const SIGNATURES_MAX = 16;

/** True when one of the first signatures in the header is that of one of the keys. The comparison takes constant time. */
async function isSignedByAny(keys: readonly Key[], header: string, signed: Uint8Array): Promise<boolean> {
  const given = header.split(" ", SIGNATURES_MAX);
  for (const { scheme, cryptoKey } of keys) {
    const { signaturePrefix, algorithm } = scheme;
    const signatures = given
      .filter((signature) => signature.startsWith(signaturePrefix))
      .map((signature) => fromBase64(signature.slice(signaturePrefix.length)))
      .filter((signature) => signature !== undefined);
    for (const signature of signatures)
      if (await crypto.subtle.verify(algorithm.name, cryptoKey, signature as BufferSource, signed as BufferSource))
        return true;
  }
  return false;
}

function parsed(body: Uint8Array): Readonly<Record<string, unknown>> {
  let value: unknown;
  try {
    value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
  } catch (cause) {
    throw new EventRefused("not_json", "The body is not JSON.", { cause });
  }
  if (isObject(value)) return value;
  throw new EventRefused("not_json", "The body is not a JSON object.");
}

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

function eventOf(id: string, body: Readonly<Record<string, unknown>>): GatehouseEvent {
  const { type, specVersion, dataVersion, entity, data } = body;
  const originalType = String(type);
  const unknown: UnknownEvent = { type: "unknown", id, originalType, body };
  const isReadable = specVersion === 1 && dataVersion === 1 && isObject(entity) && isObject(data);
  if (!isReadable || !Object.hasOwn(READERS, originalType)) return unknown;
  try {
    return READERS[originalType as KnownEvent["type"]](body);
  } catch {
    return unknown;
  }
}
