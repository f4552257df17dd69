import { join } from "node:path";
import { Client, credentials, Metadata, type ServiceError } from "@grpc/grpc-js";
import { CreateTenantRequest, PlatformService } from "../../../generated/proto/gatehouse/workforce/v1/platform.ts";
import { createMetrics } from "../../../src/runtime/process/metrics.ts";
import type { Call } from "../../../src/runtime/rpc/call.ts";
import { boundaryInterceptor } from "../../../src/runtime/rpc/interceptors.ts";
import { MESSAGE_BYTES_MAX } from "../../../src/runtime/rpc/socket-channel.ts";
import { type SocketServer, serveSocket } from "../../../src/runtime/rpc/socket-server.ts";
import { newFolder } from "../../support/folder.ts";
import { recordedLog } from "../../support/recorded-log.ts";
import { eachStore } from "../../support/stores.ts";
import { openWorkforce } from "../../workforce/workforce-fixture.ts";
import { EchoService, echo } from "./echo.ts";

const UNREADABLE = {
  code: 3,
  reason: "unreadable_message",
  details: "The message is not of the kind that this method takes.",
};

/** A client that sends bytes as they are. */
function rawClient(path: string) {
  const client = new Client(`unix:${path}`, credentials.createInsecure(), {
    "grpc.max_send_message_length": -1,
    "grpc.max_receive_message_length": -1,
  });
  const same = (bytes: Buffer) => bytes;
  const told = (error: ServiceError | null) =>
    error && { code: error.code, reason: error.metadata.get("gatehouse-reason")[0], details: error.details };
  return {
    send: (method: string, bytes: Buffer) =>
      new Promise<ReturnType<typeof told>>((resolve) =>
        client.makeUnaryRequest(method, same, same, bytes, new Metadata(), {}, (error) => resolve(told(error))),
      ),
    sendAll: (method: string, messages: readonly Buffer[]) =>
      new Promise<ReturnType<typeof told>>((resolve) => {
        const call = client.makeClientStreamRequest(method, same, same, new Metadata(), {}, (e) => resolve(told(e)));
        for (const bytes of messages) call.write(bytes);
        call.end();
      }),
    read: (method: string, bytes: Buffer) =>
      new Promise<ReturnType<typeof told>>((resolve) => {
        const call = client.makeServerStreamRequest(method, same, same, bytes, new Metadata(), {});
        call.on("data", () => undefined).on("end", () => resolve(null));
        call.on("error", (error) => resolve(told(error as ServiceError)));
      }),
    close: () => client.close(),
  };
}

describe("unreadable messages", () => {
  const log = recordedLog();
  let folder: string;
  let server: SocketServer;
  let raw: ReturnType<typeof rawClient>;

  beforeAll(async () => {
    folder = newFolder("gh-raw-");
    const path = join(folder, "sockets", "edge.sock");
    const methods = {
      say: async (request: { readonly text: string }) => request,
      async *count() {
        yield { number: 1 };
      },
      async sum(requests: AsyncIterable<{ readonly number: number }>, _: Call) {
        let total = 0;
        for await (const { number } of requests) total += number;
        return { total };
      },
    };
    const interceptors = [boundaryInterceptor({ log, metrics: createMetrics() })];
    server = await serveSocket({ path, peer: "edge", registrations: [echo(methods)], interceptors });
    raw = rawClient(path);
  });
  afterAll(async () => {
    raw.close();
    await server.stop(0);
  });

  const good = Buffer.from("{}");
  const bad = Buffer.from("{");

  it("are refused as INVALID_ARGUMENT, whatever streams, and logged once as an answer (R-X26)", async () => {
    expect(await raw.send(EchoService.say.path, bad)).toEqual(UNREADABLE);
    expect(await raw.read(EchoService.count.path, bad)).toEqual(UNREADABLE);
    expect(await raw.sendAll(EchoService.sum.path, [good, bad])).toEqual(UNREADABLE);
    expect(log.lines.map(({ level, fields }) => [level, fields.reason])).toEqual([
      ["info", "unreadable_message"],
      ["info", "unreadable_message"],
      ["info", "unreadable_message"],
    ]);
  });

  it("leave the connection usable", async () => {
    expect(await raw.send(EchoService.say.path, good)).toBeNull();
    expect(await raw.read(EchoService.count.path, good)).toBeNull();
    expect(await raw.sendAll(EchoService.sum.path, [good, good])).toBeNull();
  });
});

eachStore((_, open) => {
  let folder: string;
  let server: SocketServer;
  let raw: ReturnType<typeof rawClient>;
  const log = recordedLog();
  let workforce: Awaited<ReturnType<typeof openWorkforce>>;
  let instanceId: string;

  beforeAll(async () => {
    workforce = await openWorkforce(open);
    instanceId = await workforce.instance();
    folder = newFolder("gh-raw-");
    const path = join(folder, "sockets", "platform.sock");
    server = await serveSocket({
      path,
      peer: "platform",
      registrations: workforce.registrations,
      interceptors: [boundaryInterceptor({ log, metrics: createMetrics() })],
    });
    raw = rawClient(path);
  });
  afterAll(async () => {
    raw.close();
    await server.stop(0);
  });

  const tenant = (name: string) =>
    Buffer.from(CreateTenantRequest.encode({ requestId: "", instanceId, name, address: null }).finish());
  const create = (bytes: Buffer) => raw.send(PlatformService.createTenant.path, bytes);
  const storedNames = async () => {
    const { rows } = (await workforce.raw("select name from workforce_tenants")) as { rows: { name: string }[] };
    return rows.map(({ name }) => name);
  };
  /** A field of number 1,000 that no message has. */
  const unknownField = Buffer.from([0xc2, 0x3e, 0x03, 0x61, 0x62, 0x63]);
  /** Groups within groups, which old protobuf had: nesting without end. */
  const nested = Buffer.alloc(1_000_000, 0x0b);

  it.each<[string, () => Buffer]>([
    ["random bytes", () => Buffer.from("fffefdfcfbfaf9f8f7f6f5", "hex")],
    ["a field that is cut off", () => tenant("Harbour").subarray(0, -3)],
    ["a length beyond the end", () => Buffer.from([0x0a, 0xff, 0xff, 0xff, 0xff, 0x0f])],
    ["a wire type that does not exist", () => Buffer.from([0x0f])],
    ["text that is no UTF-8", () => Buffer.concat([tenant("Harbour"), Buffer.from([0x1a, 0x02, 0x41, 0xff])])],
    ["overlong UTF-8", () => Buffer.concat([tenant("Harbour"), Buffer.from([0x1a, 0x02, 0xc0, 0xaf])])],
    ["a lone surrogate", () => Buffer.concat([tenant("Harbour"), Buffer.from([0x1a, 0x03, 0xed, 0xa0, 0x80])])],
    ["nesting without end", () => nested],
  ])("refuses %s as INVALID_ARGUMENT and survives (S40)", async (_case, bytes) => {
    expect(await create(bytes())).toEqual(UNREADABLE);
    expect(await create(tenant("After"))).toBeNull();
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it.each<[string, () => Buffer]>([
    ["an empty message", () => Buffer.alloc(0)],
    ["field number zero", () => Buffer.from([0x00, 0x01])],
    ["NUL in a text", () => tenant("a\0b")],
    ["a text of a million characters", () => tenant("x".repeat(1_000_000))],
    [
      "an id that is none",
      () =>
        Buffer.from(
          CreateTenantRequest.encode({
            requestId: "",
            instanceId: "x".repeat(10_000),
            name: "x",
            address: null,
          }).finish(),
        ),
    ],
  ])("refuses %s as INVALID_ARGUMENT, naming fields or the message (S40)", async (_case, bytes) => {
    expect(await create(bytes())).toMatchObject({ code: 3 });
    expect(log.lines.filter(({ level }) => level === "error")).toEqual([]);
  });

  it("refuses a message that is too large as RESOURCE_EXHAUSTED", async () => {
    expect(await create(Buffer.alloc(MESSAGE_BYTES_MAX + 1))).toMatchObject({ code: 8 });
    expect(await create(tenant("After"))).toBeNull();
  });

  it("ignores unknown fields, 100,000 of them, and known ones of another type", async () => {
    const bytes = Buffer.concat([tenant("Unknown"), ...Array.from({ length: 100_000 }, () => unknownField)]);
    expect(await create(bytes)).toBeNull();
    expect(await create(Buffer.concat([tenant("Unknown"), Buffer.from([0x18, 0x01])]))).toBeNull();
    expect((await storedNames()).filter((name) => name === "Unknown")).toHaveLength(2);
  });

  it("stores nothing of what it refused", async () => {
    const before = await storedNames();
    expect(await create(tenant("Harbour").subarray(0, -3))).toEqual(UNREADABLE);
    expect(await create(tenant("a\0b"))).toMatchObject({ code: 3 });
    expect(await create(tenant("After"))).toBeNull();
    expect((await storedNames()).toSorted()).toEqual([...before, "After"].toSorted());
    expect(before.filter((name) => name !== "After" && name !== "Unknown")).toEqual([]);
  });
});
