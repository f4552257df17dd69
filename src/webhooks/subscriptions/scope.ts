import type { IntegrationId } from "#runtime/basis/ids.ts";
import type { Call } from "#runtime/rpc/call.ts";

/**
 * On whose behalf a method of webhooks is called, and so what it may see: an operator sees everything, an integration
 * its own. What is outside the scope is not found, with the same answer as what does not exist (R-X279).
 */
export type Scope = OperatorScope | IntegrationScope;

interface OperatorScope {
  readonly kind: "operator";
  /** For the audit log. */
  readonly actor: string;
}

interface IntegrationScope {
  readonly kind: "integration";
  readonly integrationId: IntegrationId;
  /** For the audit log: `integration:<integration id>:<label of the API key>`. */
  readonly actor: string;
}

/** Everything, in the name of the operator who calls. */
export const operatorScope = ({ actor }: Pick<Call, "actor">): Scope => ({ kind: "operator", actor });

/** What belongs to the integration, in the name of one of its API keys. */
export const integrationScope = (integrationId: IntegrationId, keyLabel: string): Scope => ({
  kind: "integration",
  integrationId,
  actor: `integration:${integrationId}:${keyLabel}`,
});

/** True when the scope contains what belongs to the integration. */
export const sees = (scope: Scope, owner: { readonly integrationId: string }): boolean =>
  scope.kind === "operator" || scope.integrationId === owner.integrationId;

/** A method as operators call it: it sees everything. */
export const byOperator =
  <Request, Response>(method: (scope: Scope, request: Request, call: Call) => Promise<Response>) =>
  (request: Request, call: Call): Promise<Response> =>
    method(operatorScope(call), request, call);
