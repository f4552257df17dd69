import type { EventEmitter } from "node:events";
import {
  Client,
  type ClientWritableStream,
  credentials,
  type CallOptions as GrpcCallOptions,
  InterceptingCall,
  type Interceptor,
  Metadata,
} from "@grpc/grpc-js";
import {
  assertOutsideChange,
  type CallOptions,
  type Carrier,
  cancelled,
  DEFAULT_DEADLINE_MS,
  deadlineExceeded,
  type MethodDefinition,
  type PromiseClient,
  type ServiceDefinition,
} from "./call.ts";
import { CHANNEL_OPTIONS } from "./socket-channel.ts";
import { GIVEN_UP_AT, givenUpAt, parseReplyMetadata } from "./socket-metadata.ts";
import { toFailure } from "./status.ts";

/** Calls the services that one Unix socket offers. Connects at the first call and again after the other side restarted. */
export function socketCarrier(path: string): Carrier {
  const client = new Client(`unix:${path}`, credentials.createInsecure(), {
    ...CHANNEL_OPTIONS,
    // A restarted server should be found within a second, not after the default back-off of up to two minutes.
    "grpc.initial_reconnect_backoff_ms": 100,
    "grpc.max_reconnect_backoff_ms": 1_000,
  });
  return {
    connect<S extends ServiceDefinition>(definition: S): PromiseClient<S> {
      const methods: Record<string, unknown> = {};
      for (const [name, method] of Object.entries(definition)) methods[name] = caller(client, method);
      return methods as PromiseClient<S>;
    },
    async close() {
      client.close();
    },
  };
}

/** Unary, server-streaming and client-streaming methods; nothing of ours streams both ways. */
function caller(client: Client, method: MethodDefinition) {
  if (method.responseStream)
    return (request: unknown, options: CallOptions = {}) => readStream(client, method, request, options);
  return method.requestStream
    ? (requests: AsyncIterable<unknown>, options: CallOptions = {}) => sendStream(client, method, requests, options)
    : (request: unknown, options: CallOptions = {}) => unary(client, method, request, options);
}

const encoder = (method: MethodDefinition) => method.requestSerialize as (value: unknown) => Buffer;

const deadlineOf = ({ deadlineMs = DEFAULT_DEADLINE_MS }: CallOptions) => ({ deadline: Date.now() + deadlineMs });

/**
 * gRPC sends the remaining time, which the callee counts from the arrival; a callee that was stopped must know when its
 * caller gave up.
 */
function prepareUntil(path: string, options: CallOptions): [Metadata, ReturnType<typeof deadlineOf>] {
  const metadata = prepare(path, options);
  metadata.set(GIVEN_UP_AT, givenUpAt(options.deadlineMs ?? DEFAULT_DEADLINE_MS));
  return [metadata, deadlineOf(options)];
}

function prepare(path: string, options: CallOptions): Metadata {
  assertOutsideChange(path);
  const metadata = new Metadata();
  for (const [name, value] of Object.entries(options.metadata ?? {})) metadata.set(name, value);
  if (options.requestId !== undefined) metadata.set("x-request-id", options.requestId);
  return metadata;
}

/** Cancels the gRPC call when the caller aborts; returns a function that undoes that. */
function bindAbort(call: { cancel(): void }, signal: AbortSignal | undefined): () => void {
  if (signal === undefined) return () => {};
  const onAbort = () => call.cancel();
  if (signal.aborted) onAbort();
  signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}

/** Passes the method's reply metadata to the caller; its event precedes the answer's. */
function bindMetadata(call: EventEmitter, onMetadata: CallOptions["onMetadata"]): void {
  if (onMetadata === undefined) return;
  call.once("metadata", (metadata: Metadata) => {
    const values = parseReplyMetadata(metadata);
    if (values !== undefined) onMetadata(values);
  });
}

async function unary(
  client: Client,
  method: MethodDefinition,
  request: unknown,
  options: CallOptions,
): Promise<unknown> {
  const [metadata, until] = prepareUntil(method.path, options);
  if (options.signal?.aborted) throw cancelled();
  return new Promise((resolve, reject) => {
    const call = client.makeUnaryRequest(
      method.path,
      encoder(method),
      method.responseDeserialize,
      request,
      metadata,
      until,
      (error, reply) => {
        unbind();
        if (error) reject(toFailure(error));
        else resolve(reply);
      },
    );
    const unbind = bindAbort(call, options.signal);
    bindMetadata(call, options.onMetadata);
  });
}

async function sendStream(
  client: Client,
  method: MethodDefinition,
  requests: AsyncIterable<unknown>,
  options: CallOptions,
): Promise<unknown> {
  const [metadata, until] = prepareUntil(method.path, options);
  const answer = Promise.withResolvers<unknown>();
  const call: ClientWritableStream<unknown> = client.makeClientStreamRequest(
    method.path,
    encoder(method),
    method.responseDeserialize,
    metadata,
    until,
    (error, reply) => (error ? answer.reject(toFailure(error)) : answer.resolve(reply)),
  );
  const unbind = bindAbort(call, options.signal);
  bindMetadata(call, options.onMetadata);
  // An answer, or the end of the call, ends the sending too, even while the next request is still being made.
  let over = false;
  let stopWaiting = () => {};
  const end = () => {
    over = true;
    stopWaiting();
  };
  answer.promise.then(end, end);
  // No race against one shared promise: it would retain every request until the call ends.
  const unlessOver = <T>(waiting: Promise<T>) =>
    new Promise<T | undefined>((resolve, reject) => {
      stopWaiting = () => resolve(undefined);
      waiting.then(resolve, reject);
      if (over) resolve(undefined);
    });
  const source = requests[Symbol.asyncIterator]();
  try {
    while (true) {
      const step = await unlessOver(source.next());
      if (step === undefined || step.done) break;
      if (!call.write(step.value)) await unlessOver(new Promise((resolve) => call.once("drain", resolve)));
    }
    call.end();
    return await answer.promise;
  } catch (error) {
    call.cancel();
    throw error;
  } finally {
    unbind();
    void Promise.resolve(source.return?.()).catch(() => undefined);
  }
}

async function* readStream(
  client: Client,
  method: MethodDefinition,
  request: unknown,
  options: CallOptions,
): AsyncIterable<unknown> {
  const metadata = prepare(method.path, options);
  const pace = pacing();
  // No deadline for the whole: a stream takes as long as its reader does.
  const callOptions: GrpcCallOptions = { interceptors: [pace.interceptor] };
  const call = client.makeServerStreamRequest(
    method.path,
    encoder(method),
    method.responseDeserialize,
    request,
    metadata,
    callOptions,
  );
  const unbind = bindAbort(call, options.signal);
  bindMetadata(call, options.onMetadata);
  const replies = call[Symbol.asyncIterator]();
  let late = false;
  const giveUp = () => {
    late = true;
    call.cancel();
  };
  try {
    while (true) {
      const timer = setTimeout(giveUp, options.deadlineMs ?? DEFAULT_DEADLINE_MS);
      pace.ask();
      const step = await replies.next().finally(() => clearTimeout(timer));
      if (step.done) return;
      yield step.value;
    }
  } catch (error) {
    throw late ? deadlineExceeded() : toFailure(error);
  } finally {
    unbind();
    call.cancel();
  }
}

/** Requests a reply from the other side only when the reader wants one; grpc-js would otherwise buffer sixteen. */
class PacedCall extends InterceptingCall {
  #asked = false;
  #wanted = false;

  override startRead(): void {
    if (this.#asked) {
      this.#asked = false;
      super.startRead();
    } else this.#wanted = true;
  }

  ask(): void {
    if (this.#wanted) {
      this.#wanted = false;
      super.startRead();
    } else this.#asked = true;
  }
}

/** Paces one call: an interceptor for its options, and the function that its reader calls before each reply. */
function pacing(): { readonly interceptor: Interceptor; ask(): void } {
  let call: PacedCall | undefined;
  return {
    interceptor(options, next) {
      call = new PacedCall(next(options));
      return call;
    },
    ask: () => call?.ask(),
  };
}
