import { EVENT_TYPES, type EventType } from "#generated/event-types.ts";
import type { WantedTestMessage } from "#generated/proto/gatehouse/webhooks/v1/test_events.ts";
import { type EventId, ID_PREFIXES, type IdKind, newId } from "#runtime/basis/ids.ts";
import type { Random } from "#runtime/basis/random.ts";
import { eventBody } from "../events/envelope.ts";
import type { Subscription } from "../subscriptions/subscription.ts";
import { testEvent } from "./test-event.ts";

interface Occurrence {
  readonly eventId: EventId;
  readonly sequence: number;
  readonly occurredAt: Date;
  readonly of: Pick<Subscription, "instanceId" | "instanceIntegrationId">;
}

/** Puts other ids in the place of those in a text. */
type OtherIds = (text: string) => string;

/**
 * The text of a test message. Of the request it has the type alone: content comes from the contract's examples, and the
 * mark of a test is always there, so that no key can make what a receiver takes for a real event (R-X362).
 */
export function testMessageBody(wanted: WantedTestMessage, occurrence: Occurrence, otherIds: OtherIds): string {
  const { of, ...when } = occurrence;
  const made = testEvent(exampleOf(wanted.type), { ...when, instanceId: of.instanceId });
  const { entity, data, selfPath } = made;
  const about = JSON.parse(otherIds(JSON.stringify({ entity, data, selfPath }))) as Pick<
    typeof made,
    "entity" | "data" | "selfPath"
  >;
  const body = eventBody({ ...made, ...about, eventType: wanted.type as EventType }, of.instanceIntegrationId);
  const whole = wanted.unknownMember ? JSON.stringify({ ...JSON.parse(body), ...UNKNOWN }) : body;
  return wanted.spread ? spread(whole) : whole;
}

/** A member that the contract does not have. */
const UNKNOWN = { tide: { height: 2.5, is: "high" } };

const exampleOf = (type: string): EventType => EVENT_TYPES.find((known) => known === type) ?? "client.created";

/** JSON of another layout: with line breaks, and the first letter of the type as an escape. */
const spread = (text: string): string =>
  JSON.stringify(JSON.parse(text), null, 1).replace(
    /"type": "([a-z_])/,
    (_, letter: string) => `"type": "\\u${letter.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

/** Beginnings of the ids that can be new. */
export const NEW_ID_KINDS = ["client", "location", "unit", "unittype", "user", "worker"] as const;

const KIND_OF = new Map(Object.entries(ID_PREFIXES).map(([kind, prefix]) => [prefix as string, kind as IdKind]));
const IDS = /\b([a-z]+)_[A-Za-z0-9]{21}\b/g;

/** New ids in the place of those of some kinds, the same for each old one for as long as it is used. */
export function newIds(random: Random): (text: string, kinds: readonly string[]) => string {
  const known = new Map<string, string>();
  return (text, kinds) =>
    text.replaceAll(IDS, (old, prefix: string) => {
      const kind = kinds.includes(prefix) ? KIND_OF.get(prefix) : undefined;
      if (kind === undefined) return old;
      const made = known.get(old) ?? newId(kind, random);
      known.set(old, made);
      return made;
    });
}
