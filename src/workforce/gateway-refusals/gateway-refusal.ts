import { type ApiKeyId, type IdKind, parseId } from "#runtime/basis/ids.ts";
import type { RefusalKind } from "#runtime/refusals/refusal-notes.ts";
import type { KeyCheck, Missing } from "../failures.ts";

/** What webhooks does not find for the integration whose key asks; it sends the reasons (NoteRefusal). */
type MissingOfWebhooks =
  | "subscription_not_found"
  | "secret_not_found"
  | "event_not_found"
  | "delivery_not_found"
  | "recovery_not_found";

export type GatewayCheck = KeyCheck | Missing | MissingOfWebhooks;

/** A refused request of the gateway. Contains no key, and of the request only its well-formed ids. */
export interface GatewayRefusal {
  readonly requestId: string;
  readonly at: Date;
  /** The method of the gateway. */
  readonly operation: string;
  readonly check: GatewayCheck;
  /** The key that was presented, proven or not in force any more; `undefined` for an unknown one. */
  readonly apiKeyId: ApiKeyId | undefined;
  readonly ids: readonly string[];
}

/** Of each kind few are stored. */
export const kindOf = ({ apiKeyId, operation, check }: GatewayRefusal): RefusalKind => ({
  what: `${operation} ${check}`,
  who: apiKeyId ?? "",
});

interface Words {
  readonly finding: string;
  readonly advice: string;
}

const COMPARE_IDS =
  "Take ids from an earlier answer of the same environment, and list what there is with the same key.";

/** What operators read about each check, in words for the integration's developers. */
export const GATEWAY_CHECKS: Readonly<Record<GatewayCheck, Words>> = {
  "api_key.missing": {
    finding: "The request came without a key.",
    advice: "Send the key in the header x-api-key.",
  },
  "api_key.unknown": {
    finding: "The key is well-formed, and no key of this installation.",
    advice: "Send it to the environment that issued it, or issue another: gatehouse api-keys issue.",
  },
  "api_key.revoked": {
    finding: "The key was revoked.",
    advice: "Use the key that replaced it, or issue another: gatehouse api-keys issue.",
  },
  "api_key.expired": {
    finding: "The key has expired.",
    advice: "Issue another: gatehouse api-keys issue.",
  },
  "rate.limited": {
    finding: "The key had no request left.",
    advice: "Wait as long as retry-after says, and send fewer at once. A higher limit: gatehouse api-keys issue.",
  },
  "scope.missing": {
    finding: "The key lacks the scope that the operation asks for.",
    advice: "Use a key that has it, or issue another: gatehouse api-keys issue --scope read --scope webhooks.",
  },
  instance_integration_not_found: {
    finding: "No instance integration with this id belongs to the key's integration, or it was revoked.",
    advice: "List those of the key: GET /v1/instance-integrations. Operators: gatehouse integrations list.",
  },
  instance_integration_not_configured: {
    finding: "The instance integration is not configured.",
    advice: "Finish the set-up, and mark it as configured: gatehouse integrations configure.",
  },
  tenant_not_found: {
    finding: "The instance has no tenant (client in the API) with this id.",
    advice: COMPARE_IDS,
  },
  user_not_found: {
    finding: "The tenant has no user with this id.",
    advice: COMPARE_IDS,
  },
  worker_not_found: {
    finding: "The tenant has no worker with this id.",
    advice: COMPARE_IDS,
  },
  subscription_not_found: {
    finding: "The key's integration has no subscription with this id.",
    advice: "List those of the key: GET /v1/webhooks/subscriptions. Operators: gatehouse subscriptions list.",
  },
  secret_not_found: {
    finding: "The subscription has no live signing secret with this number.",
    advice: "List those of the subscription: GET its own address, with /secrets behind it.",
  },
  event_not_found: {
    finding: "No event with this id concerns the subscription, or it is no longer kept.",
    advice: "Take the id from the header webhook-id of a delivery, or from the subscription's events.",
  },
  delivery_not_found: {
    finding: "The key's integration has no delivery with this id, or it is no longer kept.",
    advice: "List those of the key: GET /v1/webhooks/deliveries. Operators: gatehouse deliveries list.",
  },
  recovery_not_found: {
    finding: "The key's integration has no recovery with this id.",
    advice: "List those of the key: GET /v1/webhooks/recoveries.",
  },
};

const CHECKED: Readonly<Record<string, IdKind>> = {
  instanceIntegrationId: "instanceIntegration",
  tenantId: "tenant",
  userId: "user",
  workerId: "worker",
};

/** The ids of a request that have the form of one; any other text may be anything, and is left out. */
export function idsIn(request: object): readonly string[] {
  const fields = request as Readonly<Record<string, unknown>>;
  return Object.entries(CHECKED).flatMap(([name, kind]) => {
    const id = parseId(kind, String(fields[name] ?? ""));
    return id === undefined ? [] : [id];
  });
}

/** Kinds of the ids in requests that webhooks answers. */
const NAMED: readonly IdKind[] = ["subscription", "event", "delivery", "recovery", "tenant", "instanceIntegration"];

/** The texts that have the form of an id of such a kind, at most ten. */
export const namedIds = (texts: readonly string[]): readonly string[] =>
  texts.filter((text) => NAMED.some((kind) => parseId(kind, text) !== undefined)).slice(0, 10);
