import { type Client, WorkflowExecutionAlreadyStartedError } from "@temporalio/client";
import { ApplicationFailure } from "@temporalio/common";
import type { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import { MINUTE_MS } from "#runtime/basis/durations.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { LONG_PASS_MS, type Loop, pause, withoutDeadline } from "#runtime/process/loop.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { TemporalLink } from "#runtime/temporal/link.ts";
import type { authorizationCodeExpiry, CodeExpiryActivities } from "#workflows/authorization-code-expiry.ts";

const INTERVAL_MS = 10_000;
/** After so many looks all are started again, since a server may have come back without them; one that it has stays as it is. */
const LOOKS_REMEMBERED = 6;
/** Delay from the beginning of the minute: the longest life of a code, plus the minute itself. */
const DELAY_MS = 11 * MINUTE_MS;
const START_DEADLINE_MS = 5_000;

interface ExpiryWorkflowsDeps {
  readonly expiry: PromiseClient<typeof ExpiryService>;
  readonly now: () => number;
}

/** The worker's half of the workflows of code expiry: the activity that they call, and the loop that starts them. */
export const expiryWorkflows = (deps: ExpiryWorkflowsDeps) => ({
  activities: codeExpiryActivities(deps.expiry),
  loops: (link: TemporalLink, taskQueue: string): readonly Loop[] => [codeExpiryStarts({ ...deps, link, taskQueue })],
});

interface ExpiryStartsDeps extends ExpiryWorkflowsDeps {
  readonly link: TemporalLink;
  readonly taskQueue: string;
}

/**
 * Starts one authorizationCodeExpiry for each minute in which codes were issued, to run when the last of them has
 * expired. No request waits for it; any number of workers together start it once.
 */
function codeExpiryStarts({ expiry, link, taskQueue, now }: ExpiryStartsDeps): Loop {
  let after: Date | undefined;
  return {
    name: "code-expiry-starts",
    passMs: LONG_PASS_MS,
    async run(signal, pass = withoutDeadline(signal)) {
      for (let look = 0; !signal.aborted; look++) {
        const client = await link.client(signal);
        if (client === undefined) return;
        if (look % LOOKS_REMEMBERED === 0) after = undefined;
        await pass(() => startNew(client));
        await pause(INTERVAL_MS, signal);
      }
    },
  };

  async function startNew(client: Client): Promise<void> {
    const { minutes } = await expiry.listIssueMinutes({ after: after ?? null });
    for (const minute of minutes) {
      await start(client, minute);
      after = minute;
    }
  }

  async function start(client: Client, minute: Date): Promise<void> {
    const name = `${minute.toISOString().slice(0, 16)}Z`;
    const endsAt = new Date(minute.getTime() + DELAY_MS);
    try {
      await client.withDeadline(Date.now() + START_DEADLINE_MS, () =>
        client.workflow.start<typeof authorizationCodeExpiry>("authorizationCodeExpiry", {
          taskQueue,
          workflowId: `code-expiry/${name}`,
          args: [{ minute: name }],
          startDelay: Math.max(0, endsAt.getTime() - now()),
          workflowIdConflictPolicy: "USE_EXISTING",
          workflowIdReusePolicy: "REJECT_DUPLICATE",
          staticSummary: `codes issued ${name.slice(11, 16)}, all ended by ${endsAt.toISOString().slice(11, 16)} UTC`,
        }),
      );
    } catch (error) {
      // It has run already: started by another worker, or by this one before a restart.
      if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
    }
  }
}

const PAGE = 500;

/**
 * The activity of an authorizationCodeExpiry workflow. Whatever it throws is Gatehouse's own fault; Temporal retries
 * it.
 */
const codeExpiryActivities = (
  expiry: Pick<PromiseClient<typeof ExpiryService>, "expireCodes">,
): CodeExpiryActivities => ({
  async expireCodes() {
    try {
      return await expiry.expireCodes({ limit: PAGE });
    } catch (error) {
      const code = error instanceof Failure ? error.code : "INTERNAL";
      throw ApplicationFailure.create({
        message: `Our own fault (${code}); it is tried again. See the log of the services role.`,
        type: "OwnFault",
      });
    }
  },
});
