import { eventually } from "../support/eventually.ts";
import { call } from "../support/http.ts";
import { openProcesses, type Program } from "../support/processes.ts";
import { withScope } from "../support/scope.ts";
import { makeWorld, present } from "../support/world.ts";

const TRACE_ID = "4bf92f3577b34da6a3ce929d0e0e4736";
const TRACEPARENT = `00-${TRACE_ID}-00f067aa0ba902b7-01`;

interface Line {
  readonly requestId?: string;
  readonly traceId?: string;
  readonly operationId?: string;
  readonly call?: string;
  readonly status?: number;
  readonly code?: string;
}

/** Two lines of these requests. */
function linesOf(program: Program | undefined, requestIds: readonly string[]): Promise<Line[]> {
  const read = async () =>
    present(program)
      .output()
      .split("\n")
      // The last one may not be there as a whole.
      .slice(0, -1)
      .filter((text) => requestIds.some((id) => text.includes(id)))
      .map((text) => JSON.parse(text) as Line);
  return eventually(read, (lines) => lines.length === 2);
}

describe("requestId everywhere, traceparent accepted (R-G1, R-X65)", () => {
  withScope((closeLater) => {
    it("each request has one id and one trace in the answer, the edge's log and that of services", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true, flags: { "log-level": "info" } });
      const world = await makeWorld(gatehouse);
      const path = "/v1/instance-integrations/installation_AAAAAAAAAAAAAAAAAAAAA/clients";
      const headers = { "x-api-key": world.apiKey };
      const traced = await call(gatehouse.url, path, { headers: { ...headers, traceparent: TRACEPARENT } });
      const untraced = await call(gatehouse.url, path, { headers: { ...headers, traceparent: `${TRACEPARENT}x` } });
      const requestIds = [traced, untraced].map((answer) => answer.headers.get("x-request-id") ?? "");
      const edge = await linesOf(gatehouse.programs.edge, requestIds);
      const services = await linesOf(gatehouse.programs.services, requestIds);

      expect(traced.json()).toMatchObject({ status: 404, requestId: requestIds[0] });
      expect(edge.map(({ requestId, traceId, operationId }) => [requestId, traceId, operationId])).toEqual([
        [requestIds[0], TRACE_ID, "listClients"],
        [requestIds[1], undefined, "listClients"],
      ]);
      expect(services.map(({ requestId, traceId, call: method }) => [requestId, traceId, method])).toEqual([
        [requestIds[0], TRACE_ID, "/gatehouse.workforce.v1.Gateway/ListTenants"],
        [requestIds[1], undefined, "/gatehouse.workforce.v1.Gateway/ListTenants"],
      ]);
    });

    it("a request that services do not answer leaves a line with the reason, by its id (R-X14)", async () => {
      const gatehouse = await openProcesses(closeLater, { separate: true, flags: { "log-level": "info" } });
      await present(gatehouse.programs.services).end("SIGKILL");
      const headers = { traceparent: TRACEPARENT };
      const answer = await call(gatehouse.url, "/auth/authorize?client_id=app_AAAAAAAAAAAAAAAAAAAAA", { headers });
      const requestId = answer.headers.get("x-request-id") ?? "";
      const lines = await linesOf(gatehouse.programs.edge, [requestId]);
      expect(answer.status).toBe(503);
      expect(lines.map(({ traceId, call: method, code, status }) => [traceId, method, code, status])).toEqual([
        [TRACE_ID, "/gatehouse.sign_on.v1.Browser/Authorize", "UNAVAILABLE", undefined],
        [TRACE_ID, undefined, undefined, 503],
      ]);
    });
  });
});
