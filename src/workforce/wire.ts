import type { PostalAddress as PostalAddressMessage } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import type { components } from "#generated/types/gateway.ts";

/** The shapes of the gateway's contract. */
export type Wire = components["schemas"];

/** Fills a path template of the contract; names that are not given stay open. */
export const fillPath = (template: string, values: Readonly<Record<string, string>>): string =>
  template.replaceAll(/\{(\w+)\}/g, (open, name: string) => values[name] ?? open);

/** What a path below a tenant names, in our words. */
export const tenantIn = (params: { readonly instanceIntegrationId: string; readonly clientId: string }) => ({
  instanceIntegrationId: params.instanceIntegrationId,
  tenantId: params.clientId,
});

/** A postal address in wire words; every part is there, unknown ones as null (spec §2.2). */
export const toWireAddress = (address: PostalAddressMessage | null): Wire["PostalAddress"] => ({
  address1: address?.address1 ?? null,
  address2: address?.address2 ?? null,
  city: address?.city ?? null,
  isoCountryCode: address?.isoCountryCode ?? null,
  postalCode: address?.postalCode ?? null,
  zoneCode: address?.zoneCode ?? null,
});

/** A part that our services always send, though messages cannot say so; its absence is our fault and no answer. */
export function present<T>(part: T | null | undefined): T {
  if (part === null || part === undefined) throw new Error("A message of workforce lacks a part.");
  return part;
}

/** ISO 8601, UTC, with milliseconds. */
export const toWireInstant = (instant: Date | null): string => present(instant).toISOString();
