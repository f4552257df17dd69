import { RecoveredState } from "#generated/proto/gatehouse/webhooks/v1/recoveries.ts";
import { valueOfLower } from "#runtime/basis/enum-words.ts";
import { pageOf, startOf } from "./list-page.ts";
import { toWireRecovery } from "./recovery-wire.ts";
import { Refused, webhookOperation } from "./webhook-operation.ts";

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
    const { subscriptionId, from, to, states = [], eventTypes = [], clientIds = [] } = body;
    const { recovery } = await integrator.startRecovery(
      {
        subscriptionId,
        from: new Date(from),
        to: to === undefined ? null : new Date(to),
        states: states.map((state) => valueOfLower(RecoveredState, state)),
        eventTypes,
        tenantIds: clientIds,
      },
      options,
    );
    return toWireRecovery(recovery);
  },
);

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
