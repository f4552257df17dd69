import { chmodSync, existsSync, mkdirSync, statSync, writeFileSync } from "node:fs";
import { connect as connectHttp2, type IncomingHttpHeaders, type OutgoingHttpHeaders } from "node:http2";
import { connect as connectSocket, createServer } from "node:net";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { Client, credentials, Metadata, status } from "@grpc/grpc-js";
import { CannotStart, invalidArgument } from "../../../src/runtime/basis/errors.ts";
import type { Carrier } from "../../../src/runtime/rpc/call.ts";
import { MESSAGE_BYTES_MAX } from "../../../src/runtime/rpc/socket-channel.ts";
import { socketCarrier } from "../../../src/runtime/rpc/socket-client.ts";
import { GIVEN_UP_AT, givenUpAt } from "../../../src/runtime/rpc/socket-metadata.ts";
import { type SocketServer, serveSocket } from "../../../src/runtime/rpc/socket-server.ts";
import { quietBoundary } from "../../support/carriers.ts";
import { eventually } from "../../support/eventually.ts";
import { newFolder } from "../../support/folder.ts";
import { type EchoMethods, EchoService, echo } from "./echo.ts";

/** An account that owns nothing. */
const NOBODY = 65_534;

describe("a private Unix socket (R-D4)", () => {
  let folder: string;
  let path: string;
  let servers: SocketServer[];
  let carriers: Carrier[];

  beforeEach(() => {
    folder = newFolder("gh-socket-");
    path = join(folder, "sockets", "edge.sock");
    servers = [];
    carriers = [];
  });

  afterEach(async () => {
    await Promise.all(carriers.map((carrier) => carrier.close()));
    await Promise.all(servers.map((server) => server.stop(0)));
  });

  const serve = async (methods: EchoMethods = { say: async (request) => request }, at = path) => {
    const server = await serveSocket({
      path: at,
      peer: "edge",
      registrations: [echo(methods)],
      interceptors: quietBoundary(),
    });
    servers.push(server);
    return server;
  };

  const connect = (at = path) => {
    const carrier = socketCarrier(at);
    carriers.push(carrier);
    return carrier.connect(EchoService);
  };

  /** How a call ends that no client of gRPC would send: the fields of its status. */
  const endOfCall = async (metadata: OutgoingHttpHeaders = {}): Promise<IncomingHttpHeaders> => {
    const session = connectHttp2("http://localhost", { createConnection: () => connectSocket(path) });
    const request = session.request({
      ":method": "POST",
      ":path": EchoService.say.path,
      "content-type": "application/grpc",
      te: "trailers",
      ...metadata,
    });
    const ended = new Promise<IncomingHttpHeaders>((resolve) => {
      for (const event of ["response", "trailers"] as const)
        request.on(event, (fields: IncomingHttpHeaders) => {
          if ("grpc-status" in fields) resolve(fields);
        });
    });
    request.resume().end(Buffer.concat([Buffer.from([0, 0, 0, 0, 2]), Buffer.from("{}")]));
    const fields = await ended;
    session.destroy();
    return fields;
  };

  const refusal = async (serving: Promise<unknown>): Promise<CannotStart> => {
    const thrown = await serving.then(
      () => new Error("It serves."),
      (error: unknown) => error,
    );
    if (thrown instanceof CannotStart) return thrown;
    throw thrown;
  };

  /** Root may do everything, so it is another account meanwhile. */
  const asAnother = async <T>(work: () => Promise<T>): Promise<T> => {
    const own = process.geteuid?.() ?? NaN;
    if (own !== 0) return work();
    chmodSync(folder, 0o755);
    process.seteuid?.(NOBODY);
    try {
      return await work();
    } finally {
      process.seteuid?.(own);
    }
  };

  describe("on the disk", () => {
    it("is a file of mode 0600 in a directory of mode 0700, and ends with its server", async () => {
      const server = await serve();
      expect([statSync(path).mode & 0o777, statSync(join(folder, "sockets")).mode & 0o777]).toEqual([0o600, 0o700]);
      await server.stop(100);
      expect(existsSync(path)).toBe(false);
    });

    it("replaces the file of a dead process", async () => {
      mkdirSync(join(folder, "sockets"), { mode: 0o700 });
      const dead = createServer();
      await new Promise<void>((resolve) => dead.listen(path, resolve));
      // A killed process leaves its file: this one is closed without node's tidying up.
      const left = `${path}.left`;
      const { linkSync, renameSync } = await import("node:fs");
      linkSync(path, left);
      await new Promise((resolve) => dead.close(resolve));
      renameSync(left, path);
      await serve();
      await expect(connect().say({ text: "Ada" })).resolves.toEqual({ text: "Ada" });
    });

    it("is not taken from a running server, whose calls continue", async () => {
      await serve();
      const { message } = await refusal(serve());
      expect(message).toBe(
        `Another Gatehouse is running on ${path}. Stop it, or set data-directory and socket-directory to others.`,
      );
      await expect(connect().say({ text: "Ada" })).resolves.toEqual({ text: "Ada" });
    });

    it("is refused where its path is too long for a socket, with exit code 78", async () => {
      const long = join(folder, "x".repeat(100), "edge.sock");
      const { message, exitCode } = await refusal(serve(undefined, long));
      expect(message).toBe(`The socket path ${long} is longer than 103 bytes. Set socket-directory to a shorter one.`);
      expect(exitCode).toBe(78);
    });

    it("is refused where no directory can be made", async () => {
      writeFileSync(join(folder, "sockets"), "a file where the directory should be");
      const { message } = await refusal(serve());
      expect(message).toBe(
        `The directory ${join(folder, "sockets")} cannot be used for sockets. Make it writable or set socket-directory.`,
      );
    });

    it("is refused where something else has its name", async () => {
      mkdirSync(join(folder, "sockets", "edge.sock"), { recursive: true, mode: 0o700 });
      const { message } = await refusal(serve());
      expect(message).toBe(`${path} is not a socket. Remove it, or set socket-directory to another directory.`);
    });

    it("is refused in a directory of another account, which is not taken for another Gatehouse", async () => {
      mkdirSync(join(folder, "sockets"), { mode: 0o700 });
      // Nobody at all may enter it, whoever runs the test: root becomes another account for a moment.
      chmodSync(join(folder, "sockets"), 0o000);
      const { message } = await asAnother(() => refusal(serve()));
      chmodSync(join(folder, "sockets"), 0o700);
      expect(message).toBe(
        `The socket ${path} cannot be made (EACCES). Let the account of this program own its directory, or set socket-directory to another.`,
      );
    });

    it("is refused in a directory that others can enter, whose mode stays unchanged: it may be /tmp", async () => {
      mkdirSync(join(folder, "sockets"));
      chmodSync(join(folder, "sockets"), 0o1777);
      const { message } = await refusal(serve());
      expect(message).toBe(
        `The directory ${join(folder, "sockets")} can be entered by others. Run: chmod 700 ${join(folder, "sockets")}, or set socket-directory to another.`,
      );
      expect(statSync(join(folder, "sockets")).mode & 0o7777).toBe(0o1777);
    });

    it("keeps its file when an earlier server ends after it started", async () => {
      const [entered, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const slow = await serve({
        say: async (request) => {
          entered.resolve();
          await leaving.promise;
          return request;
        },
      });
      const underWay = connect().say({ text: "slow" });
      await entered.promise;
      const stopping = slow.stop(20_000);
      await eventually(
        async () => existsSync(path),
        (isThere) => !isThere,
      );
      await serve();
      leaving.resolve();
      await stopping;
      await expect(underWay).resolves.toEqual({ text: "slow" });
      await expect(connect().say({ text: "Ada" })).resolves.toEqual({ text: "Ada" });
    });
  });

  describe("health (grpc.health.v1)", () => {
    const check = (service: string): Promise<string> => {
      const client = new Client(`unix:${path}`, credentials.createInsecure());
      return new Promise<string>((resolve, reject) => {
        const request =
          service === "" ? Buffer.alloc(0) : Buffer.concat([Buffer.of(10, service.length), Buffer.from(service)]);
        const same = (bytes: Buffer) => bytes;
        client.makeUnaryRequest("/grpc.health.v1.Health/Check", same, same, request, (error, reply) =>
          error ? reject(error) : resolve(["UNKNOWN", "SERVING", "NOT_SERVING"][reply?.[1] ?? 0] ?? ""),
        );
      }).finally(() => client.close());
    };

    it("is SERVING for the server and each of its services", async () => {
      await serve();
      expect([await check(""), await check("gatehouse.test.v1.Echo")]).toEqual(["SERVING", "SERVING"]);
    });

    it("is NOT_SERVING for the server and each of its services while it does not serve", async () => {
      const server = await serve();
      const both = async () => [await check(""), await check("gatehouse.test.v1.Echo")];
      server.serving(false);
      expect(await both()).toEqual(["NOT_SERVING", "NOT_SERVING"]);
      server.serving(true);
      expect(await both()).toEqual(["SERVING", "SERVING"]);
    });
  });

  describe("while it stops", () => {
    it("lets running calls finish", async () => {
      const [entered, leaving] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const server = await serve({
        say: async (request) => {
          entered.resolve();
          await leaving.promise;
          return request;
        },
      });
      const underWay = connect().say({ text: "Ada" });
      await entered.promise;
      const stopping = server.stop(20_000);
      leaving.resolve();
      await stopping;
      await expect(underWay).resolves.toEqual({ text: "Ada" });
    });

    it("answers calls that only wait at once, with what there is, and lets the others finish", async () => {
      const entered = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
      const leaving = Promise.withResolvers<void>();
      const server = await serve({
        async say({ text }, call) {
          const waits = text === "waits";
          // Asked for first, as by a method that looks whether its caller is still there.
          const isGone = () => call.signal.aborted;
          entered[waits ? 0 : 1]?.resolve();
          if (waits) await new Promise((resolve) => call.waiting.addEventListener("abort", resolve, { once: true }));
          else await leaving.promise;
          return { text: `${text}, ${isGone() ? "left" : "answered"}` };
        },
      });
      const { say } = connect();
      const [waits, works] = [say({ text: "waits" }, { deadlineMs: 20_000 }), say({ text: "works" })];
      await Promise.all(entered.map(({ promise }) => promise));
      const stopping = server.stop(20_000);
      await expect(waits).resolves.toEqual({ text: "waits, answered" });
      leaving.resolve();
      await stopping;
      await expect(works).resolves.toEqual({ text: "works, answered" });
    });

    it("ends hanging calls when the grace time is over (grpc/grpc-node#1458)", async () => {
      let entered = false;
      const server = await serve({
        say: () => {
          entered = true;
          return new Promise(() => undefined);
        },
      });
      const hanging = connect()
        .say({ text: "" }, { deadlineMs: 60_000 })
        .catch((error: unknown) => error);
      while (!entered) await sleep(5);
      await server.stop(100);
      await expect(hanging).resolves.toMatchObject({ name: "Failure" });
    });

    it("ends hanging streams when the grace time is over, and signals their methods", async () => {
      let given = false;
      const server = await serve({
        async *count(_, call) {
          yield { number: 1 };
          await new Promise<void>((resolve) => call.signal.addEventListener("abort", () => resolve()));
          given = true;
        },
      });
      const stream = connect().count({ upTo: 1 }, { deadlineMs: 60_000 })[Symbol.asyncIterator]();
      await stream.next();
      const rest = stream.next().catch((error: unknown) => error);
      await server.stop(100);
      await expect(rest).resolves.toMatchObject({ name: "Failure" });
      while (!given) await sleep(5);
      expect(given).toBe(true);
    });
  });

  describe("seen from its clients", () => {
    const unreachable = {
      code: "UNAVAILABLE",
      reason: "unavailable",
      message: "The service cannot be reached.",
      retryAfterSeconds: 2,
    };

    it("is UNAVAILABLE while no server listens, without naming the file", async () => {
      const { say } = connect();
      await expect(say({ text: "" })).rejects.toMatchObject(unreachable);
    });

    it("is found again after a restart", async () => {
      const { say } = connect();
      await expect(say({ text: "early" })).rejects.toMatchObject(unreachable);
      const first = await serve();
      const eventually = async (): Promise<unknown> => say({ text: "Ada" }).catch(() => sleep(50).then(eventually));
      await expect(eventually()).resolves.toEqual({ text: "Ada" });
      await first.stop(0);
      await expect(say({ text: "between" })).rejects.toMatchObject(unreachable);
      await serve();
      await expect(eventually()).resolves.toEqual({ text: "Ada" });
    });

    it("never starts a call whose caller gave up before it was read, as after a stop of the process (R-X185)", async () => {
      const begun: string[] = [];
      await serve({
        async say(request) {
          begun.push(request.text);
          return request;
        },
      });
      const { path: method, requestSerialize, responseDeserialize } = EchoService.say;
      const client = new Client(`unix:${path}`, credentials.createInsecure());
      const ask = (text: string, waitsMs: number) =>
        new Promise((resolve) => {
          const metadata = new Metadata();
          metadata.set(GIVEN_UP_AT, givenUpAt(waitsMs));
          client.makeUnaryRequest(method, requestSerialize, responseDeserialize, { text }, metadata, (error) =>
            resolve(error?.code ?? status.OK),
          );
        });
      const codes = [await ask("late", -1), await ask("in time", 60_000)];
      client.close();
      expect([codes, begun]).toEqual([[status.DEADLINE_EXCEEDED, status.OK], ["in time"]]);
    });

    it("sends the callee the caller's deadline", async () => {
      const until: number[] = [];
      await serve({
        async say(request, call) {
          until.push(call.deadlineAt);
          return request;
        },
      });
      await connect().say({ text: "" }, { deadlineMs: 86_400_000 });
      expect(until[0] ?? 0).toBeGreaterThan(Date.now() + 80_000_000);
    });

    it("refuses messages that are too large, either way, and continues", async () => {
      await serve({ say: async ({ text }) => ({ text: text === "large" ? "x".repeat(MESSAGE_BYTES_MAX + 1) : text }) });
      const { say } = connect();
      const tooLarge = {
        code: "RESOURCE_EXHAUSTED",
        reason: "message_too_large",
        message: "The message is too large.",
      };
      await expect(say({ text: "x".repeat(MESSAGE_BYTES_MAX + 1) })).rejects.toMatchObject(tooLarge);
      await expect(say({ text: "large" })).rejects.toMatchObject(tooLarge);
      await expect(say({ text: "Ada" })).resolves.toEqual({ text: "Ada" });
    });

    it("refuses many wrong fields by trailers that clients of every language take: Java and Python read 8 KiB (R-X207)", async () => {
      const wrong = Array.from({ length: 60 }, (_, index) => ({
        field: `units[${index}].description`,
        reason: "must not hold control characters",
      }));
      await serve({
        async say() {
          throw invalidArgument(wrong);
        },
      });
      const fields = Object.entries(await endOfCall());
      // As RFC 9113 §6.5.2 measures it.
      const size = fields.reduce((sum, [name, value]) => sum + name.length + String(value).length + 32, 0);
      const { "gatehouse-violations-bin": violations, "grpc-message": sentence } = Object.fromEntries(fields);
      const listed = JSON.parse(Buffer.from(String(violations), "base64").toString()) as readonly object[];
      expect(listed).toEqual(wrong.slice(0, listed.length));
      expect(decodeURIComponent(String(sentence))).toContain(`; and ${wrong.length - listed.length} more.`);
      expect(size).toBeLessThanOrEqual(8_192);
    });

    it("passes over metadata that is no text of gRPC, and shows it nowhere: it may be a secret (S50)", async () => {
      const shown = jest.spyOn(console, "error").mockImplementation(() => undefined);
      await serve();
      const { "grpc-status": code } = await endOfCall({ authorization: "Bearer geheimn\u00eds" });
      const lines = shown.mock.calls.map(String);
      shown.mockRestore();
      expect([code, lines]).toEqual(["0", []]);
    });

    it("carries messages larger than gRPC's usual 4 MB", async () => {
      await serve({ say: async ({ text }) => ({ text: String(text.length) }) });
      await expect(connect().say({ text: "x".repeat(8_000_000) })).resolves.toEqual({ text: "8000000" });
    });
  });
});
