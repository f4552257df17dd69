import { ServiceError } from "@temporalio/client";
import { workflowStarts } from "../../../src/runtime/temporal/workflow-starts.ts";
import { recordedLog } from "../../support/recorded-log.ts";

const MINUTE_MS = 60_000;

const started: PromiseSettledResult<void> = { status: "fulfilled", value: undefined };

/** What the SDK throws when the server answers with an error. */
const refused = (code: number, details: string): PromiseSettledResult<void> => ({
  status: "rejected",
  reason: new ServiceError("Failed to start Workflow", {
    cause: Object.assign(new Error(`${code}: ${details}`), { code, details, metadata: {} }),
  }),
});

const open = () => {
  const log = recordedLog();
  const time = { now: 0 };
  const { of, trouble } = workflowStarts({ address: "temporal.internal:7233", log, now: () => time.now });
  const lines = () => log.lines.map(({ level, fields }) => [level, (fields as { readonly detail?: string }).detail]);
  return { retries: of("webhookRetry"), recoveries: of("webhookRecovery"), trouble, time, lines };
};

describe("a Temporal server that answers, fits, and starts no workflows (R-X74)", () => {
  it("is in trouble with the server's own words, logged once, until it starts one", () => {
    const { retries, trouble, lines } = open();
    expect(trouble()).toBeUndefined();
    expect(retries.ended([refused(7, "Request unauthorized."), refused(7, "Request unauthorized.")])).toBe(true);
    expect(retries.ended([refused(7, "Request unauthorized for another.")])).toBe(true);
    expect(trouble()).toBe(
      "The server at temporal.internal:7233 does not start webhookRetry: Request unauthorized for another.",
    );
    expect(retries.ended([])).toBe(false);
    expect(trouble()).toBeDefined();
    expect(retries.ended([started])).toBe(false);
    expect(trouble()).toBeUndefined();
    const sentence = "The server at temporal.internal:7233 does not start webhookRetry: Request unauthorized.";
    expect(lines()).toEqual([
      ["warn", sentence],
      ["info", "webhookRetry"],
    ]);
  });

  it("is logged again when the reason is another one", () => {
    const { retries, lines } = open();
    retries.ended([refused(7, "Request unauthorized.")]);
    retries.ended([refused(8, "namespace rate limit exceeded")]);
    expect(lines().map(([, detail]) => detail)).toEqual([
      "The server at temporal.internal:7233 does not start webhookRetry: Request unauthorized.",
      "The server at temporal.internal:7233 does not start webhookRetry: namespace rate limit exceeded",
    ]);
  });

  it("is in trouble without words of its own, when no answer comes in time", () => {
    const { retries, trouble } = open();
    // As the SDK's engine reports a deadline that has passed.
    const error = Object.assign(new Error("Timeout expired"), { code: 1, details: "", metadata: {} });
    retries.ended([{ status: "rejected", reason: new ServiceError("Failed to start Workflow", { cause: error }) }]);
    expect(trouble()).toBe(
      "The server at temporal.internal:7233 does not start webhookRetry: no answer came in time (Timeout expired)",
    );
  });

  it("is in trouble with the words of the error, where an answer has none", () => {
    const { retries, trouble } = open();
    const error = Object.assign(new Error("status 16"), { code: 16, details: "", metadata: {} });
    retries.ended([{ status: "rejected", reason: new ServiceError("Failed to start Workflow", { cause: error }) }]);
    expect(trouble()).toBe("The server at temporal.internal:7233 does not start webhookRetry: status 16");
  });

  it("is not in trouble when it starts some: those that it did not start are counted", () => {
    const { retries, trouble, lines } = open();
    expect(retries.ended([started, refused(3, "BadSearchAttributes")])).toBe(true);
    expect(trouble()).toBeUndefined();
    expect(lines()).toEqual([["warn", "webhookRetry"]]);
  });

  it("has a trouble for each type of workflow", () => {
    const { retries, recoveries, trouble } = open();
    recoveries.ended([refused(7, "no")]);
    retries.ended([started]);
    expect(trouble()).toContain("webhookRecovery");
    recoveries.ended([started]);
    expect(trouble()).toBeUndefined();
  });

  it("is no longer in trouble when nothing has waited to be started for a while", () => {
    const { retries, trouble, time } = open();
    retries.ended([refused(7, "no")]);
    time.now = 2 * MINUTE_MS;
    expect(trouble()).toBeDefined();
    time.now = 3 * MINUTE_MS;
    expect(trouble()).toBeUndefined();
  });
});
