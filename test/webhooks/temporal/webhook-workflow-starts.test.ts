import { type Client, ServiceError } from "@temporalio/client";
import { webhookWorkflows } from "../../../src/webhooks/temporal/webhook-workflow-starts.ts";
import { silentLog } from "../../support/silent-log.ts";

/** The loop that compares what was handed over with what Temporal has, where Temporal's list ends with this error. */
function comparing(error: unknown): Promise<void> {
  const list = async function* () {
    yield* [];
    throw error;
  };
  const deps = {
    dispatch: { listHandedOver: async () => ({ rounds: [{ deliveryId: "delivery", round: 1 }], nextCursor: null }) },
    timeoutMs: 1,
    compareMs: 1,
    log: silentLog,
  } as unknown as Parameters<typeof webhookWorkflows>[0];
  const link = {
    client: async () => ({ workflow: { list } }) as unknown as Client,
    starts: () => ({ ended: () => false }),
  };
  const loop = webhookWorkflows(deps)
    .loops(link, "queue")
    .find(({ name }) => name === "webhook-lost-rounds");
  return loop?.run(new AbortController().signal) ?? Promise.reject(new Error("There is no such loop."));
}

const listFailed = (cause: object): ServiceError =>
  new ServiceError("Failed to list workflows", { cause: cause as Error });

describe("the comparison with Temporal", () => {
  it.each([
    ["UNAVAILABLE", { code: 14, message: "tcp connect error" }],
    ["DEADLINE_EXCEEDED", { code: 4, message: "deadline exceeded" }],
    ["CANCELLED, a deadline of the SDK's engine", { code: 1, message: "Timeout expired" }],
    ["a connection that breaks", { code: 2, message: "transport error" }],
  ])("waits where no answer comes, which is one line of the log: %s", async (_, cause) => {
    await expect(comparing(listFailed(cause))).rejects.toMatchObject({
      code: "UNAVAILABLE",
      message: "The list of workflows at Temporal got no answer.",
      cause: { message: cause.message },
    });
  });

  it("fails where the server refuses the list", async () => {
    const refused = listFailed({ code: 7, message: "Request unauthorized." });
    await expect(comparing(refused)).rejects.toBe(refused);
  });
});
