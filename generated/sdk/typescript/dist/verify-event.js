import { localError } from "./gatehouse-error.js";
import { ClientCreatedEventFromJSON } from "./models/ClientCreatedEvent.js";
import { DeliveryExhaustedEventFromJSON } from "./models/DeliveryExhaustedEvent.js";
import { OrganizationLocationCreatedEventFromJSON, } from "./models/OrganizationLocationCreatedEvent.js";
import { OrganizationLocationDeletedEventFromJSON, } from "./models/OrganizationLocationDeletedEvent.js";
import { OrganizationUnitCreatedEventFromJSON, } from "./models/OrganizationUnitCreatedEvent.js";
import { OrganizationUnitTypeCreatedEventFromJSON, } from "./models/OrganizationUnitTypeCreatedEvent.js";
import { RecoveryFinishedEventFromJSON } from "./models/RecoveryFinishedEvent.js";
import { SecretExpiringEventFromJSON } from "./models/SecretExpiringEvent.js";
import { SubscriptionDisabledEventFromJSON, } from "./models/SubscriptionDisabledEvent.js";
import { SubscriptionEnabledEventFromJSON } from "./models/SubscriptionEnabledEvent.js";
import { SubscriptionFailingEventFromJSON } from "./models/SubscriptionFailingEvent.js";
import { UserCreatedEventFromJSON } from "./models/UserCreatedEvent.js";
import { UserUpdatedEventFromJSON } from "./models/UserUpdatedEvent.js";
import { WebhookPingEventFromJSON } from "./models/WebhookPingEvent.js";
import { WorkerOnboardedEventFromJSON } from "./models/WorkerOnboardedEvent.js";
import { WorkerUpdatedEventFromJSON } from "./models/WorkerUpdatedEvent.js";
const READERS = {
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
/** What was received is not a genuine event: answer with a status that is not 2xx, and believe nothing of it. */
export class EventRefused extends Error {
    name = "EventRefused";
    reason;
    constructor(reason, message, options) {
        super(message, options);
        this.reason = reason;
    }
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
export async function verifyEvent(secrets, headers, rawBody, { now = new Date(), toleranceSeconds = 300 } = {}) {
    if (Number.isNaN(now.getTime()) || Number.isNaN(toleranceSeconds))
        throw localError("invalid_argument", "now is no time, or toleranceSeconds no number.");
    const texts = typeof secrets === "string" ? [secrets] : (secrets ?? []);
    if (texts.length === 0)
        throw localError("invalid_argument", "There is no signing secret and no public key.");
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
const SCHEMES = [
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
async function keyOf(given) {
    const text = typeof given === "string" ? given.trim() : "";
    const scheme = SCHEMES.find(({ keyPrefix }) => text.startsWith(keyPrefix));
    const bytes = scheme && fromBase64(text.slice(scheme.keyPrefix.length));
    if (bytes === undefined || !scheme?.isKey(bytes))
        throw localError("invalid_argument", "A signing secret is whsec_ with base64 behind it, a public key whpk_ with base64 of 32 bytes.");
    const { algorithm } = scheme;
    try {
        const cryptoKey = await crypto.subtle.importKey("raw", bytes, algorithm, false, ["verify"]);
        return { scheme, cryptoKey };
    }
    catch (cause) {
        throw localError("invalid_argument", `This platform takes no such ${algorithm.name} key.`, cause);
    }
}
function fromBase64(text) {
    try {
        return Uint8Array.from(atob(text), (character) => character.charCodeAt(0));
    }
    catch {
        return undefined;
    }
}
function bytesOf(rawBody) {
    if (typeof rawBody === "string")
        return new TextEncoder().encode(rawBody);
    if (rawBody instanceof Uint8Array)
        return rawBody;
    throw localError("invalid_argument", "The raw body is a string or bytes; a parsed body cannot be verified.");
}
/** The members of the feed's headers. */
const MEMBERS = {
    "webhook-id": "webhookId",
    "webhook-timestamp": "webhookTimestamp",
    "webhook-signature": "webhookSignature",
};
function header(headers, name) {
    const value = isOfFetch(headers) ? headers.get(name) : inRecord(headers, name);
    if (value === undefined || value === null || value === "")
        throw new EventRefused("missing_header", `The header ${name} is missing.`);
    return value;
}
/** Of whatever implementation: some servers bring their own, which is no instance of the platform's. */
const isOfFetch = (headers) => typeof headers.get === "function";
function inRecord(headers, name) {
    const entries = Object.entries(headers);
    const [, value] = entries.find(([key]) => key === MEMBERS[name] || key.toLowerCase() === name) ?? [];
    return typeof value === "string" ? value : value?.join(" ");
}
function joined(one, other) {
    const all = new Uint8Array(one.byteLength + other.byteLength);
    all.set(one);
    all.set(other, one.byteLength);
    return all;
}
/** A subscription has six keys at most. Each signature costs a look at the whole body, and anyone can send thousands. */
const SIGNATURES_MAX = 16;
/** True when one of the first signatures in the header is that of one of the keys. The comparison takes constant time. */
async function isSignedByAny(keys, header, signed) {
    const given = header.split(" ", SIGNATURES_MAX);
    for (const { scheme, cryptoKey } of keys) {
        const { signaturePrefix, algorithm } = scheme;
        const signatures = given
            .filter((signature) => signature.startsWith(signaturePrefix))
            .map((signature) => fromBase64(signature.slice(signaturePrefix.length)))
            .filter((signature) => signature !== undefined);
        for (const signature of signatures)
            if (await crypto.subtle.verify(algorithm.name, cryptoKey, signature, signed))
                return true;
    }
    return false;
}
function parsed(body) {
    let value;
    try {
        value = JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    }
    catch (cause) {
        throw new EventRefused("not_json", "The body is not JSON.", { cause });
    }
    if (isObject(value))
        return value;
    throw new EventRefused("not_json", "The body is not a JSON object.");
}
const isObject = (value) => typeof value === "object" && value !== null && !Array.isArray(value);
function eventOf(id, body) {
    const { type, specVersion, dataVersion, entity, data } = body;
    const originalType = String(type);
    const unknown = { type: "unknown", id, originalType, body };
    const isReadable = specVersion === 1 && dataVersion === 1 && isObject(entity) && isObject(data);
    if (!isReadable || !Object.hasOwn(READERS, originalType))
        return unknown;
    try {
        return READERS[originalType](body);
    }
    catch {
        return unknown;
    }
}
