import { newId } from "../../../src/runtime/basis/ids.ts";
import { systemRandom } from "../../../src/runtime/basis/random.ts";
import { MATCHING_RULES, wants } from "../../../src/webhooks/events/matching.ts";
import { subscriptionEvent } from "../../../src/webhooks/operational/operational-event.ts";
import type { Subscription } from "../../../src/webhooks/subscriptions/subscription.ts";
import {
  clientCreated,
  entryOf,
  INSTANCE_ID,
  INSTANCE_INTEGRATION_ID,
  INTEGRATION_ID,
  OTHER_TENANT_ID,
  TENANT_ID,
  userUpdated,
} from "../webhooks-kit.ts";

const entry = { ...entryOf(userUpdated()), sequence: 42 };

const subscription = (more: Partial<Subscription> = {}): Subscription => ({
  id: newId("subscription", systemRandom),
  label: "marigold",
  instanceIntegrationId: INSTANCE_INTEGRATION_ID,
  instanceId: INSTANCE_ID,
  integrationId: INTEGRATION_ID,
  endpointUrl: "https://hooks.example/",
  eventTypes: ["*"],
  tenantIds: [],
  state: "active",
  stateReason: undefined,
  stateSince: new Date(0),
  awaitsPing: false,
  description: "",
  extraHeaderNames: [],
  sealedHeaders: undefined,
  secretsMade: 1,
  connection: "configured",
  eventsAfter: 41,
  createdAt: new Date(0),
  updatedAt: new Date(0),
  ...more,
});

describe("which subscription wants an event (R-E14)", () => {
  it.each<[string, Partial<Subscription>, boolean]>([
    ["of the instance", {}, true],
    ["of another instance", { instanceId: newId("instance", systemRandom) }, false],
    ["made when the entry before it was the last", { eventsAfter: 41 }, true],
    ["made when it was written already", { eventsAfter: 42 }, false],
    ["made by a clock that is ahead", { createdAt: new Date("2099-01-01") }, true],
    ["for this type", { eventTypes: ["client.created", "user.updated"] }, true],
    ["for its group", { eventTypes: ["user.*"] }, true],
    ["for another type", { eventTypes: ["client.created"] }, false],
    ["for its tenant", { tenantIds: [OTHER_TENANT_ID, TENANT_ID] }, true],
    ["for another tenant", { tenantIds: [OTHER_TENANT_ID] }, false],
    ["that is paused: it gets a skipped delivery", { state: "paused" }, true],
    ["that is disabled: likewise", { state: "disabled" }, true],
    ["of an instance integration that is not configured: likewise", { connection: "unconfigured" }, true],
    ["of one that is revoked", { connection: "revoked" }, false],
  ])("one %s", (_, more, expected) => {
    expect(wants(subscription(more), entry)).toBe(expected);
  });

  it("gives a new tenant's event only to subscriptions without a tenant list, even if a list named it", () => {
    const created = { ...entryOf(clientCreated(TENANT_ID)), sequence: 42 };
    expect(wants(subscription({ tenantIds: [TENANT_ID] }), created)).toBe(false);
    expect(wants(subscription(), created)).toBe(true);
    const listing = subscription({ tenantIds: [newId("tenant", systemRandom)] });
    const broken = MATCHING_RULES.filter(({ fits }) => !fits(listing, created));
    expect(broken.map(({ name }) => name)).toEqual(["new_tenant"]);
  });

  it("gives an event of no tenant only to subscriptions without a tenant list", () => {
    const general = { ...entry, tenantId: null };
    expect(wants(subscription({ tenantIds: [TENANT_ID] }), general)).toBe(false);
    expect(wants(subscription(), general)).toBe(true);
  });
});

describe("which subscription wants an operational event (R-X310)", () => {
  const about = (instanceIntegrationId = INSTANCE_INTEGRATION_ID) => ({
    ...entryOf(
      subscriptionEvent("subscription.failing", {
        subscriptionId: newId("subscription", systemRandom),
        instanceIntegrationId,
        instanceId: INSTANCE_ID,
        label: "other",
        state: "active",
        createdAt: new Date(0),
      }),
    ),
    sequence: 42,
    ownerId: instanceIntegrationId,
  });
  const named = { eventTypes: ["subscription.failing"] };

  it.each<[string, Partial<Subscription>, boolean]>([
    ["that names it", named, true],
    ["that names its group", { eventTypes: ["subscription.*"] }, true],
    ["to everything: that means the other events", { eventTypes: ["*"] }, false],
    ["to another type", { eventTypes: ["subscription.enabled"] }, false],
    ["with a list of tenants, of which it is no matter", { ...named, tenantIds: [TENANT_ID] }, true],
    ["of another instance", { ...named, instanceId: newId("instance", systemRandom) }, false],
    ["made when it was written already", { ...named, eventsAfter: 42 }, false],
    ["that is disabled: it gets a skipped delivery", { ...named, state: "disabled" }, true],
    ["of an instance integration that is revoked", { ...named, connection: "revoked" }, false],
  ])("one %s", (_, more, expected) => {
    expect(wants(subscription(more), about())).toBe(expected);
  });

  it.each([
    [
      ["client.created", "*"],
      "The subscription is for client.created, *, and the event is subscription.failing. Operational events are not among *: a subscription gets them by their own type, or by subscription.*.",
    ],
    [["user.*"], "The subscription is for user.*, and the event is subscription.failing."],
  ])("says to one for %j why not, and how", (eventTypes, sentence) => {
    const rule = MATCHING_RULES.find(({ name }) => name === "event_type");
    expect(rule?.otherwise(subscription({ eventTypes }), about())).toBe(sentence);
  });

  it("none of another integration's on the same instance", () => {
    expect(wants(subscription(named), about(newId("instanceIntegration", systemRandom)))).toBe(false);
  });
});
