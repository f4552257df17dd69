import { WorkflowFailedError, type WorkflowHandle } from "@temporalio/client";
import { CancelledFailure } from "@temporalio/common";
import { arrived, eventually } from "../support/eventually.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { temporalPart } from "../support/temporal-server.ts";
import { outcomesOf } from "../webhooks/retry-kit.ts";
import {
  changeDelivery,
  LATER,
  openTroubleKit,
  TOMORROW,
  type TroubleKit,
  takeElsewhere,
  workflowIdOf,
} from "./trouble.ts";

describeWith(temporalPart(), "webhookRetry on a real server", () => {
  withScope((closeLater) => {
    let setup: TroubleKit;
    beforeAll(async () => {
      setup = await openTroubleKit(closeLater);
    }, 90_000);

    it("is not started for a delivery that succeeds at once", async () => {
      const one = await setup.kit.subscriber("healthy");
      await one.emit();
      const { id } = await one.settled();
      // Later than the healthy one, and handed over by the same loop: had the healthy one been, it would be there by now.
      await setup.inTrouble("later");
      const status = await setup.temporal.client.workflow
        .getHandle(workflowIdOf("healthy", id))
        .describe()
        .catch((error) => error.name);
      expect(status).toBe("WorkflowNotFoundError");
    });

    it("is Completed when it delivers, with a readable history", async () => {
      // Half a minute more than the words say, for the time until the workflow begins.
      const first = { status: 503, headers: { "retry-after": "5430" } } as const;
      const { handle, settled, closed } = await setup.inTrouble("acme-hr", { first });
      const { staticSummary, searchAttributes, ...described } = await handle.describe();
      expect(await described.status.name).toBe("RUNNING");
      expect(searchAttributes).toMatchObject({
        WebhookEventType: ["user.updated"],
        WebhookSubscription: ["acme-hr"],
        WebhookTenant: [expect.stringMatching(/^client_/)],
        WebhookAttempts: [1],
        WebhookLastStatus: ["503"],
      });
      await firstTask(handle);
      await handle.executeUpdate("deliverNow");
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" });
      expect(await closed()).toBe("COMPLETED");
      expect(await handle.result()).toBe("Delivered at attempt 2 of 3.");
      const { events } = await handle.fetchHistory();
      const summaries = (events ?? []).flatMap(({ userMetadata }) => {
        const data = userMetadata?.summary?.data;
        return data ? [JSON.parse(Buffer.from(data).toString())] : [];
      });
      // The end of a wait that is cut short says again what was waited for.
      expect(summaries).toEqual([
        "user.updated to acme-hr",
        "answered 503; wait 1 h 30 min before attempt 2 of 3",
        "answered 503; wait 1 h 30 min before attempt 2 of 3",
        "user.updated to acme-hr, attempt 2 of 3",
      ]);
    });

    it("is Failed with one readable sentence when the delivery is exhausted", async () => {
      const { handle, receiver, settled, closed } = await setup.inTrouble("exhausted");
      receiver.answerNext({ status: 500 }, "reset");
      expect(outcomesOf(await settled())).toEqual(["refused", "refused", "connection"]);
      expect(await closed()).toBe("FAILED");
      const failure = await handle.result().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(WorkflowFailedError);
      expect((failure as WorkflowFailedError).cause).toMatchObject({
        message:
          "user.updated to exhausted: not delivered after 3 attempts; the last one: no connection. Nothing more is sent for this delivery: tell the subscriber, who can read the current state by the API.",
        type: "DeliveryExhausted",
      });
    });

    it("delivers now when an operator asks (R-X73)", async () => {
      const { handle, settled, receiver } = await setup.inTrouble("hurried", { first: TOMORROW });
      receiver.answerNext({ status: 204 });
      expect(await handle.executeUpdate("deliverNow")).toBe("Attempt 2 of 3 is made now.");
      // Planned for tomorrow: only the update can have made it.
      expect(outcomesOf(await settled())).toEqual(["refused", "acknowledged"]);
      expect(await handle.result()).toBe("Delivered at attempt 2 of 3.");
    });

    it("makes no attempt beside one that another worker has under way, and says so (R-X73)", async () => {
      const { id, handle, settled, closed, receiver } = await setup.inTrouble("elsewhere", { first: TOMORROW });
      takeElsewhere(setup.kit.gatehouse.dataDirectory, id);
      expect(await handle.executeUpdate("deliverNow")).toBe("Attempt 2 of 3 is made now.");
      await eventually(
        async () => (await handle.describe()).searchAttributes.WebhookLastStatus,
        (status) => status?.[0] === "in_flight",
      );
      expect(await handle.executeUpdate("deliverNow")).toBe("An attempt is under way, or waits for a free place.");
      await handle.cancel();
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
      expect(receiver.received).toHaveLength(1);
    });

    it("is Cancelled, and so is the row (R-X71)", async () => {
      const { handle, settled, receiver, closed } = await setup.inTrouble("given-up", { first: TOMORROW });
      await handle.cancel();
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
      expect(receiver.received).toHaveLength(1);
    });

    it("is Cancelled at once while it waits for a free place, and makes no attempt when there is one (R-X75)", async () => {
      const { handle, emitAgain, receiver, settled, closed } = await setup.inTrouble("crowded", { first: TOMORROW });
      receiver.answerNext("silence");
      await emitAgain();
      await arrived(receiver, 2);
      await handle.executeUpdate("deliverNow");
      await eventually(
        async () => (await handle.describe()).raw.pendingActivities ?? [],
        ([activity]) => activity?.lastFailure?.applicationFailureInfo?.type === "EndpointCrowded",
      );
      await handle.cancel();
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
      expect(receiver.received).toHaveLength(2);
    });

    it("waits in one activity while a restored store suspends the delivery, and can be cancelled (R-X248)", async () => {
      const { id, handle, receiver, settled, closed } = await setup.inTrouble("suspended", { first: TOMORROW });
      suspend(setup.kit.gatehouse.dataDirectory, id);
      await handle.executeUpdate("deliverNow");
      const failures = await failuresOf(handle);
      await handle.cancel();
      expect(failures).toEqual(["DeliverySuspended"]);
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
      expect(receiver.received).toHaveLength(1);
    });

    it("makes the next attempt when it is due, once the delivery was released and failed again (R-X248)", async () => {
      const { id, handle, receiver, settled, closed } = await setup.inTrouble("released", { first: TOMORROW });
      suspend(setup.kit.gatehouse.dataDirectory, id);
      await handle.executeUpdate("deliverNow");
      // From now on it would ask in ten minutes.
      expect(await failuresOf(handle)).toEqual(["DeliverySuspended"]);
      receiver.answerNext({ status: 503 });
      await setup.kit.gatehouse.webhooks.releaseDeliveries({ cancel: false });
      expect(outcomesOf(await settled())).toEqual(["refused", "refused", "acknowledged"]);
      expect(await closed()).toBe("COMPLETED");
    });

    it("is Cancelled after the answer to the attempt that is under way, which is recorded", async () => {
      const { handle, receiver, settled, closed } = await setup.inTrouble("cancelled-under-way", { first: TOMORROW });
      receiver.answerNext({ status: 503, delayMs: 8_000 });
      await handle.executeUpdate("deliverNow");
      await arrived(receiver, 2);
      await handle.cancel();
      const delivery = await settled();
      expect(delivery).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(outcomesOf(delivery)).toEqual(["refused", "refused"]);
      expect(await closed()).toBe("CANCELLED");
    });

    it("is Completed when the attempt that was under way at its cancellation delivers", async () => {
      const { handle, receiver, settled, closed } = await setup.inTrouble("delivered-under-way", { first: TOMORROW });
      receiver.answerNext({ status: 204, delayMs: 8_000 });
      await handle.executeUpdate("deliverNow");
      await arrived(receiver, 2);
      await handle.cancel();
      expect(outcomesOf(await settled())).toEqual(["refused", "acknowledged"]);
      expect(await closed()).toBe("COMPLETED");
    });

    it("is Cancelled, with the reason, when its instance integration is revoked, and so is the row (R-X72)", async () => {
      const { handle, settled, receiver, closed, instanceIntegrationId } = await setup.inTrouble("revoked", {
        apart: true,
        first: LATER,
      });
      await setup.kit.gatehouse.workforce.revokeInstanceIntegration({ requestId: "", instanceIntegrationId });
      expect(await settled()).toMatchObject({
        state: "DELIVERY_STATE_CANCELLED",
        reason: "instance_integration_revoked",
      });
      expect(await closed()).toBe("CANCELLED");
      expect(await causesOf(handle)).toEqual([
        "Not delivered: cancelled, because its instance integration was revoked.",
      ]);
      expect(receiver.received).toHaveLength(1);
    });

    it("is Cancelled, with the reason, when the delivery was cancelled in the store (R-X72)", async () => {
      const { handle, id, settled, receiver, closed } = await setup.inTrouble("told", { first: TOMORROW });
      await setup.kit.dispatch.cancelDelivery({ round: { deliveryId: id, round: 1 } });
      await handle.executeUpdate("deliverNow");
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
      expect(await causesOf(handle)).toEqual(["Not delivered: cancelled, because an operator said so."]);
      expect(receiver.received).toHaveLength(1);
    });

    it("makes no further attempt when it is reset after its cancellation, and is Cancelled again (R-X72)", async () => {
      const { handle, settled, receiver, closed } = await setup.inTrouble("given-up-and-reset", { first: LATER });
      // A request before the first task would be part of what a reset to it keeps.
      await firstTask(handle);
      await handle.cancel();
      await settled();
      await closed();
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      setup.temporal.command(...words, "--reason", "pressed");
      const again = setup.temporal.client.workflow.getHandle(handle.workflowId);
      const failure = await again.result().catch((error: unknown) => error);
      expect((failure as WorkflowFailedError).cause).toBeInstanceOf(CancelledFailure);
      expect((await again.describe()).status.name).toBe("CANCELLED");
      expect(await causesOf(again)).toContain("Not delivered: cancelled, because an operator said so.");
      expect((await settled()).state).toBe("DELIVERY_STATE_CANCELLED");
      expect(receiver.received).toHaveLength(1);
    });

    it("makes no further attempt when it runs again after its end, and says how it ended", async () => {
      const { handle, hurry, settled, receiver, closed } = await setup.inTrouble("again", { first: LATER });
      await hurry(2);
      await settled();
      await closed();
      const [start] = (await handle.fetchHistory()).events ?? [];
      const input = start?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
      await setup.temporal.client.workflow.start("webhookRetry", {
        taskQueue: "gatehouse",
        workflowId: handle.workflowId,
        args: [JSON.parse(Buffer.from(input ?? new Uint8Array()).toString())],
      });
      const again = setup.temporal.client.workflow.getHandle(handle.workflowId);
      expect(await again.result()).toBe("Delivered at attempt 2 of 3.");
      expect(receiver.received).toHaveLength(2);
    });

    it("makes no further attempt when it is reset", async () => {
      const { handle, hurry, settled, receiver, closed } = await setup.inTrouble("reset", { first: TOMORROW });
      receiver.answerNext(TOMORROW, { status: 500 });
      await hurry(3);
      await settled();
      await closed();
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      setup.temporal.command(...words, "--reason", "pressed");
      const again = setup.temporal.client.workflow.getHandle(handle.workflowId);
      const failure = await again.result().catch((error: unknown) => error);
      expect((failure as WorkflowFailedError).cause).toMatchObject({ type: "DeliveryExhausted" });
      expect(receiver.received).toHaveLength(3);
    });

    it("makes no attempt early when it is reset after one that an operator asked for (R-X72, R-X73)", async () => {
      const { handle, attempts, receiver } = await setup.inTrouble("hurried-and-reset", { first: TOMORROW });
      receiver.answerNext(TOMORROW);
      await handle.executeUpdate("deliverNow");
      await attempts(2);
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      setup.temporal.command(...words, "--reason", "pressed");
      const again = setup.temporal.client.workflow.getHandle(handle.workflowId);
      const ofKind = async (attributes: "timerStartedEventAttributes" | "activityTaskCompletedEventAttributes") =>
        ((await again.fetchHistory()).events ?? []).filter((event) => event[attributes]);
      // The server has asked the new run for the same update; the run waits for tomorrow all the same.
      await eventually(
        () => ofKind("timerStartedEventAttributes"),
        ({ length }) => length > 0,
      );
      expect(await ofKind("activityTaskCompletedEventAttributes")).toHaveLength(1);
      expect(receiver.received).toHaveLength(2);
    });
  });
});

/** Waits until a worker has completed the workflow's first task. */
async function firstTask(handle: WorkflowHandle): Promise<void> {
  const { events } = await eventually(
    () => handle.fetchHistory(),
    ({ events }) => events?.some((event) => event.workflowTaskCompletedEventAttributes) ?? false,
  );
  expect(events).toContainEqual(expect.objectContaining({ workflowTaskCompletedEventAttributes: expect.anything() }));
}

/** Leaves a pending delivery as a restore does. */
const suspend = (dataDirectory: string, id: string): void =>
  changeDelivery(
    dataDirectory,
    id,
    "reason = 'store_restored', due_at = null, retry_at = null, hand_over_at = null, fence = fence + 1",
  );

/** How the latest try of each activity under way failed, once it did. */
const failuresOf = (handle: WorkflowHandle) =>
  eventually(
    async () =>
      ((await handle.describe()).raw.pendingActivities ?? []).map(
        ({ lastFailure }) => lastFailure?.applicationFailureInfo?.type,
      ),
    ([type]) => type !== undefined && type !== null,
  );

/** The reasons in the history beside the requests to cancel. */
async function causesOf(handle: WorkflowHandle): Promise<readonly string[]> {
  const { events } = await handle.fetchHistory();
  return (events ?? []).flatMap(({ workflowExecutionCancelRequestedEventAttributes: requested }) =>
    requested ? [requested.cause ?? ""] : [],
  );
}
