import { Failure, type FieldViolation, notFound } from "../../../src/runtime/basis/errors.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import type { Call, Peer } from "../../../src/runtime/rpc/call.ts";
import { boundaryInterceptor, textInterceptor } from "../../../src/runtime/rpc/interceptors.ts";
import { eachCarrier } from "../../support/carriers.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { type EchoMethods, EchoService, echo } from "./echo.ts";

eachCarrier((_, open) => {
  const connect = async (methods: EchoMethods) => {
    const log = recordedLog();
    const metrics = createMetrics();
    const carrier = await open({
      registrations: [echo(methods)],
      interceptors: [boundaryInterceptor({ log, metrics })],
    });
    const counted = async () => {
      const text = await metrics.getSingleMetricAsString("gatehouse_rpc_duration_seconds");
      return text.match(/gatehouse_rpc_duration_seconds_count\{.*/g);
    };
    return { ...carrier.connect(EchoService), log, counted };
  };

  const refusal = notFound("tenant_not_found", "Client not found", { detail: "tenant client_1 is of instance_2" });
  const common = { requestId: "req_1", peer: "edge" };

  it("logs a refusal once, as an answer, with its private detail", async () => {
    const { say, log } = await connect({ say: () => Promise.reject(refusal) });
    await say({ text: "" }, { requestId: "req_1" }).catch(() => undefined);
    expect(log.lines).toEqual([
      {
        level: "info",
        sentence: "A call was refused.",
        fields: {
          ...common,
          call: "/gatehouse.test.v1.Echo/Say",
          code: "NOT_FOUND",
          reason: "tenant_not_found",
          detail: "tenant client_1 is of instance_2",
        },
      },
    ]);
  });

  it("logs a poll that is refused for the same reason once, until one is answered, and each call with a request id (R-X175)", async () => {
    const reasons: readonly (string | undefined)[] = [
      "store_away",
      "store_away",
      "store_full",
      undefined,
      "store_full",
    ];
    let polled = 0;
    const { say, log } = await connect({
      async say(request) {
        const reason = reasons[polled++ % reasons.length];
        if (reason === undefined) return request;
        throw new Failure("UNAVAILABLE", reason, "Try again later.");
      },
    });
    const levelsOf = async (requestId?: string) => {
      const before = log.lines.length;
      for (const _ of reasons)
        await say({ text: "" }, requestId === undefined ? {} : { requestId }).catch(() => undefined);
      return log.lines.slice(before).map(({ level, fields }) => `${level} ${fields.reason}`);
    };
    expect(await levelsOf()).toEqual(["info store_away", "debug store_away", "info store_full", "info store_full"]);
    expect(await levelsOf("req_1")).toEqual([
      "info store_away",
      "info store_away",
      "info store_full",
      "info store_full",
    ]);
  });

  it("logs the trace that a call belongs to, when its name is valid (W3C Trace Context)", async () => {
    const { say, log } = await connect({ say: () => Promise.reject(refusal) });
    const traceId = "4bf92f3577b34da6a3ce929d0e0e4736";
    for (const traceparent of [`00-${traceId}-00f067aa0ba902b7-01`, "00-x-y-01"])
      await say({ text: "" }, { metadata: { traceparent } }).catch(() => undefined);
    expect(log.lines.map(({ fields }) => fields.traceId)).toEqual([traceId, undefined]);
  });

  it("logs a fault once, as an error, with what was thrown", async () => {
    const fault = new TypeError("undefined is no function");
    const { say, log } = await connect({ say: () => Promise.reject(fault) });
    await say({ text: "" }, { requestId: "req_1" }).catch(() => undefined);
    expect(log.lines).toEqual([
      {
        level: "error",
        sentence: "A call failed.",
        fields: { ...common, call: "/gatehouse.test.v1.Echo/Say", code: "INTERNAL", reason: "internal", error: fault },
      },
    ]);
  });

  it("logs what a stream throws, once", async () => {
    const fault = new Failure("INTERNAL", "internal", "Internal error", { detail: "the file is gone" });
    const { count, log } = await connect({
      async *count() {
        yield { number: 1 };
        throw fault;
      },
    });
    const reading = async () => {
      for await (const { number } of count({ upTo: 1 }, { requestId: "req_1" })) expect(number).toBe(1);
    };
    await expect(reading()).rejects.toMatchObject({ code: "INTERNAL" });
    expect(log.lines.map(({ level, sentence, fields }) => [level, sentence, fields.detail])).toEqual([
      ["error", "A call failed.", "the file is gone"],
    ]);
  });

  it("logs nothing of an answered call, and measures every call by method and code", async () => {
    const { say, count, log, counted } = await connect({
      say: async (request) => (request.text === "no" ? Promise.reject(refusal) : request),
      async *count() {
        yield { number: 1 };
      },
    });
    await say({ text: "yes" });
    await say({ text: "yes" });
    await say({ text: "no" }).catch(() => undefined);
    for await (const { number } of count({ upTo: 1 })) expect(number).toBe(1);
    expect(log.lines.length).toBe(1);
    expect(await counted()).toEqual([
      'gatehouse_rpc_duration_seconds_count{call="/gatehouse.test.v1.Echo/Say",code="OK"} 2',
      'gatehouse_rpc_duration_seconds_count{call="/gatehouse.test.v1.Echo/Say",code="NOT_FOUND"} 1',
      'gatehouse_rpc_duration_seconds_count{call="/gatehouse.test.v1.Echo/Count",code="OK"} 1',
    ]);
  });
});

describe("texts of a request", () => {
  const refused = async (request: object, peer: Peer): Promise<readonly FieldViolation[]> => {
    const method = textInterceptor(["operator"])(async () => ({}), EchoService.say);
    try {
      await method(request, { peer } as Call);
      return [];
    } catch (error) {
      return (error as Failure).violations;
    }
  };

  it.each<[string, object, readonly string[]]>([
    ["in a message of it", { address: { postalCode: "\0" } }, ["address.postal_code"]],
    ["in a list", { jobTitles: ["Cook", "\0"], lines: [{ json: "\0" }] }, ["job_titles[1]", "lines[0].json"]],
    ["in a choice", { key: { $case: "personId", value: "\0" } }, ["person_id"]],
    ["in a choice of a message", { of: { key: { $case: "user", value: { name: "\0" } } } }, ["of.user.name"]],
    ["in bytes and beside what is no text: none", { bytes: Buffer.from("\0"), at: new Date(0), no: null, n: 0 }, []],
  ])("may hold no NUL, which is named by its field: %s (R-X26)", async (_, request, fields) => {
    expect((await refused(request, "operator")).map(({ field }) => field)).toEqual(fields);
    expect(await refused(request, "edge")).toEqual([]);
  });

  it("may hold no instant that no date has, which is named by its field (R-X26)", async () => {
    const request = {
      at: new Date(0),
      since: new Date(Number.NaN),
      of: { key: { $case: "until", value: new Date("") } },
    };
    expect(await refused(request, "platform")).toEqual([]);
    expect(await refused(request, "operator")).toEqual([
      { field: "since", reason: "must be an instant that there is" },
      { field: "of.until", reason: "must be an instant that there is" },
    ]);
  });

  it("may hold no instant that a timestamp of protobuf cannot name: before the year 1, or after 9999 (R-X26)", async () => {
    const first = Date.parse("0001-01-01T00:00:00.000Z");
    const last = Date.parse("9999-12-31T23:59:59.999Z");
    expect(await refused({ from: new Date(first), to: new Date(last) }, "operator")).toEqual([]);
    expect(await refused({ from: new Date(first - 1), to: new Date(last + 1) }, "operator")).toEqual([
      { field: "from", reason: "must be an instant that there is" },
      { field: "to", reason: "must be an instant that there is" },
    ]);
  });
});
