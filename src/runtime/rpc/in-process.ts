import { AsyncLocalStorage } from "node:async_hooks";
import { publicFailure } from "../basis/errors.ts";
import {
  actorOf,
  assertOutsideChange,
  type Call,
  type CallOptions,
  type Carrier,
  cancelled,
  DEFAULT_DEADLINE_MS,
  deadlineExceeded,
  type Interceptor,
  type MethodDefinition,
  type Peer,
  type PromiseClient,
  type Registration,
  type ServiceDefinition,
  type Stage,
  through,
  unimplemented,
} from "./call.ts";

/**
 * Taken when the module loads, so that a caller's async context (its open change, its traces) does not reach the called
 * side.
 */
const outside = AsyncLocalStorage.snapshot();

export interface InProcessOptions {
  /** The peer that calls through this carrier (R-D4). */
  readonly peer: Peer;
  readonly registrations: readonly Registration[];
  /** The same chain of interceptors that the sockets use. */
  readonly interceptors: readonly Interceptor[];
  /**
   * How messages are passed: unchanged; deep-frozen, so that tests detect a change of a shared message; or encoded and
   * decoded.
   */
  readonly hand?: "over" | "frozen" | "encoded";
}

/**
 * gRPC's in-process transport, as other languages have it: the same definitions, metadata, deadlines, status and
 * streams as over a socket, without serialisation.
 */
export function inProcessCarrier(options: InProcessOptions): Carrier {
  const stages = mount(options.registrations, options.interceptors);
  const hand = options.hand ?? "over";
  return {
    connect<S extends ServiceDefinition>(definition: S): PromiseClient<S> {
      const client: Record<string, unknown> = {};
      for (const [name, method] of Object.entries(definition)) {
        const target = stages.get(method.path) ?? refuse(method.path);
        client[name] = method.responseStream
          ? streamed(method, target, options.peer, hand)
          : unary(method, target, options.peer, hand);
      }
      return client as PromiseClient<S>;
    },
    async close() {},
  };
}

/** Method path → interceptors and implementation, composed once. */
export function mount(
  registrations: readonly Registration[],
  interceptors: readonly Interceptor[],
): Map<string, Stage> {
  const stages = new Map<string, Stage>();
  for (const { definition, methods } of registrations) {
    for (const [name, method] of Object.entries(definition)) {
      const stage = methods[name];
      if (stage !== undefined) stages.set(method.path, through(interceptors, stage, method));
    }
  }
  return stages;
}

const refuse = (path: string): Stage => {
  return () => {
    throw unimplemented(path);
  };
};

/** The call of one request; its abort signal is made only when a method asks for it. */
class InProcessCall implements Call {
  readonly path: string;
  readonly peer: Peer;
  readonly deadlineAt: number;
  readonly requestId: string;
  readonly #options: CallOptions;
  #metadata: CallOptions["metadata"];
  #onMetadata: CallOptions["onMetadata"];
  #replyMetadata: Readonly<Record<string, string>> | undefined;
  #controller: AbortController | undefined;
  #ended: Error | undefined;

  constructor(path: string, peer: Peer, deadlineAt: number, options: CallOptions) {
    this.path = path;
    this.peer = peer;
    this.deadlineAt = deadlineAt;
    this.requestId = options.requestId ?? "";
    this.#options = options;
    this.#onMetadata = options.onMetadata;
  }

  /** Most methods never read it, and some callers make it only then. */
  get metadata(): Readonly<Record<string, string>> {
    this.#metadata ??= this.#options.metadata ?? {};
    return this.#metadata;
  }

  get actor(): string {
    return actorOf(this.peer, this.metadata);
  }

  reply(metadata: Readonly<Record<string, string>>): void {
    this.#replyMetadata = { ...this.#replyMetadata, ...metadata };
  }

  /** Passes the method's metadata to the caller before the first reply; once. */
  deliver(): void {
    const onMetadata = this.#onMetadata;
    this.#onMetadata = undefined;
    if (this.#replyMetadata !== undefined && this.#ended === undefined) onMetadata?.(this.#replyMetadata);
  }

  get signal(): AbortSignal {
    this.#controller ??= new AbortController();
    if (this.#ended) this.#controller.abort(this.#ended);
    return this.#controller.signal;
  }

  /** Both sides are of one process: what calls ends before what is called. */
  get waiting(): AbortSignal {
    return this.signal;
  }

  /** Aborts the called side's signal: the caller no longer waits. */
  end(reason: Error): void {
    this.#ended = reason;
    this.#controller?.abort(reason);
  }
}

/** Calls `onAbort` when the caller aborts; the returned function must be called when the call is over. */
function watch({ signal }: CallOptions, onAbort: () => void): () => void {
  if (signal === undefined) return () => undefined;
  signal.addEventListener("abort", onAbort, { once: true });
  return () => signal.removeEventListener("abort", onAbort);
}

type Hand = "over" | "frozen" | "encoded";

type Failed = (error: unknown) => void;

function sender(method: MethodDefinition, hand: Hand): (request: unknown, failed: Failed) => unknown {
  const one = transfer(hand, method.requestSerialize, method.requestDeserialize);
  return method.requestStream
    ? (requests, failed) => mapped(reported(requests as AsyncIterable<unknown>, failed), one)
    : one;
}

function transfer(hand: Hand, encode: (value: never) => Buffer, decode: (bytes: Buffer) => unknown) {
  if (hand === "encoded") return (value: unknown) => decode(encode(value as never));
  return hand === "frozen" ? deepFreeze : (value: unknown) => value;
}

/** A caller that fails while making its requests gets its own error; the called side sees it as cancelled. */
async function* reported(values: AsyncIterable<unknown>, failed: Failed): AsyncIterable<unknown> {
  try {
    yield* values;
  } catch (error) {
    failed(error);
    throw cancelled();
  }
}

async function* mapped(values: AsyncIterable<unknown>, one: (value: unknown) => unknown): AsyncIterable<unknown> {
  for await (const value of values) yield one(value);
}

function unary(method: MethodDefinition, target: Stage, peer: Peer, hand: Hand) {
  const send = sender(method, hand);
  const back = transfer(hand, method.responseSerialize, method.responseDeserialize);
  return (request: unknown, options: CallOptions = {}) =>
    new Promise<unknown>((resolve, reject) => {
      assertOutsideChange(method.path);
      if (options.signal?.aborted) throw cancelled();
      const deadlineMs = options.deadlineMs ?? DEFAULT_DEADLINE_MS;
      const call = new InProcessCall(method.path, peer, Date.now() + deadlineMs, options);
      const end = (failure: Error) => {
        call.end(failure);
        reject(failure);
      };
      const timer = setTimeout(() => end(deadlineExceeded()), deadlineMs);
      const unwatch = watch(options, () => end(cancelled()));
      const stop = () => {
        clearTimeout(timer);
        unwatch();
      };
      const failed = (error: unknown) => {
        call.end(cancelled());
        reject(error);
      };
      outside(async () => back(await target(send(request, failed), call))).then(
        (reply) => {
          stop();
          call.deliver();
          resolve(reply);
        },
        (error) => {
          stop();
          call.deliver();
          reject(publicFailure(error));
        },
      );
    });
}

function streamed(method: MethodDefinition, target: Stage, peer: Peer, hand: Hand) {
  const send = sender(method, hand);
  const back = transfer(hand, method.responseSerialize, method.responseDeserialize);
  return async function* (request: unknown, options: CallOptions = {}): AsyncIterable<unknown> {
    assertOutsideChange(method.path);
    if (options.signal?.aborted) throw cancelled();
    const call = new InProcessCall(method.path, peer, Number.POSITIVE_INFINITY, options);
    // No race against one shared promise: it would retain every reply until the stream ends.
    let ended: unknown;
    let stopWaiting: Failed = () => undefined;
    const failed: Failed = (error) => {
      ended ??= error;
      stopWaiting(error);
    };
    const end = (failure: Error) => {
      call.end(failure);
      failed(failure);
    };
    const unwatch = watch(options, () => end(cancelled()));
    let replies: AsyncIterator<unknown> | undefined;
    try {
      const source = outside(() => answering(target(send(request, failed), call)));
      replies = source;
      while (true) {
        const timer = setTimeout(() => end(deadlineExceeded()), options.deadlineMs ?? DEFAULT_DEADLINE_MS);
        const step = await new Promise<IteratorResult<unknown>>((resolve, reject) => {
          stopWaiting = reject;
          outside(() => source.next()).then(resolve, reject);
          if (ended !== undefined) reject(ended);
        }).finally(() => clearTimeout(timer));
        call.deliver();
        if (step.done) {
          replies = undefined;
          return;
        }
        yield back(step.value);
      }
    } catch (error) {
      call.deliver();
      throw publicFailure(error);
    } finally {
      unwatch();
      if (replies !== undefined) abandon(replies, call);
    }
  };
}

const answering = (replies: unknown) => (replies as AsyncIterable<unknown>)[Symbol.asyncIterator]();

/**
 * Ends a stream that is not read to its end. Not awaited: a stream that waits for its signal ends by it, and a hanging
 * one must not block the caller.
 */
function abandon(replies: AsyncIterator<unknown>, call: InProcessCall): void {
  call.end(cancelled());
  void Promise.resolve(replies.return?.()).catch(() => undefined);
}

function deepFreeze<T>(value: T): T {
  if (typeof value !== "object" || value === null || Object.isFrozen(value)) return value;
  // Typed arrays cannot be frozen; Dates have no properties to protect.
  if (ArrayBuffer.isView(value) || value instanceof Date) return value;
  for (const part of Object.values(value)) deepFreeze(part);
  return Object.freeze(value);
}
