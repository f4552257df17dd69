import type { EventEmitter } from "node:events";
import { chmod } from "node:fs/promises";
import {
  type ServiceDefinition as GrpcServiceDefinition,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  logVerbosity,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  setLogVerbosity,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import {
  actorOf,
  type Call,
  cancelled,
  deadlineExceeded,
  type Interceptor,
  isPastDeadline,
  type MethodDefinition,
  type Peer,
  type Registration,
  type Stage,
  serviceOf,
} from "./call.ts";
import { mount } from "./in-process.ts";
import { guardMessages, readMessage } from "./readable-message.ts";
import { CHANNEL_OPTIONS } from "./socket-channel.ts";
import { GIVEN_UP_AT, leftOf, toReplyMetadata } from "./socket-metadata.ts";
import { noSocket, takePath } from "./socket-path.ts";
import { toStatus } from "./status.ts";

// grpc-js would write metadata that it cannot read to standard error, with the value, which the log has no field for (S50).
setLogVerbosity(logVerbosity.NONE);

interface SocketServerOptions {
  readonly path: string;
  /** The kind of caller: one socket file each, since a Unix socket does not identify its caller (R-D4). */
  readonly peer: Peer;
  /** Only the services that this peer may call. */
  readonly registrations: readonly Registration[];
  readonly interceptors: readonly Interceptor[];
}

export interface SocketServer {
  /** What gRPC's health check says from now on, of the server and of each of its services. */
  serving(isServing: boolean): void;
  /**
   * Says "not serving", ends what calls only wait for, lets them finish for at most `graceMs`, then ends the remaining
   * ones. The socket's file is removed at once.
   */
  stop(graceMs: number): Promise<void>;
}

/**
 * Serves one peer's services on a private Unix socket: directory 0700, file 0600, a stale file of a dead process removed.
 * @throws CannotStart when another process serves there, or the path is too long or not writable.
 */
export async function serveSocket(options: SocketServerOptions): Promise<SocketServer> {
  await takePath(options.path);
  const server = new Server(CHANNEL_OPTIONS);
  const stopping = new AbortController();
  const stages = mount(options.registrations.map(guardMessages), options.interceptors);
  for (const { definition } of options.registrations) {
    server.addService(readable(definition), handlers(definition, stages, options.peer, stopping.signal));
  }
  const watched = ["", ...serviceNames(options.registrations)];
  const health = new HealthImplementation(Object.fromEntries(watched.map((name) => [name, "SERVING"])));
  health.addToServer(server);
  try {
    await new Promise<void>((resolve, reject) =>
      server.bindAsync(`unix:${options.path}`, ServerCredentials.createInsecure(), (error) =>
        error ? reject(error) : resolve(),
      ),
    );
    await chmod(options.path, 0o600);
  } catch (cause) {
    throw noSocket(options.path, cause);
  }
  const serving = (isServing: boolean) => {
    for (const name of watched) health.setStatus(name, isServing ? "SERVING" : "NOT_SERVING");
  };
  return {
    serving,
    async stop(graceMs) {
      serving(false);
      // tryShutdown may never call back (grpc/grpc-node#1458), hence the forced end.
      const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      // After the shutdown has begun: a caller that is answered now finds no server to ask again.
      stopping.abort(cancelled());
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, graceMs);
      await Promise.race([drained, timer.promise]);
      clearTimeout(timeout);
      // The file was removed with the listener, at the beginning; by now a successor may have created its own there.
      server.forceShutdown();
    },
  };
}

const serviceNames = (registrations: readonly Registration[]): readonly string[] =>
  registrations.flatMap(({ definition }) => {
    const first = Object.values(definition)[0];
    return first === undefined ? [] : [serviceOf(first.path)];
  });

/**
 * The definition, changed so that the stages refuse unreadable messages: grpc-js would answer INTERNAL, without a log
 * line.
 */
const readable = (definition: Registration["definition"]): GrpcServiceDefinition =>
  Object.fromEntries(
    Object.entries(definition).map(([name, method]) => [name, { ...method, requestDeserialize: readMessage(method) }]),
  ) as unknown as GrpcServiceDefinition;

function handlers(
  definition: Registration["definition"],
  stages: Map<string, Stage>,
  peer: Peer,
  stopping: AbortSignal,
): UntypedServiceImplementation {
  const all: UntypedServiceImplementation = {};
  for (const [name, method] of Object.entries(definition)) {
    const stage = stages.get(method.path);
    if (stage !== undefined) all[name] = handler(method, stage, peer, stopping);
  }
  return all;
}

type AnyServerCall =
  | ServerUnaryCall<unknown, unknown>
  | ServerReadableStream<unknown, unknown>
  | ServerWritableStream<unknown, unknown>;

function handler(method: MethodDefinition, stage: Stage, peer: Peer, stopping: AbortSignal) {
  const input = (call: AnyServerCall) =>
    method.requestStream
      ? (call as unknown as AsyncIterable<unknown>)
      : (call as ServerUnaryCall<unknown, unknown>).request;
  if (!method.responseStream) {
    const unary = (call: AnyServerCall, callback: sendUnaryData<unknown>) => {
      const received = new SocketCall(method.path, peer, call, stopping);
      new Promise((resolve) => {
        if (isPastDeadline(received)) throw deadlineExceeded();
        resolve(stage(input(call), received));
      }).then(
        (reply) => {
          received.answered();
          received.deliver();
          callback(null, reply);
        },
        (error) => {
          received.answered();
          received.deliver();
          callback(toStatus(error));
        },
      );
    };
    return unary as handleUnaryCall<unknown, unknown> & handleClientStreamingCall<unknown, unknown>;
  }
  const streaming = async (call: ServerWritableStream<unknown, unknown>) => {
    const received = new SocketCall(method.path, peer, call, stopping);
    // Only one reply is made ahead, while the one before is being sent, however many the stream would buffer.
    let sent: Promise<void> | undefined;
    try {
      for await (const reply of stage(input(call), received) as AsyncIterable<unknown>) {
        await sent;
        if (call.cancelled) return;
        received.deliver();
        sent = written(call, reply);
      }
      received.answered();
      received.deliver();
      call.end();
    } catch (error) {
      received.answered();
      received.deliver();
      call.emit("error", toStatus(error));
    }
  };
  return streaming as handleServerStreamingCall<unknown, unknown>;
}

/** Resolves when flow control has let the reply be sent, or when the caller no longer waits. */
const written = (call: ServerWritableStream<unknown, unknown>, reply: unknown): Promise<void> =>
  new Promise((resolve) => {
    const done = () => {
      call.off("cancelled", done);
      resolve();
    };
    call.on("cancelled", done);
    call.write(reply, done);
  });

/** A call that came over a socket. */
class SocketCall implements Call {
  readonly path: string;
  readonly peer: Peer;
  readonly deadlineAt: number;
  readonly requestId: string;
  readonly #call: AnyServerCall;
  #metadata: Readonly<Record<string, string>> | undefined;
  #replyMetadata: Readonly<Record<string, string>> | undefined;
  #controller: AbortController | undefined;
  #waiting: AbortSignal | undefined;
  readonly #stopping: AbortSignal;
  #answered = false;

  constructor(path: string, peer: Peer, call: AnyServerCall, stopping: AbortSignal) {
    this.path = path;
    this.peer = peer;
    this.#call = call;
    this.#stopping = stopping;
    const deadline = call.getDeadline();
    const received = deadline instanceof Date ? deadline.getTime() : deadline;
    const leftMs = leftOf(call.metadata.get(GIVEN_UP_AT)[0]);
    this.deadlineAt = leftMs === undefined ? received : Math.min(received, Date.now() + leftMs);
    this.requestId = String(call.metadata.get("x-request-id")[0] ?? "");
  }

  /** Marks the call as over; grpc-js emits "cancelled" for every call that ends. */
  answered(): void {
    this.#answered = true;
  }

  reply(metadata: Readonly<Record<string, string>>): void {
    this.#replyMetadata = { ...this.#replyMetadata, ...metadata };
  }

  /** Sends the method's metadata before the first reply; once. */
  deliver(): void {
    const values = this.#replyMetadata;
    this.#replyMetadata = undefined;
    if (values !== undefined) this.#call.sendMetadata(toReplyMetadata(values));
  }

  get actor(): string {
    return actorOf(this.peer, this.metadata);
  }

  get metadata(): Readonly<Record<string, string>> {
    this.#metadata ??= textOf(this.#call.metadata);
    return this.#metadata;
  }

  get signal(): AbortSignal {
    if (this.#controller === undefined) {
      const controller = new AbortController();
      if (this.#call.cancelled) controller.abort(cancelled());
      (this.#call as EventEmitter).on("cancelled", () => {
        if (!this.#answered) controller.abort(cancelled());
      });
      this.#controller = controller;
    }
    return this.#controller.signal;
  }

  get waiting(): AbortSignal {
    this.#waiting ??= AbortSignal.any([this.signal, this.#stopping]);
    return this.#waiting;
  }
}

const textOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata.getMap()).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
