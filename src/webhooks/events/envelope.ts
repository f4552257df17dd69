import { INSTANCE_INTEGRATION_PLACEHOLDER, type OutboxEntry } from "#runtime/outbox/outbox.ts";

const SPEC_VERSION = 1;
/** Of every event type so far; added fields do not raise it (spec §9). */
const DATA_VERSION = 1;

/**
 * An event with its number in the outbox (R-X293); or one that was triggered to try out a receiver, and says so
 * (R-X317).
 */
export type Reported = OutboxEntry & { readonly sequence: number; readonly isTest?: true };

/**
 * The body that one receiver gets, members in the order of the contract. Its UTF-8 bytes are stored once and never made
 * again: what is signed is what is sent (R-E5).
 */
export function eventBody(entry: Reported, instanceIntegrationId: string): string {
  return JSON.stringify({
    id: entry.eventId,
    type: entry.eventType,
    specVersion: SPEC_VERSION,
    dataVersion: DATA_VERSION,
    occurredAt: entry.occurredAt.toISOString(),
    sequence: entry.sequence,
    ...(entry.isTest && { test: true }),
    entity: { type: entry.entity.type, id: entry.entity.id },
    data: { ...entry.data, links: { self: selfLink(entry.selfPath, instanceIntegrationId) } },
  });
}

/**
 * The path of the resource as the receiver may read it: its own instance integration filled in, before signing (spec §6
 * rule 4).
 */
export const selfLink = (selfPath: string, instanceIntegrationId: string): string =>
  selfPath.replaceAll(INSTANCE_INTEGRATION_PLACEHOLDER, () => instanceIntegrationId);
