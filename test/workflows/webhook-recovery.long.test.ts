import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { eventually } from "../support/eventually.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { openTemporal, type TemporalServer, temporalPart } from "../support/temporal-server.ts";
import { type Outage, type OutageKit, openOutageKit } from "../webhooks/recoveries/outage-kit.ts";

/** An attempt without an answer lasts longer than several signals take on a busy machine. */
const PATIENT = { "webhook-timeout-ms": "17000", "webhook-lease-ms": "34000" };

describeWith(temporalPart(), "webhookRecovery on a real server (R-X285)", () => {
  withScope((closeLater) => {
    let temporal: TemporalServer;
    let kit: OutageKit;
    beforeAll(async () => {
      temporal = await openTemporal(closeLater);
      kit = await openOutageKit(closeLater, {
        separate: false,
        flags: { ...PATIENT, "temporal-address": temporal.address },
      });
    }, 90_000);

    /** A recovery of an endpoint that was down, and its workflow. */
    async function recovering(label: string, prepare = (one: Outage) => one.mend()) {
      const one = await kit.outage(label, 12);
      prepare(one);
      const id = await one.recover();
      const handle = temporal.client.workflow.getHandle(`webhook-recovery/${label}/${id}`);
      const status = () =>
        handle.describe().then(
          ({ status: { name } }) => name as string,
          () => "NOT_FOUND",
        );
      await eventually(status, (name) => name !== "NOT_FOUND");
      const closed = () => eventually(status, (name) => name !== "RUNNING", 60_000);
      const until = (state: string) => kit.recovery(id, (recovery) => recovery.state === state);
      return { ...one, id, handle, status, closed, until };
    }

    it("is Completed when it is finished, with a readable end, and its history has ids, words and numbers only (R-E15)", async () => {
      const { handle, closed, receiver } = await recovering("finished");
      expect(await closed()).toBe("COMPLETED");
      expect(await handle.result()).toBe("Finished: 12 of 12 sent, 12 acknowledged, 0 failed.");
      expect(await handle.query("progress")).toMatchObject({ state: "finished", acknowledged: 12 });
      expect((await handle.describe()).searchAttributes).toMatchObject({ WebhookSubscription: ["finished"] });
      const history = historyToJSON(await handle.fetchHistory()).replaceAll(/"data": ?"([^"]+)"/g, (_, data: string) =>
        Buffer.from(data, "base64").toString(),
      );
      const forbidden = [receiver.url, receiver.secret ?? "", "Quay", "/workflows/", "node_modules"];
      expect(forbidden.filter((text) => history.includes(text))).toEqual([]);
    }, 180_000);

    it("is paused and resumed by signals; the commands and the workflow say the same", async () => {
      const { id, handle, closed, until, mend } = await recovering("signalled", (one) => one.mend("silence"));
      await kit.recovery(id, ({ sent }) => sent === 10);
      await handle.signal("pause");
      expect(await until("paused")).toMatchObject({ reason: "operator", sent: 10 });
      await eventually(
        () => handle.query<{ state: string }>("progress"),
        ({ state }) => state === "paused",
      );
      mend();
      await handle.signal("resume");
      expect(await until("finished")).toMatchObject({ sent: 12 });
      expect(await closed()).toBe("COMPLETED");
    }, 180_000);

    it("is cancelled by a signal, and ends as Cancelled", async () => {
      const { handle, closed, until } = await recovering("signalled-to-end", (one) => one.mend("silence"));
      await handle.signal("cancel");
      expect(await until("cancelled")).toMatchObject({ reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
    }, 180_000);

    it("goes on when a command resumes it after a pause", async () => {
      const { closed, until, id, mend } = await recovering("resumed", (one) => one.mend("silence"));
      const { webhooks } = kit.gatehouse;
      await webhooks.pauseRecovery({ recoveryId: id });
      mend();
      await webhooks.resumeRecovery({ recoveryId: id });
      await until("finished");
      expect(await closed()).toBe("COMPLETED");
    }, 180_000);

    it("is reset: what its signals asked for before is not done again, what they ask for then is", async () => {
      const { id, handle, closed, until, mend } = await recovering("reset", (one) => one.mend("silence"));
      const { webhooks } = kit.gatehouse;
      await kit.recovery(id, ({ sent }) => sent === 10);
      await handle.signal("pause");
      await until("paused");
      await handle.signal("resume");
      await until("running");
      await webhooks.pauseRecovery({ recoveryId: id });
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      temporal.command(...words, "--reason", "pressed");
      const again = temporal.client.workflow.getHandle(handle.workflowId);
      const changes = async () =>
        ((await again.fetchHistory()).events ?? []).filter(
          ({ activityTaskScheduledEventAttributes: scheduled }) => scheduled?.activityType?.name === "changeRecovery",
        ).length;
      // The server has sent the new run both signals again.
      await eventually(changes, (count) => count === 2);
      await eventually(
        () => again.query<{ state: string }>("progress"),
        ({ state }) => state === "paused",
      );
      expect(await until("paused")).toMatchObject({ reason: "operator", sent: 10 });
      mend();
      await again.signal("resume");
      expect(await until("finished")).toMatchObject({ sent: 12 });
      expect(await closed()).toBe("COMPLETED");
    }, 180_000);

    it("goes on in another run when one breaks, since an operator completed its activity by hand (R-X450)", async () => {
      const { id, handle, mend, status } = await recovering("completed-by-hand", (one) => one.mend("silence"));
      await kit.recovery(id, ({ sent }) => sent === 10);
      // An activity that ends meanwhile is another one's by then.
      const completed = async () => {
        const [pending] = (await handle.describe()).raw.pendingActivities ?? [];
        const words = ["--activity-id", pending?.activityId ?? "0", "--result", "null"];
        try {
          temporal.command("activity", "complete", "--workflow-id", handle.workflowId, ...words);
          return true;
        } catch {
          return false;
        }
      };
      await eventually(completed, (done) => done);
      await eventually(status, (name) => name === "FAILED");
      mend();
      expect(await eventually(status, (name) => name === "COMPLETED", 150_000)).toBe("COMPLETED");
      expect(await kit.recovery(id, ({ state }) => state === "finished")).toMatchObject({ sent: 12 });
    }, 240_000);

    it("cancels the recovery when its cancellation is requested", async () => {
      const { handle, closed, until, id } = await recovering("requested", () => undefined);
      await kit.gatehouse.webhooks.pauseRecovery({ recoveryId: id });
      await handle.cancel();
      expect(await until("cancelled")).toMatchObject({ reason: "operator" });
      expect(await closed()).toBe("CANCELLED");
    }, 180_000);
  });
});
