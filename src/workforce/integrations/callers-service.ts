import type { AdmitCallerRequest, AdmitCallerResponse } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { ApiKeyScope } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { lowerWordOf } from "#runtime/basis/enum-words.ts";
import { invalidArgument } from "#runtime/basis/errors.ts";
import type { Call } from "#runtime/rpc/call.ts";
import { admit, type CallerDeps } from "./caller.ts";
import { pathOf } from "./reach.ts";

/** Says to webhooks whose key a call carries (R-G15, R-X295). @throws as `admit`; INVALID_ARGUMENT without a scope. */
export const admitCaller =
  (deps: CallerDeps) =>
  async ({ scope, again }: AdmitCallerRequest, call: Call): Promise<AdmitCallerResponse> => {
    const wanted = lowerWordOf(ApiKeyScope, scope);
    if (wanted === undefined) throw invalidArgument([{ field: "scope", reason: "must be a known scope" }]);
    return (await admit(deps, call, wanted, pathOf({}), again)).caller;
  };
