import type { Subscription } from "#generated/proto/gatehouse/webhooks/v1/operator.ts";
import type { EdgeRequest } from "#runtime/http/operation.ts";
import { toWireDelivery } from "./delivery-wire.ts";
import { pageOf, startOf } from "./list-page.ts";
import { ifMatchOf } from "./subscription-condition.ts";
import { toExtraHeaders, toWireResumed, toWireSubscription } from "./subscription-wire.ts";
import { Made, Refused, Tagged, webhookOperation } from "./webhook-operation.ts";
import { optional, present, type Wire } from "./wire.ts";

/** How long an integrator waits for the answer to a ping. */
const PING_WAIT_MS = 10_000;
/** Longer than any wait of the services', so that they are the ones to answer. */
const GRACE_MS = 5_000;

/** An answer whose body shows a subscription, with its entity tag (R-X423). */
const tagged = <Body>(subscription: Subscription | null, body: Body): Tagged<Body> =>
  new Tagged(body, present(subscription).entityTag);

const shown = (subscription: Subscription | null): Tagged<Wire["Subscription"]> =>
  tagged(subscription, toWireSubscription(subscription));

/** Which subscription a request writes, and what it must be like. */
const written = (request: Pick<EdgeRequest, "headers"> & { readonly params: { readonly subscriptionId: string } }) => ({
  subscriptionId: request.params.subscriptionId,
  ifMatch: ifMatchOf(request),
});

export const listSubscriptionsOperation = webhookOperation<"listSubscriptions">(200, async (asking) => {
  const { integrator, options } = asking;
  const start = startOf(asking);
  if (start instanceof Refused) return start;
  const { subscriptions, nextCursor } = await integrator.listSubscriptions(
    { label: null, ...start, states: [] },
    options,
  );
  return pageOf(asking, subscriptions.map(toWireSubscription), nextCursor);
});

/** The label is made by services: it is a name in the operator's lists, unique in the installation (R-X301). */
export const createSubscriptionOperation = webhookOperation<"createSubscription">(
  201,
  async ({ request: { body }, integrator, options }) => {
    const { instanceIntegrationId, endpointUrl = "", eventTypes, clientIds = [] } = body;
    const wanted = {
      description: body.description ?? "",
      extraHeaders: toExtraHeaders(body.extraHeaders),
      pingFirst: true,
      signingSecret: body.signingSecret ?? null,
      asymmetric: body.asymmetric ?? false,
    };
    const { subscription, signingSecret } = await integrator.createSubscription(
      { label: "", instanceIntegrationId, endpointUrl, eventTypes, tenantIds: clientIds, options: wanted },
      options,
    );
    const made = { subscription: toWireSubscription(subscription), ...optional("signingSecret", signingSecret) };
    const { id, entityTag } = present(subscription);
    return new Made(made, `/v1/webhooks/subscriptions/${id}`, entityTag);
  },
);

export const getSubscriptionOperation = webhookOperation<"getSubscription">(
  200,
  async ({ request: { params }, integrator, options }) =>
    shown((await integrator.getSubscription(params, options)).subscription),
);

/** What of a change is in the request, by the names of our messages. */
const FIELDS = {
  endpointUrl: "endpoint_url",
  eventTypes: "event_types",
  clientIds: "tenant_ids",
  description: "description",
  extraHeaders: "extra_headers",
} as const;

export const updateSubscriptionOperation = webhookOperation<"updateSubscription">(
  200,
  async ({ request, integrator, options }) => {
    const { params, body } = request;
    const updateMask = Object.entries(FIELDS).flatMap(([name, field]) => (Object.hasOwn(body, name) ? [field] : []));
    const { subscription } = await integrator.updateSubscription(
      {
        ...params,
        updateMask,
        endpointUrl: body.endpointUrl ?? "",
        eventTypes: body.eventTypes ?? [],
        tenantIds: body.clientIds ?? [],
        description: body.description ?? "",
        skipPing: false,
        extraHeaders: toExtraHeaders(body.extraHeaders),
        ifMatch: ifMatchOf(request),
      },
      options,
    );
    return shown(subscription);
  },
);

export const deleteSubscriptionOperation = webhookOperation<"deleteSubscription">(
  204,
  async ({ request, integrator, options }) => {
    await integrator.deleteSubscription(written(request), options);
    return undefined;
  },
);

export const pauseSubscriptionOperation = webhookOperation<"pauseSubscription">(
  200,
  async ({ request, integrator, options }) =>
    shown((await integrator.pauseSubscription(written(request), options)).subscription),
);

export const resumeSubscriptionOperation = webhookOperation<"resumeSubscription">(
  200,
  async ({ request, integrator, options }) => {
    const { subscription, skipped } = await integrator.resumeSubscription(written(request), options);
    return tagged(subscription, toWireResumed(subscription, skipped));
  },
);

export const enableSubscriptionOperation = webhookOperation<"enableSubscription">(
  200,
  async ({ request, integrator, options }) => {
    const { subscription, skipped } = await integrator.enableSubscription(written(request), options);
    return tagged(subscription, toWireResumed(subscription, skipped));
  },
);

export const pingSubscriptionOperation = webhookOperation<"pingSubscription">(
  200,
  async ({ request, integrator, options }) => {
    const { subscription, ping } = await integrator.pingSubscription(
      { ...written(request), waitMs: PING_WAIT_MS },
      // The ping goes on without whoever asked for it.
      { ...options, deadlineMs: PING_WAIT_MS + GRACE_MS, signal: request.untilLeft() },
    );
    const delivery = toWireDelivery(ping);
    const acknowledged = delivery.state === "delivered";
    return tagged(subscription, { subscription: toWireSubscription(subscription), acknowledged, delivery });
  },
);

export const triggerTestEventOperation = webhookOperation<"sendTestEvent">(
  202,
  async ({ request: { params, body }, integrator, options }) => {
    const asked = { ...params, eventType: body.type };
    const { eventId, deliveryId, blockedReason } = await integrator.triggerTestEvent(asked, options);
    return { eventId, deliveryId, ...optional("skippedReason", blockedReason) };
  },
);
