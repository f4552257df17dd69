import type { RefusalsService } from "#generated/proto/gatehouse/sign_on/v1/refusals.ts";
import { boundedLog } from "#runtime/basis/bounded-log.ts";
import type { Log } from "#runtime/basis/log.ts";
import type { AnyOperation, AnyReply, BrokenRequest, EdgeRequest, UnroutedCode } from "#runtime/http/operation.ts";
import type { CallOptions, Carrier, PromiseClient, ServiceDefinition } from "#runtime/rpc/call.ts";
import { applicationIdOf, knownNames } from "../refusals/asked.ts";
import { checkOf } from "../refusals/checks.ts";

/** Notes that are under way at once; more are left out, so that a flood of broken requests costs nobody anything. */
const UNDER_WAY_MAX = 8;
const DEADLINE_MS = 2_000;

type Client = Readonly<Record<string, (request: unknown, options?: CallOptions) => unknown>>;

/** Logs and notes what the edge refuses without asking services; what they refuse, they note themselves. */
export interface RefusedAtEdge {
  /** Services whose calls count as asking. */
  readonly connect: Carrier["connect"];
  /** The same operations, whose refusals are noted. */
  watch<Operations extends object>(operations: Operations): Operations;
  unrouted(code: UnroutedCode, requestId: string): void;
}

export function refusedAtEdge(
  { connect, log }: { connect: Carrier["connect"]; log: Log },
  refusals: PromiseClient<typeof RefusalsService>,
): RefusedAtEdge {
  /** Requests that services were asked about. */
  const asked = new Set<string>();
  const rarely = boundedLog(log);
  let underWay = 0;

  const note = (requestId: string, operation: string, check: string, told: Told, sent: Sent): void => {
    const reason = told.error || "error_page";
    rarely.info(`refused ${check}`, "A request was refused.", { requestId, operationId: operation, check, reason });
    if (underWay >= UNDER_WAY_MAX) return;
    underWay++;
    const refusal = {
      requestId,
      operation,
      check,
      ...told,
      applicationId: sent.applicationId ?? null,
      parameters: [...sent.parameters],
    };
    refusals
      .noteRefusals({ refusals: [refusal] }, { requestId, deadlineMs: DEADLINE_MS })
      .catch(() => undefined)
      .finally(() => {
        underWay--;
      });
  };

  const answered = (request: EdgeRequest, body: unknown, phase: "handle" | "invalid", reply: AnyReply): AnyReply => {
    const wasAsked = asked.delete(request.requestId);
    if (wasAsked || reply.status < 400) return reply;
    const { error, sentence } = toldBy(reply);
    const check =
      error === "" ? (phase === "invalid" ? "page.malformed" : "form.refused") : checkOf({ error, sentence });
    note(request.requestId, request.operationId, check, { error, sentence }, sentWith(request, body));
    return reply;
  };

  return {
    connect<S extends ServiceDefinition>(definition: S) {
      const client = connect(definition) as unknown as Client;
      const watched = Object.entries(client).map(([name, method]) => [
        name,
        (message: unknown, options?: CallOptions) => {
          if (options?.requestId !== undefined) asked.add(options.requestId);
          return method(message, options);
        },
      ]);
      return Object.fromEntries(watched) as unknown as PromiseClient<S>;
    },
    watch(operations) {
      const watched = Object.entries(operations as Readonly<Record<string, AnyOperation>>).map(([name, operation]) => {
        const { handle, invalid } = operation;
        const watchedOperation: AnyOperation = {
          ...operation,
          async handle(request: never) {
            const { requestId } = request as EdgeRequest;
            try {
              const reply = await handle.call(operation, request);
              return answered(request, (request as BrokenRequest).body, "handle", reply);
            } finally {
              asked.delete(requestId);
            }
          },
          async invalid(request, parts) {
            return answered(request, request.body, "invalid", await invalid.call(operation, request, parts));
          },
        };
        return [name, watchedOperation] as const;
      });
      return Object.fromEntries(watched) as unknown as typeof operations;
    },
    unrouted(code, requestId) {
      note(requestId, "unrouted", UNROUTED_CHECKS[code] ?? "request.unreadable", UNROUTED, NOTHING);
    },
  };
}

const UNROUTED_CHECKS: Partial<Readonly<Record<UnroutedCode, string>>> = {
  not_found: "address.unknown",
  method_not_allowed: "address.method",
  internal_error: "service.failed",
};

interface Told {
  readonly error: string;
  readonly sentence: string;
}

const UNROUTED: Told = { error: "invalid_request", sentence: "" };

interface Sent {
  readonly applicationId: string | undefined;
  readonly parameters: readonly string[];
}

const NOTHING: Sent = { applicationId: undefined, parameters: [] };

/** Names of what was sent, in the address or the body, and the application that it names. */
function sentWith({ rawQuery }: EdgeRequest, body: unknown): Sent {
  const query = new URLSearchParams(rawQuery);
  const fields = typeof body === "object" && body !== null ? (body as Readonly<Record<string, unknown>>) : {};
  return {
    applicationId: applicationIdOf(fields.client_id ?? query.get("client_id")),
    parameters: knownNames([...query.keys(), ...Object.keys(fields)]),
  };
}

function toldBy({ type, body }: AnyReply): Told {
  if (type === "text/html" || typeof body !== "object" || body === null) return { error: "", sentence: "" };
  const { error, error_description: sentence } = body as Readonly<Record<string, unknown>>;
  return { error: String(error ?? ""), sentence: String(sentence ?? "") };
}
