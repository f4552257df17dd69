import type {
  AdmitCallerRequest,
  AdmitCallerResponse,
  NoteRefusalRequest,
  NoteRefusalResponse,
} from "#generated/proto/gatehouse/workforce/v1/callers.ts";
import { GatewayService } from "#generated/proto/gatehouse/workforce/v1/gateway.ts";
import type {
  ExplainGatewayRefusalRequest,
  ExplainGatewayRefusalResponse,
  ListGatewayRefusalsRequest,
  ListGatewayRefusalsResponse,
} from "#generated/proto/gatehouse/workforce/v1/operator.ts";
import type { Clock } from "#runtime/basis/clock.ts";
import { Failure, notFound } from "#runtime/basis/errors.ts";
import { optionalIdViolations } from "#runtime/basis/id-violation.ts";
import { parseId } from "#runtime/basis/ids.ts";
import { readRefusalPage } from "#runtime/refusals/refusal-list.ts";
import type { StoredRefusals } from "#runtime/refusals/refusal-loop.ts";
import type { RefusalNotes } from "#runtime/refusals/refusal-notes.ts";
import type { Call, Implementation } from "#runtime/rpc/call.ts";
import { KeyRefused } from "../failures.ts";
import type { ApiKeyRepository } from "../integrations/api-key-repository.ts";
import type { GatewayCall } from "../integrations/caller.ts";
import type { IntegrationRepository } from "../integrations/integration-repository.ts";
import { GATEWAY_CHECKS, type GatewayCheck, type GatewayRefusal, idsIn, namedIds } from "./gateway-refusal.ts";
import type { GatewayRefusalRepository } from "./gateway-refusal-repository.ts";

type Methods = Implementation<typeof GatewayService>;

interface NotingDeps {
  readonly notes: RefusalNotes<GatewayRefusal>;
  readonly clock: Clock;
}

/** Puts the noting of refusals around every method of the gateway; faults of Gatehouse are not among them (R-X199). */
export function notingGatewayRefusals({ notes, clock }: NotingDeps, methods: Methods): Methods {
  const note = (operation: string, request: object, call: Call, error: unknown): void => {
    const check = checkOf(error);
    if (check === undefined) return;
    const caller = (call as Partial<GatewayCall>).caller;
    const apiKeyId = error instanceof KeyRefused ? error.apiKeyId : caller?.apiKeyId;
    notes.note({ requestId: call.requestId, at: clock.now(), operation, check, apiKeyId, ids: idsIn(request) });
  };
  const unary = (operation: string, method: Unary) => async (request: object, call: Call) => {
    try {
      return await method(request, call);
    } catch (error) {
      note(operation, request, call, error);
      throw error;
    }
  };
  const streaming = (operation: string, method: Streaming) =>
    async function* (request: object, call: Call) {
      try {
        yield* method(request, call);
      } catch (error) {
        note(operation, request, call, error);
        throw error;
      }
    };
  const noted = Object.entries(GatewayService).map(([operation, { responseStream }]) => {
    const method = methods[operation as keyof Methods];
    return [operation, responseStream ? streaming(operation, method as Streaming) : unary(operation, method as Unary)];
  });
  return Object.fromEntries(noted) as Methods;
}

type Unary = (request: object, call: Call) => Promise<unknown>;
type Streaming = (request: object, call: Call) => AsyncIterable<unknown>;

/** Puts the noting of refusals around the proof of a key that webhooks asks for (R-X199). */
export const notingAdmissions =
  (
    { notes, clock }: NotingDeps,
    admit: (request: AdmitCallerRequest, call: Call) => Promise<AdmitCallerResponse>,
  ): typeof admit =>
  async (request, call) => {
    try {
      return await admit(request, call);
    } catch (error) {
      const check = checkOf(error);
      if (check !== undefined && error instanceof KeyRefused) {
        const { operation, ids } = request;
        const { requestId } = call;
        notes.note({
          requestId,
          at: clock.now(),
          operation,
          check,
          apiKeyId: error.apiKeyId,
          ids: namedIds(ids),
        });
      }
      throw error;
    }
  };

/** Keeps what webhooks refused to a proven key; other words than those of `GATEWAY_CHECKS` are ignored. */
export const noteRefusal =
  ({ notes, clock }: NotingDeps) =>
  async (request: NoteRefusalRequest, { requestId }: Call): Promise<NoteRefusalResponse> => {
    const { operation, check, ids } = request;
    const apiKeyId = parseId("apiKey", request.apiKeyId);
    if (isCheck(check)) notes.note({ requestId, at: clock.now(), operation, check, apiKeyId, ids: namedIds(ids) });
    return {};
  };

function checkOf(error: unknown): GatewayCheck | undefined {
  if (!(error instanceof Failure)) return undefined;
  const name = error.check ?? error.reason;
  return isCheck(name) ? name : undefined;
}

const isCheck = (name: string): name is GatewayCheck => Object.hasOwn(GATEWAY_CHECKS, name);

interface ExplainGatewayDeps {
  readonly notes: RefusalNotes<GatewayRefusal>;
  readonly refusals: StoredRefusals<GatewayRefusal>;
  readonly apiKeys: Pick<ApiKeyRepository, "find">;
  readonly integrations: Pick<IntegrationRepository, "find">;
}

/** Why a request of the gateway was refused, with the key's label and integration as of now. @throws NOT_FOUND (refusal_not_found). */
export const explainGatewayRefusal =
  ({ notes, refusals, apiKeys, integrations }: ExplainGatewayDeps) =>
  async ({ requestId }: ExplainGatewayRefusalRequest): Promise<ExplainGatewayRefusalResponse> => {
    const refusal = notes.find(requestId) ?? (await refusals.find(requestId));
    if (refusal === undefined || !isCheck(refusal.check))
      throw notFound(
        "refusal_not_found",
        "No refused request with this id. They are kept for 14 days, and of a flood only a few of a kind in a minute. A request of the gateway without a key, or with a mistyped one, leaves no record; nor does one whose answer says itself what is wrong, as 400, 405 and 409 do. Why there was no answer (500, 503) is in the log, by this id.",
      );
    const { at, operation, check, apiKeyId, ids } = refusal;
    const apiKey = apiKeyId && (await apiKeys.find(apiKeyId));
    const integration = apiKey && (await integrations.find(apiKey.integrationId));
    return {
      requestId,
      at,
      operation,
      check,
      ids: [...ids],
      ...GATEWAY_CHECKS[check],
      command: commandFor(check, ids),
      apiKeyId: apiKeyId ?? null,
      apiKeyLabel: apiKey?.label ?? null,
      integrationId: integration?.id ?? null,
      integrationName: integration?.name ?? null,
    };
  };

/**
 * Refused requests that are stored, newest first, a page at a time; those of a key or an integration, if one is named.
 * @throws INVALID_ARGUMENT naming every wrong field at once.
 */
export const listGatewayRefusals =
  ({ refusals }: { readonly refusals: Pick<GatewayRefusalRepository, "list"> }) =>
  async (request: ListGatewayRefusalsRequest): Promise<ListGatewayRefusalsResponse> => {
    const { apiKeyId, integrationId } = request;
    const page = readRefusalPage(request, [
      ...optionalIdViolations("apiKey", "api_key_id", apiKeyId),
      ...optionalIdViolations("integration", "integration_id", integrationId),
    ]);
    const of = { apiKeyId: apiKeyId ?? undefined, integrationId: integrationId ?? undefined };
    const found = await refusals.list(page, of);
    return {
      refusals: found.slice(0, page.limit).map(({ integration, ...refusal }) => ({
        ...refusal,
        integrationId: integration?.id,
        integrationName: integration?.name,
      })),
      more: found.length > page.limit,
    };
  };

/** The words of the command that cures the refusal; none where it depends on what only an operator knows. */
function commandFor(check: GatewayCheck, ids: readonly string[]): string[] {
  if (check !== "instance_integration_not_configured") return [];
  const id = ids.find((one) => parseId("instanceIntegration", one) !== undefined);
  return id === undefined ? [] : ["integrations", "configure", id];
}
