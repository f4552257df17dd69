import { EVENT_TYPES, OPERATIONAL_EVENT_TYPES, type OperationalEventType } from "../../../generated/event-types.ts";
import { TEST_EVENTS } from "../../../generated/test-events.ts";
import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { eventBody } from "../../../src/webhooks/events/envelope.ts";
import {
  deliveryExhausted,
  isOperational,
  type NewOperationalEvent,
  recoveryFinished,
  secretExpiring,
  subscriptionEvent,
} from "../../../src/webhooks/operational/operational-event.ts";
import { eventDepartures } from "../../support/event-contract.ts";
import { entryOf, INSTANCE_ID, INSTANCE_INTEGRATION_ID, TENANT_ID } from "../webhooks-kit.ts";

const AT = new Date("2026-06-30T08:15:27.412Z");
const owner = {
  subscriptionId: newId("subscription", systemRandom),
  instanceIntegrationId: INSTANCE_INTEGRATION_ID,
  instanceId: INSTANCE_ID,
};
const subscription = { ...owner, label: "marigold", state: "active", createdAt: AT } as const;

const EVENTS: Readonly<Record<OperationalEventType, NewOperationalEvent>> = {
  "subscription.failing": subscriptionEvent("subscription.failing", {
    ...subscription,
    failingSince: AT,
    disablesAt: AT,
  }),
  "subscription.disabled": subscriptionEvent("subscription.disabled", {
    ...subscription,
    state: "disabled",
    stateReason: "gone",
    disabledAt: AT,
  }),
  "subscription.enabled": subscriptionEvent("subscription.enabled", { ...subscription, disabledAt: AT }),
  "delivery.exhausted": deliveryExhausted({
    ...owner,
    deliveryId: newId("delivery", systemRandom),
    eventId: newId("event", systemRandom),
    eventType: "user.updated",
    tenantId: TENANT_ID,
    reason: "refused",
    httpStatus: 500,
    attempts: 3,
    createdAt: AT,
  }),
  "secret.expiring": secretExpiring({ ...owner, label: "marigold", number: 1, expiresAt: AT, createdAt: AT }),
  "recovery.finished": recoveryFinished({
    ...owner,
    recoveryId: newId("subscription", systemRandom).replace("subscription", "recovery"),
    state: "finished",
    matched: 3,
    acknowledged: 1,
    failed: 1,
    bodyRemoved: 1,
    createdAt: AT,
  }),
};

const HEADERS = {
  "content-type": "application/json",
  "user-agent": "Gatehouse/1.2.3",
  "webhook-timestamp": "1782807424",
  "webhook-signature": "v1,eyEe+dJIl0/zq1s2H1V3WY5eFagr1Wlyp/z/6sZBJ4w=",
};

describe("operational events (R-X310)", () => {
  it.each(OPERATIONAL_EVENT_TYPES)("%s keeps the contract", (type) => {
    const entry = { ...entryOf(EVENTS[type]), sequence: 42 };
    const body = Buffer.from(eventBody(entry, INSTANCE_INTEGRATION_ID));
    expect(eventDepartures({ headers: { ...HEADERS, "webhook-id": entry.eventId }, body })).toEqual([]);
  });

  it.each(OPERATIONAL_EVENT_TYPES)("%s has exactly the members of the published example, in their order", (type) => {
    expect(Object.keys(EVENTS[type].data)).toEqual(Object.keys(TEST_EVENTS[type].data));
    expect(EVENTS[type].eventType).toBe(type);
  });

  it("are six of the types, and no more", () => {
    expect(EVENT_TYPES.filter(isOperational)).toEqual([...OPERATIONAL_EVENT_TYPES]);
    expect(OPERATIONAL_EVENT_TYPES.length).toBe(6);
    expect(["", "user.updated", "webhook.ping", "subscription.created"].filter(isOperational)).toEqual([]);
  });
});
