import { eventCatalogue } from "./event-catalogue.ts";
import { toWireEvent, toWireExplanation, toWireFeed } from "./event-wire.ts";
import { pageOf, startOf } from "./list-page.ts";
import { Refused, webhookOperation } from "./webhook-operation.ts";
import { present } from "./wire.ts";

/** Longer than the wait of the services, so that they are the ones to answer. */
const GRACE_MS = 5_000;

export const readEventsOperation = webhookOperation<"readEvents">(200, async ({ request, integrator, options }) => {
  const { params, query } = request;
  const waitMs = Number(query.wait ?? 0) * 1_000;
  const { page } = await integrator.readFeed(
    { ...params, after: query.after ?? null, limit: Number(query.limit ?? 0), waitMs },
    // An abandoned wait would keep its place (R-X290), and one that goes on would keep a server from stopping.
    { ...options, deadlineMs: waitMs + GRACE_MS, ...(waitMs > 0 && { signal: request.waiting() }) },
  );
  const { keptFrom, ...read } = present(page);
  return typeof keptFrom === "string"
    ? new Refused({ code: "cursor_expired", keptFrom }, true)
    : toWireFeed({ ...read, keptFrom: null });
});

export const listEventsOperation = webhookOperation<"listEvents">(200, async (asking) => {
  const { request, integrator, options } = asking;
  const start = startOf(asking);
  if (start instanceof Refused) return start;
  const { type, instanceIntegrationId, clientId, entityId } = request.query;
  const { events, nextCursor } = await integrator.listOwnEvents(
    {
      ...start,
      eventType: type ?? null,
      instanceIntegrationId: instanceIntegrationId ?? null,
      tenantId: clientId ?? null,
      entityId: entityId ?? null,
    },
    options,
  );
  return pageOf(asking, events.map(toWireEvent), nextCursor);
});

export const explainEventOperation = webhookOperation<"explainEvent">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireExplanation((await integrator.explainEvent(params, options)).explanation),
);

/** The contract's own list: nothing is asked but whether the key may (R-X299). */
export const listEventTypesOperation = webhookOperation<"listEventTypes">(200, async ({ integrator, options }) => {
  await integrator.checkIntegrator({}, options);
  return { data: [...eventCatalogue()] };
});
