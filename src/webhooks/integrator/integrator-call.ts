import { IntegratorService } from "#generated/proto/gatehouse/webhooks/v1/integrator.ts";
import type { CallersService } from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { ApiKeyScope } from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import { Failure } from "#runtime/basis/errors.ts";
import { type IntegrationId, isAnyId } from "#runtime/basis/ids.ts";
import type { Call, Implementation, PromiseClient } from "#runtime/rpc/call.ts";
import { integrationScope, type Scope } from "../subscriptions/scope.ts";

type Callers = PromiseClient<typeof CallersService>;
type Methods = Implementation<typeof IntegratorService>;

/** The methods of the service, each with what its caller may see. */
export type ScopedMethods = {
  readonly [K in keyof Methods]: (
    scope: IntegrationScope,
    request: Parameters<Methods[K]>[0],
    call: Call,
  ) => ReturnType<Methods[K]>;
};

type IntegrationScope = Extract<Scope, { readonly kind: "integration" }>;

type ScopedMethod = (scope: Scope, request: object, call: Call) => Promise<unknown>;

/** What of a call's metadata workforce is sent: the proof of the key, and where the request belongs. */
const SENT_ON = ["x-api-key-lookup", "x-api-key-digest", "traceparent"];

/** True for a request that asks to wait for what is new. */
const isWait = (request: { readonly waitMs?: unknown }): boolean => Number(request.waitMs ?? 0) > 0;

/**
 * Puts the proof of the caller before every method: workforce says whose key it is, counts the request, and looks for
 * the scope `webhooks`. What a method does not find is recorded there too, for those who explain it (R-X296, R-X199).
 */
export function asIntegrator(callers: Callers, methods: ScopedMethods): Methods {
  const proven = (operation: string, method: ScopedMethod) => async (request: object, call: Call) => {
    const { requestId } = call;
    // Other texts may be a secret, or an endpoint with one in its path.
    const ids = Object.values(request).filter((value) => typeof value === "string" && isAnyId(value));
    const metadata = Object.fromEntries(
      SENT_ON.flatMap((name) => (call.metadata[name] === undefined ? [] : [[name, call.metadata[name]]])),
    );
    const options = { metadata, requestId, onMetadata: (rates: Readonly<Record<string, string>>) => call.reply(rates) };
    const asked = { scope: ApiKeyScope.WEBHOOKS, operation, ids, again: false };
    const { integrationId, apiKeyId, apiKeyLabel } = await callers.admitCaller(asked, options);
    try {
      const answer = await method(integrationScope(integrationId as IntegrationId, apiKeyLabel), request, call);
      // The key may have been revoked while this waited (R-X290).
      if (isWait(request)) await callers.admitCaller({ ...asked, again: true }, options);
      return answer;
    } catch (error) {
      if (error instanceof Failure && error.code === "NOT_FOUND")
        await callers.noteRefusal({ operation, check: error.reason, apiKeyId, ids }, { requestId });
      throw error;
    }
  };
  return Object.fromEntries(
    Object.keys(IntegratorService).map((name) => [name, proven(name, methods[name as keyof Methods] as ScopedMethod)]),
  ) as unknown as Methods;
}
