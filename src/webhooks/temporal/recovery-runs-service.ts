import { performance } from "node:perf_hooks";
import { setTimeout as sleep } from "node:timers/promises";
import {
  type AdvanceRecoveryRequest,
  type AdvanceRecoveryResponse,
  RecoveryChange as ChangeMessage,
  type ChangeRecoveryRequest,
  ChangeRecoveryResponse,
  type ClaimRecoveriesRequest,
  type ClaimRecoveriesResponse,
} from "#generated/proto/gatehouse/webhooks/v1/dispatch.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { Failure, invalidArgument } from "#runtime/basis/errors.ts";
import type { RepeatKey } from "#runtime/changes/repeated-request.ts";
import type { Call } from "#runtime/rpc/call.ts";
import type { Wake } from "#runtime/wake/wake.ts";
import { DELIVERIES_CHANNEL } from "../deliveries/delivery.ts";
import { LOOK_AGAIN_MS, WAIT_MS_MAX } from "../deliveries/waits.ts";
import { unknownRecovery } from "../recoveries/recoveries-service.ts";
import { hasEnded, RECOVERIES_CHANNEL, type Recovery } from "../recoveries/recovery.ts";
import { changeRecovery, type RecoveryChangesDeps } from "../recoveries/recovery-changes-service.ts";
import { BREATH_MS } from "../recoveries/recovery-loop.ts";
import { toRecoveryMessage } from "../recoveries/recovery-wire.ts";
import type { TakeRecoveryStep } from "../recoveries/take-step-service.ts";
import { operatorScope } from "../subscriptions/scope.ts";
import { offered } from "./offers-service.ts";
import { assertWithin } from "./within.ts";

const CLAIM_MAX = 50;
/** For how long after its last question an engine is taken to have a recovery. */
const KEPT_MS = 60_000;

interface RecoveryRunsDeps extends RecoveryChangesDeps {
  readonly takeStep: TakeRecoveryStep;
  readonly clock: Clock;
  readonly wake: Wake;
}

/**
 * Offers recoveries to the worker that starts their workflows, waiting for the first if there is none. One whose
 * workflow asks nothing for a minute is offered again.
 * @throws INVALID_ARGUMENT when limit or wait_ms is out of bounds.
 */
export const claimRecoveries =
  ({ changes, recoveries, clock, wake }: Pick<RecoveryRunsDeps, "changes" | "recoveries" | "clock" | "wake">) =>
  async ({ limit, waitMs }: ClaimRecoveriesRequest, { waiting }: Call): Promise<ClaimRecoveriesResponse> => {
    assertWithin({ limit: [limit, 1, CLAIM_MAX], wait_ms: [waitMs, 0, WAIT_MS_MAX] });
    const started = await offered({ wake, channel: RECOVERIES_CHANNEL, waitMs, waiting }, async () => {
      if (!(await recoveries.hasOffer(clock.now()))) return [];
      return await changes.run(({ db, at }) =>
        recoveries.offer(db, at, { limit, until: new Date(at.getTime() + KEPT_MS) }),
      );
    });
    return { recoveries: started.map(toRecoveryMessage) };
  };

/**
 * Takes steps of a recovery until it has ended, or paused with nothing under way, or the time has passed; returns it as
 * it is then.
 * @throws INVALID_ARGUMENT when wait_ms is out of bounds; NOT_FOUND for a recovery that is not there.
 */
export const advanceRecovery =
  ({ changes, recoveries, takeStep, clock, wake }: RecoveryRunsDeps) =>
  async ({ recoveryId, waitMs }: AdvanceRecoveryRequest, { waiting }: Call): Promise<AdvanceRecoveryResponse> => {
    assertWithin({ wait_ms: [waitMs, 0, WAIT_MS_MAX] });
    const { sequence } = await found(recoveryId);
    await changes.one(({ db }) => recoveries.keep(db, sequence, new Date(clock.now().getTime() + waitMs + KEPT_MS)));
    const endAt = performance.now() + waitMs;
    for (;;) {
      const ticket = wake.ticket(DELIVERIES_CHANNEL);
      const step = await takeStep(recoveryId, waiting);
      const recovery = step?.recovery ?? (await found(recoveryId));
      const underWay = step?.underWay ?? 0;
      const isIdle = hasEnded(recovery) || (recovery.state === "paused" && underWay === 0);
      const remainingMs = endAt - performance.now();
      if (isIdle || remainingMs <= 0 || waiting.aborted) return { recovery: toRecoveryMessage(recovery), underWay };
      if (step?.isMore !== true) {
        await wake.after(DELIVERIES_CHANNEL, ticket, Math.min(remainingMs, LOOK_AGAIN_MS), waiting);
        await sleep(BREATH_MS);
      }
    }

    async function found(id: string): Promise<Recovery> {
      const recovery = await recoveries.find(id);
      if (recovery === undefined) throw unknownRecovery(id);
      return recovery;
    }
  };

/**
 * Pauses, resumes or cancels a recovery as an operator asked its workflow for; one for which that cannot be done, or was
 * done already for the same request, stays as it is, and the answer says so.
 * @throws INVALID_ARGUMENT for a change that is not known; NOT_FOUND for a recovery that is not there.
 */
export const changeRecoveryRun =
  (deps: RecoveryChangesDeps) =>
  async ({ recoveryId, change, requestId }: ChangeRecoveryRequest, call: Call): Promise<ChangeRecoveryResponse> => {
    const wanted = lowerWordOf(ChangeMessage, change);
    if (wanted === undefined) throw invalidArgument([{ field: "change", reason: "must be a known change" }]);
    const repeat: RepeatKey<ChangeRecoveryResponse> = {
      requestId: requestId ?? "",
      caller: call.peer,
      method: call.path,
      content: Buffer.from(recoveryId),
      answer: ChangeRecoveryResponse,
    };
    try {
      await changeRecovery(deps, wanted)(operatorScope(call), { recoveryId }, { requestId: call.requestId, repeat });
    } catch (error) {
      if (!(error instanceof Failure) || error.code !== "FAILED_PRECONDITION") throw error;
    }
    // As it is now, which the answer to the first of several requests may not be any more.
    const recovery = await deps.recoveries.find(recoveryId);
    return { recovery: recovery === undefined ? null : toRecoveryMessage(recovery) };
  };
