import { RecoveredState } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { pageOf, startOf } from "./list-page.ts";
import { toWireNotStarted, toWireRecovery } from "./recovery-wire.ts";
import { Made, Refused, refusedPart, webhookOperation } from "./webhook-operation.ts";
import type { Wire } from "./wire.ts";

export const listRecoveriesOperation = webhookOperation<"listRecoveries">(200, async (asking) => {
  const { request, integrator, options } = asking;
  const start = startOf(asking);
  if (start instanceof Refused) return start;
  const asked = { ...start, subscriptionId: request.query.subscriptionId ?? null, states: [] };
  const { recoveries, nextCursor } = await integrator.listRecoveries(asked, options);
  return pageOf(asking, recoveries.map(toWireRecovery), nextCursor);
});

export const startRecoveryOperation = webhookOperation<"startRecovery">(
  201,
  async ({ request: { body }, integrator, options }) => {
    const { recovery } = await integrator.startRecovery(
      { subscriptionId: body.subscriptionId, ...filterOf(body) },
      options,
    );
    const started = toWireRecovery(recovery);
    return new Made(started, `/v1/webhooks/recoveries/${started.id}`);
  },
);

export const startRecoveriesOperation = webhookOperation<"startRecoveries">(201, async (asking) => {
  const { request, integrator, options, keyed } = asking;
  const { cursor } = request.body;
  const position = cursor === undefined ? null : keyed.parseCursor(request, cursor);
  if (position === undefined)
    return refusedPart({
      in: "body",
      name: "/cursor",
      detail: "is not one that this operation gave to this key; take it from `next`, or leave it out to begin again",
    });
  const { recoveries, notStarted, nextCursor } = await integrator.startRecoveries(
    { integrationId: null, ...filterOf(request.body), cursor: position },
    options,
  );
  return {
    started: recoveries.map(toWireRecovery),
    notStarted: notStarted.map(toWireNotStarted),
    ...(typeof nextCursor === "string" && { next: keyed.toCursor(request, nextCursor) }),
  };
});

/** Which deliveries are sent again, in our words. */
const filterOf = ({
  from,
  to,
  states = [],
  eventTypes = [],
  clientIds = [],
}: Omit<Wire["RecoveriesRequest"], "cursor">) => ({
  from: new Date(from),
  to: to === undefined ? null : new Date(to),
  states: states.map((state) => valueOfLower(RecoveredState, state)),
  eventTypes,
  tenantIds: clientIds,
});

export const getRecoveryOperation = webhookOperation<"getRecovery">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireRecovery((await integrator.getRecovery(params, options)).recovery),
);

export const pauseRecoveryOperation = webhookOperation<"pauseRecovery">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireRecovery((await integrator.pauseRecovery(params, options)).recovery),
);

export const resumeRecoveryOperation = webhookOperation<"resumeRecovery">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireRecovery((await integrator.resumeRecovery(params, options)).recovery),
);

export const cancelRecoveryOperation = webhookOperation<"cancelRecovery">(
  200,
  async ({ request: { params }, integrator, options }) =>
    toWireRecovery((await integrator.cancelRecovery(params, options)).recovery),
);
