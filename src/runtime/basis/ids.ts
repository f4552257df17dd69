import type { Random } from "./random.ts";

const ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
const LENGTH = 21;

/** Every kind of public id and its prefix on the wire (R-D5). */
export const ID_PREFIXES = {
  application: "app",
  instance: "instance",
  integration: "integration",
  instanceIntegration: "installation",
  tenant: "client",
  person: "person",
  workerProfile: "profile",
  user: "user",
  worker: "worker",
  unitType: "unittype",
  organizationUnit: "unit",
  organizationLocation: "location",
  event: "event",
  subscription: "subscription",
  delivery: "delivery",
  recovery: "recovery",
  apiKey: "apikey",
  request: "req",
} as const;

export type IdKind = keyof typeof ID_PREFIXES;

declare const kind: unique symbol;

/** A public id of one kind; a `PublicId<"tenant">` does not pass where a `PublicId<"worker">` is asked for. */
export type PublicId<K extends IdKind = IdKind> = string & { readonly [kind]: K };

export type ApplicationId = PublicId<"application">;
export type InstanceId = PublicId<"instance">;
export type IntegrationId = PublicId<"integration">;
export type InstanceIntegrationId = PublicId<"instanceIntegration">;
export type TenantId = PublicId<"tenant">;
export type PersonId = PublicId<"person">;
export type WorkerProfileId = PublicId<"workerProfile">;
export type UserId = PublicId<"user">;
export type WorkerId = PublicId<"worker">;
export type UnitTypeId = PublicId<"unitType">;
export type OrganizationUnitId = PublicId<"organizationUnit">;
export type OrganizationLocationId = PublicId<"organizationLocation">;
export type EventId = PublicId<"event">;
export type SubscriptionId = PublicId<"subscription">;
export type DeliveryId = PublicId<"delivery">;
export type RecoveryId = PublicId<"recovery">;
export type ApiKeyId = PublicId<"apiKey">;

/**
 * `length` characters of A-Z a-z 0-9, each equally likely: bytes from 248 upwards are drawn again, since 248 is the
 * largest multiple of 62 below 256.
 */
export function randomCharacters(random: Random, length: number): string {
  let characters = "";
  while (characters.length < length) {
    for (const byte of random.bytes(length + 8)) {
      if (byte < 248 && characters.length < length) characters += ALPHABET[byte % 62];
    }
  }
  return characters;
}

/** A new public id: prefix, underscore, 21 random characters, about 125 bits (R-D5). */
export function newId<K extends IdKind>(of: K, random: Random): PublicId<K> {
  return `${ID_PREFIXES[of]}_${randomCharacters(random, LENGTH)}` as PublicId<K>;
}

/** In the order of their bytes. */
const TIME_DIGITS = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const TIME_LENGTH = 7;

/**
 * A new public id whose first seven characters follow the time in milliseconds; the other 14 are random, about 83 bits.
 * For rows that are many and are no person's: ids of one moment are neighbours in an index (R-D5, decision 0079).
 */
export function newTimedId<K extends IdKind>(of: K, at: Date, random: Random): PublicId<K> {
  let time = "";
  for (let left = at.getTime(); time.length < TIME_LENGTH; left = Math.floor(left / 62)) {
    time = `${TIME_DIGITS[left % 62]}${time}`;
  }
  return `${ID_PREFIXES[of]}_${time}${randomCharacters(random, LENGTH - TIME_LENGTH)}` as PublicId<K>;
}

/** The text as an id of that kind, or `undefined` when it is malformed (R-G13). Does not check that the id exists. */
export function parseId<K extends IdKind>(of: K, text: string): PublicId<K> | undefined {
  const prefix = ID_PREFIXES[of];
  const formed = text.length === prefix.length + 1 + LENGTH && text.startsWith(`${prefix}_`);
  return formed && /^[A-Za-z0-9]+$/.test(text.slice(prefix.length + 1)) ? (text as PublicId<K>) : undefined;
}

export const ID_KINDS = Object.keys(ID_PREFIXES) as readonly IdKind[];

/** True for a text that has the form of an id, whatever its kind. */
export const isAnyId = (text: string): boolean => ID_KINDS.some((of) => parseId(of, text) !== undefined);
