import { ApplicationFailure } from "@temporalio/common";
import type { ExpiryService } from "#generated/proto/gatehouse/sign_on/v1/expiry.ts";
import { Failure } from "#runtime/basis/errors.ts";
import type { PromiseClient } from "#runtime/rpc/call.ts";
import type { CodeExpiryActivities } from "#workflows/authorization-code-expiry.ts";

const PAGE = 500;

/**
 * The activity of an authorizationCodeExpiry workflow. Whatever it throws is Gatehouse's own fault; Temporal retries
 * it.
 */
export const codeExpiryActivities = (
  expiry: Pick<PromiseClient<typeof ExpiryService>, "expireCodes">,
): CodeExpiryActivities => ({
  async expireCodes() {
    try {
      return await expiry.expireCodes({ limit: PAGE });
    } catch (error) {
      const code = error instanceof Failure ? error.code : "INTERNAL";
      const failure = ApplicationFailure.create({
        message: `Our own fault (${code}); it is tried again. See the log of the services role.`,
        type: "OwnFault",
      });
      // A stack would write the machine's paths to the history (R-E15).
      failure.stack = "";
      throw failure;
    }
  },
});
