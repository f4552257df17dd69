import type { NativeConnection } from "@temporalio/worker";
import { assertServer } from "../../../src/runtime/temporal/server-check.ts";

const ADDRESS = { address: "temporal.internal:7233", namespace: "gatehouse", apiKey: "key" };

/** A server whose two answers are given; what is an error is thrown. */
const serverOf = (namespace: unknown, attributes: unknown): NativeConnection =>
  ({
    withDeadline: (_: number, ask: () => Promise<unknown>) => ask(),
    workflowService: { describeNamespace: () => answer(namespace) },
    operatorService: { listSearchAttributes: () => answer(attributes) },
  }) as unknown as NativeConnection;

const answer = async (given: unknown): Promise<unknown> => {
  if (given instanceof Error) throw given;
  return given;
};

const refusal = (code: number) => Object.assign(new Error("no"), { code });

describe("a Temporal server that answers", () => {
  it.each([
    [refusal(7), {}, "The server refuses us the namespace gatehouse. See temporal-api-key."],
    [refusal(16), {}, "The server refuses us the namespace gatehouse. See temporal-api-key."],
    [
      {},
      refusal(7),
      "The server refuses us the list of search attributes of gatehouse. Let the owner of temporal-api-key read it.",
    ],
    [
      {},
      { customAttributes: { WebhookAttempts: 1 } },
      "The search attribute WebhookAttempts is not of the type Int. Remove it with: temporal operator search-attribute remove --name WebhookAttempts --namespace gatehouse --address temporal.internal:7233",
    ],
  ])("%j, %j is reported as: %s", async (namespace, attributes, message) => {
    const wanted = [{ name: "WebhookAttempts", type: "INT" }] as const;
    await expect(assertServer(serverOf(namespace, attributes), ADDRESS, wanted)).rejects.toMatchObject({
      name: "ServerUnfit",
      message,
    });
  });

  it("is not blamed for another error", async () => {
    const away = refusal(14);
    await expect(assertServer(serverOf({}, away), ADDRESS, [])).rejects.toBe(away);
  });
});
