import { readFileSync } from "node:fs";
import { hostname } from "node:os";
import { setTimeout as sleep } from "node:timers/promises";
import { WorkflowFailedError, type WorkflowHandle } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { eventually } from "../support/eventually.ts";
import { describeWith } from "../support/optional-part.ts";
import { withScope } from "../support/scope.ts";
import { openTemporal, type TemporalServer, temporalPart } from "../support/temporal-server.ts";
import { openRetryKit, outcomesOf, type RetryKit } from "../webhooks/retry-kit.ts";

/** Long enough to do something in between, short enough to wait for. */
const SLOW = { "webhook-attempt-delays": "4s,4s", "webhook-jitter": "0" };

describeWith(temporalPart(), "webhookRetry on a real server", () => {
  withScope((closeLater) => {
    let temporal: TemporalServer;
    let kit: RetryKit;
    beforeAll(async () => {
      temporal = await openTemporal(closeLater);
      kit = await openRetryKit(closeLater, { flags: { ...SLOW, "temporal-address": temporal.address } });
    }, 90_000);

    const idOf = (label: string, deliveryId: string) => `webhook-retry/user.updated/${label}/${deliveryId}/1`;

    /** A delivery that failed once, and the workflow that has it by now. */
    async function inTrouble(label: string) {
      const one = await kit.subscriber(label);
      one.receiver.answerNext({ status: 503 });
      await one.emit();
      const { id } = await one.attempts(1);
      const handle = temporal.client.workflow.getHandle(idOf(label, id));
      await eventually(
        () =>
          handle.describe().then(
            ({ status }) => status.name,
            () => "NOT_FOUND",
          ),
        (status) => status !== "NOT_FOUND",
      );
      return { ...one, id, handle };
    }

    const closed = (handle: WorkflowHandle) =>
      eventually(
        async () => (await handle.describe()).status.name,
        (status) => status !== "RUNNING",
        25_000,
      );

    it("starts none for a delivery that succeeds at once", async () => {
      const one = await kit.subscriber("healthy");
      await one.emit();
      const { id } = await one.settled();
      await sleep(1_500);
      const status = await temporal.client.workflow
        .getHandle(idOf("healthy", id))
        .describe()
        .catch((error) => error.name);
      expect(status).toBe("WorkflowNotFoundError");
    });

    it("is Completed when it delivers, and reads as a story", async () => {
      const { handle, settled } = await inTrouble("acme-hr");
      const { staticSummary, searchAttributes, ...described } = await handle.describe();
      expect(await described.status.name).toBe("RUNNING");
      expect(searchAttributes).toMatchObject({
        WebhookEventType: ["user.updated"],
        WebhookSubscription: ["acme-hr"],
        WebhookTenant: [expect.stringMatching(/^client_/)],
        WebhookAttempts: [1],
        WebhookLastStatus: ["503"],
      });
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_DELIVERED" });
      expect(await closed(handle)).toBe("COMPLETED");
      expect(await handle.result()).toBe("Delivered at attempt 2 of 3.");
      const { events } = await handle.fetchHistory();
      const summaries = (events ?? []).flatMap(({ userMetadata }) => {
        const data = userMetadata?.summary?.data;
        return data ? [JSON.parse(Buffer.from(data).toString())] : [];
      });
      expect(summaries).toEqual([
        "user.updated to acme-hr",
        "answered 503; wait 4 s before attempt 2 of 3",
        "user.updated to acme-hr, attempt 2 of 3",
      ]);
    });

    it("is Failed with one readable sentence when the delivery is exhausted", async () => {
      const { handle, receiver, settled } = await inTrouble("exhausted");
      receiver.answerNext({ status: 500 }, "reset");
      expect(outcomesOf(await settled())).toEqual(["refused", "refused", "connection"]);
      expect(await closed(handle)).toBe("FAILED");
      const failure = await handle.result().catch((error: unknown) => error);
      expect(failure).toBeInstanceOf(WorkflowFailedError);
      expect((failure as WorkflowFailedError).cause).toMatchObject({
        message:
          "user.updated to exhausted: not delivered after 3 attempts; the last one: no connection. Nothing more is sent for this delivery: tell the subscriber, who can read the current state by the API.",
        type: "DeliveryExhausted",
      });
    });

    it("delivers now when it is told to", async () => {
      const { handle, settled, receiver } = await inTrouble("hurried");
      receiver.answerNext({ status: 204 });
      expect(await handle.executeUpdate("deliverNow")).toBe("Attempt 2 of 3 is made now.");
      const { attempts } = await settled();
      expect(attempts.map(({ outcome }) => outcome)).toEqual(["refused", "acknowledged"]);
      const [planned, made] = attempts.map(({ startedAt }) => startedAt?.getTime() ?? 0);
      expect((made ?? 0) - (planned ?? 0)).toBeLessThan(4_000);
      expect(await handle.result()).toBe("Delivered at attempt 2 of 3.");
    });

    it("is Cancelled with the row agreeing", async () => {
      const { handle, settled, receiver } = await inTrouble("given-up");
      await handle.cancel();
      expect(await settled()).toMatchObject({ state: "DELIVERY_STATE_CANCELLED", reason: "operator" });
      expect(await closed(handle)).toBe("CANCELLED");
      expect(receiver.received).toHaveLength(1);
    });

    it("makes no attempt more when it is run again after its end, and tells how it ended", async () => {
      const { handle, settled, receiver } = await inTrouble("again");
      await settled();
      await closed(handle);
      const [start] = (await handle.fetchHistory()).events ?? [];
      const input = start?.workflowExecutionStartedEventAttributes?.input?.payloads?.[0]?.data;
      await temporal.client.workflow.start("webhookRetry", {
        taskQueue: "gatehouse",
        workflowId: handle.workflowId,
        args: [JSON.parse(Buffer.from(input ?? new Uint8Array()).toString())],
      });
      const again = temporal.client.workflow.getHandle(handle.workflowId);
      expect(await again.result()).toBe("Delivered at attempt 2 of 3.");
      expect(receiver.received).toHaveLength(2);
    });

    it("makes no attempt more when it is reset", async () => {
      const { handle, settled, receiver } = await inTrouble("reset");
      receiver.answerNext({ status: 500 }, { status: 500 });
      await settled();
      await closed(handle);
      const words = ["workflow", "reset", "--workflow-id", handle.workflowId, "--type", "FirstWorkflowTask"];
      temporal.command(...words, "--reason", "pressed");
      const again = temporal.client.workflow.getHandle(handle.workflowId);
      const failure = await again.result().catch((error: unknown) => error);
      expect((failure as WorkflowFailedError).cause).toMatchObject({ type: "DeliveryExhausted" });
      expect(receiver.received).toHaveLength(3);
    });

    it("is started anew when it was terminated: the delivery goes on", async () => {
      const { handle, settled, receiver } = await inTrouble("terminated");
      await handle.terminate("pressed");
      const delivery = await settled(80_000);
      expect([delivery.state, ...outcomesOf(delivery)]).toEqual([
        "DELIVERY_STATE_DELIVERED",
        "refused",
        "acknowledged",
      ]);
      expect(receiver.received).toHaveLength(2);
    }, 100_000);

    it("goes on when the server was killed and comes back with its store", async () => {
      const { settled, receiver } = await inTrouble("server-killed");
      await temporal.end("SIGKILL");
      await sleep(1_000);
      const health = await (await fetch(`${kit.gatehouse.managementUrl}/health/live`)).json();
      await temporal.start();
      expect(health).toEqual({ status: "live" });
      expect(outcomesOf(await settled(40_000))).toEqual(["refused", "acknowledged"]);
      expect(receiver.received).toHaveLength(2);
    }, 90_000);

    it("loses no delivery when the server comes back empty, and tells nobody else's failure", async () => {
      const { settled, receiver } = await inTrouble("emptied");
      await temporal.end("SIGKILL");
      await temporal.start({ emptied: true });
      expect(outcomesOf(await settled(90_000))).toEqual(["refused", "acknowledged"]);
      expect(receiver.received).toHaveLength(2);
    }, 120_000);
  });
});

describeWith(temporalPart(), "what Temporal is told (R-E15)", () => {
  withScope((closeLater) => {
    it("holds no secret, e-mail address, endpoint or body, in no history and nowhere in the server's store", async () => {
      const temporal = await openTemporal(closeLater);
      const kit = await openRetryKit(closeLater, { flags: { "temporal-address": temporal.address } });
      const one = await kit.subscriber("watched");
      const marked = "marked-answer-of-the-endpoint";
      const answer = { status: 500, body: marked } as const;
      one.receiver.answerNext(answer, answer, answer);
      await one.emit();
      const { id } = await one.settled();
      const handle = temporal.client.workflow.getHandle(`webhook-retry/user.updated/watched/${id}/1`);
      await handle.result().catch(() => undefined);
      const history = historyToJSON(await handle.fetchHistory());
      const decoded = history.replaceAll(/"data": ?"([^"]+)"/g, (_, data: string) =>
        Buffer.from(data, "base64").toString(),
      );
      await temporal.end("SIGTERM");
      const store = ["", "-wal"].flatMap((end) => readOrNothing(`${temporal.store}${end}`));

      const secret = one.receiver.secret ?? "";
      const forbidden = [
        secret,
        secret.slice("whsec_".length),
        "watched@harbour.example",
        "Maren",
        one.receiver.url,
        marked,
        "/workflows/",
        "node_modules",
      ];
      const places = [decoded, ...store.map((bytes) => bytes.toString("latin1"))];
      expect(decoded).not.toContain(`@${hostname()}`);
      expect(decoded).toContain("user.updated to watched, attempt 3 of 3");
      expect(places[1]).toContain("webhook-retry/user.updated/watched");
      expect(forbidden.filter((text) => places.some((place) => place.includes(text)))).toEqual([]);
    }, 90_000);
  });
});

function readOrNothing(path: string): readonly Buffer[] {
  try {
    return [readFileSync(path)];
  } catch {
    return [];
  }
}
