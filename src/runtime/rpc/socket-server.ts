import type { EventEmitter } from "node:events";
import { chmod, lstat, mkdir, rm, stat } from "node:fs/promises";
import { dirname } from "node:path";
import {
  type ServiceDefinition as GrpcServiceDefinition,
  type handleClientStreamingCall,
  type handleServerStreamingCall,
  type handleUnaryCall,
  type Metadata,
  Server,
  ServerCredentials,
  type ServerReadableStream,
  type ServerUnaryCall,
  type ServerWritableStream,
  type sendUnaryData,
  type UntypedServiceImplementation,
} from "@grpc/grpc-js";
import { HealthImplementation } from "grpc-health-check";
import { CannotStart } from "../basis/errors.ts";
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
import { socketAnswers } from "./socket-health.ts";
import { GIVEN_UP_AT, leftOf, toReplyMetadata } from "./socket-metadata.ts";
import { toStatus } from "./status.ts";

/** The longest path that a Unix socket can have on every platform (Linux 107, macOS 103). */
const SOCKET_PATH_LENGTH_MAX = 103;

interface SocketServerOptions {
  readonly path: string;
  /** The kind of caller: one socket file each, since a Unix socket does not identify its caller (R-D4). */
  readonly peer: Peer;
  /** Only the services that this peer may call. */
  readonly registrations: readonly Registration[];
  readonly interceptors: readonly Interceptor[];
}

export interface SocketServer {
  /** What gRPC's health check says from now on. */
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
  const health = new HealthImplementation({
    "": "SERVING",
    ...Object.fromEntries(serviceNames(options.registrations)),
  });
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
  const serving = (isServing: boolean) => health.setStatus("", isServing ? "SERVING" : "NOT_SERVING");
  return {
    serving,
    async stop(graceMs) {
      serving(false);
      // tryShutdown may never call back (grpc/grpc-node#1458), hence the forced end.
      const drained = new Promise<void>((resolve) => server.tryShutdown(() => resolve()));
      // Behind the shutdown: whoever is answered now finds nobody to ask again.
      stopping.abort();
      const timer = Promise.withResolvers<void>();
      const timeout = setTimeout(timer.resolve, graceMs);
      await Promise.race([drained, timer.promise]);
      clearTimeout(timeout);
      // The file was removed with the listener, at the beginning; by now a successor may have created its own there.
      server.forceShutdown();
    },
  };
}

const serviceNames = (registrations: readonly Registration[]): [string, "SERVING"][] =>
  registrations.flatMap(({ definition }) => {
    const first = Object.values(definition)[0];
    return first === undefined ? [] : [[serviceOf(first.path), "SERVING"] as [string, "SERVING"]];
  });

async function takePath(path: string): Promise<void> {
  if (Buffer.byteLength(path) > SOCKET_PATH_LENGTH_MAX) {
    throw new CannotStart(
      `The socket path ${path} is longer than ${SOCKET_PATH_LENGTH_MAX} bytes. Set socket-directory to a shorter one.`,
      { exitCode: 78 },
    );
  }
  await takeDirectory(dirname(path));
  const former = await lstat(path).catch((cause: NodeJS.ErrnoException) => {
    if (cause.code === "ENOENT") return undefined;
    throw noSocket(path, cause);
  });
  if (former === undefined) return;
  if (!former.isSocket())
    throw new CannotStart(`${path} is not a socket. Remove it, or set socket-directory to another directory.`);
  if (await socketAnswers(path)) {
    throw new CannotStart(
      `Another Gatehouse is running on ${path}. Stop it, or set data-directory and socket-directory to others.`,
    );
  }
  await rm(path, { force: true }).catch((cause) => {
    throw noSocket(path, cause);
  });
}

/** The directory belongs to another account, or its disk takes no files. */
const noSocket = (path: string, cause: unknown): CannotStart =>
  new CannotStart(
    `The socket ${path} cannot be made (${(cause as NodeJS.ErrnoException).code ?? (cause as Error).message}). Let the account of this program own its directory, or set socket-directory to another.`,
    { cause },
  );

/** Makes the directory. An existing one keeps its mode, since another program may use it too, and must be private. */
async function takeDirectory(directory: string): Promise<void> {
  let mode: number;
  try {
    await mkdir(directory, { recursive: true, mode: 0o700 });
    ({ mode } = await stat(directory));
  } catch (cause) {
    throw new CannotStart(
      `The directory ${directory} cannot be used for sockets. Make it writable or set socket-directory.`,
      { cause },
    );
  }
  if ((mode & 0o077) !== 0) {
    throw new CannotStart(
      `The directory ${directory} can be entered by others. Run: chmod 700 ${directory}, or set socket-directory to another.`,
    );
  }
}

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
        if (call.cancelled) return received.answered();
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
  #waiting: AbortController | undefined;
  readonly #stopping: AbortSignal;
  readonly #endWaiting = (): void => this.#waiting?.abort(cancelled());
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
    this.#stopping.removeEventListener("abort", this.#endWaiting);
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
    if (this.#waiting === undefined) {
      this.#waiting = new AbortController();
      if (this.signal.aborted || this.#stopping.aborted) this.#endWaiting();
      this.signal.addEventListener("abort", this.#endWaiting, { once: true });
      this.#stopping.addEventListener("abort", this.#endWaiting, { once: true });
    }
    return this.#waiting.signal;
  }
}

const textOf = (metadata: Metadata): Record<string, string> =>
  Object.fromEntries(
    Object.entries(metadata.getMap()).filter((entry): entry is [string, string] => typeof entry[1] === "string"),
  );
