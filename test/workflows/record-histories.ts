import { mkdirSync, writeFileSync } from "node:fs";
import { hostname } from "node:os";
import { join } from "node:path";
import type { WorkflowHandle } from "@temporalio/client";
import { historyToJSON } from "@temporalio/common/lib/proto-utils.js";
import { arrived, eventually } from "../support/eventually.ts";
import type { Closer } from "../support/scope.ts";
import { openTemporal } from "../support/temporal-server.ts";
import type { ReceiverAnswer } from "../support/webhook-receiver.ts";
import { present } from "../support/world.ts";
import { openRetryKit, type Subscriber } from "../webhooks/retry-kit.ts";
import { TOMORROW, takeElsewhere } from "./trouble.ts";

/**
 * Records one history of each path of the workflows from a real server into test/workflows/histories/. To be run when a path is added; a
 * change after which the recorded ones no longer replay is another matter: it needs `patched()`, or the end of all that are under way.
 * Usage: node test/workflows/record-histories.ts [path …], by default all
 */
const wanted = process.argv.slice(2);
const folder = join(import.meta.dirname, "histories");
const closers: Closer[] = [];
const closeLater = (closer: Closer) => void closers.push(closer);

try {
  const temporal = await openTemporal(closeLater);
  const { client } = temporal;
  const kit = await openRetryKit(closeLater, {
    flags: {
      "temporal-address": temporal.address,
      "webhook-attempt-delays": "2s,2s",
      "webhook-jitter": "0",
      // A silent endpoint keeps a recovery under way until it was paused and cancelled, after two steps of two seconds each.
      "webhook-timeout-ms": "10000",
      "webhook-lease-ms": "20000",
      // One that is silent leaves no place to a retry.
      "webhook-concurrency-per-endpoint": "1",
    },
  });

  const save = async (name: string, handle: WorkflowHandle) => {
    if (wanted.length > 0 && !wanted.includes(name)) return;
    await handle.result().catch(() => undefined);
    const history = historyToJSON(await handle.fetchHistory());
    mkdirSync(folder, { recursive: true });
    // Who asked for it is this program, by the machine's name.
    writeFileSync(join(folder, `${name}.json`), `${history.replaceAll(`@${hostname()}`, "")}\n`);
  };

  const record = async (
    name: string,
    answers: readonly ReceiverAnswer[],
    meanwhile: (handle: WorkflowHandle, one: Subscriber) => Promise<unknown> = async () => undefined,
  ) => {
    const one = await kit.subscriber(name, { apart: true });
    one.receiver.answerNext(...answers);
    await one.emit();
    const { id } = await one.attempts(1);
    const handle = client.workflow.getHandle(`webhook-retry/user.updated/${name}/${id}/1`);
    const isThere = () =>
      handle.describe().then(
        () => true,
        () => false,
      );
    await eventually(isThere, (there) => there);
    await meanwhile(handle, one);
    await save(name, handle);
  };

  const refusal = { status: 503 } as const;
  await record("delivered", [refusal, refusal]);
  await record("exhausted", [refusal, "reset", refusal]);
  await record("gone", [refusal, { status: 410 }]);
  await record("skipped", [refusal, { status: 410 }], (_, one) => one.emitAgain());
  await record("cancelled", [refusal], (handle) => handle.cancel());
  const underWay = async ({ receiver }: Subscriber) => arrived(receiver, 2);
  // Under this name is one of a program that let no cancellation reach the attempt; the next one is of this program.
  if (wanted.includes("cancelled-under-way-before"))
    await record("cancelled-under-way-before", [refusal, { ...refusal, delayMs: 3_000 }], async (handle, one) => {
      await underWay(one);
      await handle.cancel();
    });
  await record("cancelled-under-way", [refusal, { ...refusal, delayMs: 3_000 }], async (handle, one) => {
    await underWay(one);
    await handle.cancel();
  });
  await record("cancelled-crowded", [refusal, "silence"], async (handle, one) => {
    await one.emitAgain();
    await underWay(one);
    await eventually(
      async () => (await handle.describe()).raw.pendingActivities ?? [],
      ([activity]) => (activity?.attempt ?? 0) > 1,
    );
    await handle.cancel();
  });
  await record("revoked", [refusal], (_, { instanceIntegrationId }) =>
    kit.gatehouse.workforce.revokeInstanceIntegration({ requestId: "", instanceIntegrationId }),
  );
  await record("deliver-now", [refusal], (handle) => handle.executeUpdate("deliverNow"));
  // A worker that was killed has the attempt: an operator who asks for the next one again does not change the wait for its end.
  await record("deliver-now-elsewhere", [TOMORROW], async (handle) => {
    takeElsewhere(kit.gatehouse.dataDirectory, handle.workflowId.split("/")[3] ?? "");
    await handle.executeUpdate("deliverNow");
    await eventually(
      async () => (await handle.describe()).searchAttributes.WebhookLastStatus,
      (status) => status?.[0] === "in_flight",
    );
    await handle.executeUpdate("deliverNow");
  });
  // A server that was away when the attempt failed, and until the next one was due: the workflow begins without a wait.
  const late = await kit.subscriber("overdue", { apart: true });
  late.receiver.answerNext(refusal);
  await temporal.end("SIGTERM");
  await late.emit();
  const { id, dueAt } = await late.attempts(1);
  await eventually(
    async () => Date.now(),
    // Longer than a start is tried: one that was tried before has the wait as it was then.
    (now) => now > present(dueAt).getTime() + 8_000,
    15_000,
  );
  await temporal.start();
  await late.settled(90_000);
  await save("overdue", client.workflow.getHandle(`webhook-retry/user.updated/overdue/${id}/1`));
  // A delivery that is exhausted, and the endpoint mended.
  const outage = await kit.subscriber("recovered", { apart: true });
  outage.receiver.answerNext(refusal, refusal, refusal);
  await outage.emit();
  await outage.settled();
  const recover = async (name: string, meanwhile: (handle: WorkflowHandle) => Promise<unknown>) => {
    const from = new Date(Date.now() - 3_600_000);
    const { subscriptionId } = outage;
    const request = { subscriptionId, from, states: [], eventTypes: [], tenantIds: [] };
    const { recovery } = await kit.gatehouse.webhooks.startRecovery(request);
    const handle = client.workflow.getHandle(`webhook-recovery/recovered/${recovery?.id}`);
    const isThere = () =>
      handle.describe().then(
        () => true,
        () => false,
      );
    await eventually(isThere, (there) => there);
    await meanwhile(handle);
    await save(name, handle);
  };
  // Without an answer the recovery is under way for as long as the signals take, and the delivery is left to the next one.
  outage.receiver.answerNext("silence", "silence");
  await recover("recovery-signalled", async (handle) => {
    await handle.signal("pause");
    await eventually(
      () => handle.query<{ state: string }>("progress"),
      ({ state }) => state === "paused",
    );
    await handle.signal("cancel");
  });
  await outage.settled(30_000);
  await recover("recovery-finished", async () => undefined);
  const args = [{ minute: "2026-11-20T07:05Z" }];
  const expiry = {
    taskQueue: "gatehouse",
    workflowId: "code-expiry/2026-11-20T07:05Z",
    args,
    startDelay: "1s",
  } as const;
  await save("code-expiry", await client.workflow.start("authorizationCodeExpiry", expiry));
} finally {
  for (const close of closers.toReversed()) await close();
}
