import { Failure } from "../basis/errors.ts";
import { isInsideChange } from "../basis/inside-change.ts";
import { traceIdOf } from "../process/trace.ts";

/** One method as the generated service definitions describe it. */
export interface MethodDefinition {
  readonly path: string;
  readonly requestStream: boolean;
  readonly responseStream: boolean;
  readonly requestSerialize: (value: never) => Buffer;
  readonly requestDeserialize: (bytes: Buffer) => unknown;
  readonly responseSerialize: (value: never) => Buffer;
  readonly responseDeserialize: (bytes: Buffer) => unknown;
}

/** A generated service definition, for example `GatewayService`. */
export type ServiceDefinition = { readonly [method: string]: MethodDefinition };

type RequestOf<M> = M extends { requestSerialize: (value: infer T) => Buffer } ? T : never;
type ResponseOf<M> = M extends { responseSerialize: (value: infer T) => Buffer } ? T : never;
type In<M> = M extends { requestStream: true } ? AsyncIterable<RequestOf<M>> : RequestOf<M>;
type Out<M> = M extends { responseStream: true } ? AsyncIterable<ResponseOf<M>> : Promise<ResponseOf<M>>;

/**
 * How a service is called, whatever carries the call. Derived from the generated definition; the generated client class would leak
 * `close`, `getChannel` and more.
 */
export type PromiseClient<S extends ServiceDefinition> = {
  readonly [K in keyof S]: (request: In<S[K]>, options?: CallOptions) => Out<S[K]>;
};

/** The methods of a service: the same shape, with the call instead of options. */
export type Implementation<S extends ServiceDefinition, C = Call> = {
  readonly [K in keyof S]: (request: In<S[K]>, call: C) => Out<S[K]>;
};

/** Which of our processes, or of our users' programs, calls; set by the transport, never by the request (R-D4). */
export const PEERS = ["edge", "worker", "operator", "platform", "services"] as const;

export type Peer = (typeof PEERS)[number];

export interface CallOptions {
  /** Lower-case ASCII names. */
  readonly metadata?: Readonly<Record<string, string>>;
  /**
   * Without one: 5 seconds. Where the answer is a stream, for each reply, from when the caller asks for it: how long the caller itself takes
   * in between does not count (R-X60).
   */
  readonly deadlineMs?: number;
  readonly requestId?: string;
  /** Aborting cancels the call on both sides. */
  readonly signal?: AbortSignal;
  /**
   * Receives the metadata that the method sent beside its answer; called before the answer, first reply or failure, and
   * only when there is metadata.
   */
  readonly onMetadata?: (metadata: Readonly<Record<string, string>>) => void;
}

/** A call as the called side sees it. */
export interface Call {
  /** For example `/gatehouse.workforce.v1.Gateway/ListWorkers`. */
  readonly path: string;
  readonly peer: Peer;
  /** Who the audit log says did it: the peer, with the account that the command line names, if any (R-X198). */
  readonly actor: string;
  readonly metadata: Readonly<Record<string, string>>;
  /** Unix milliseconds; infinite where the answer is a stream. */
  readonly deadlineAt: number;
  /** Names the request in the logs of every process; empty when the caller gave none. */
  readonly requestId: string;
  /** Aborted when the caller gives up or the deadline passes. */
  readonly signal: AbortSignal;
  /**
   * For a method that waits until there is something to answer, or that may take longer than a stop: aborted with the
   * signal, and when the server stops, so that the method answers with what there is.
   */
  readonly waiting: AbortSignal;
  /**
   * Sends the caller metadata beside the answer. It is sent as initial metadata, before the answer, first reply or
   * failure. Lower-case ASCII names, ASCII values. A repeated name replaces the earlier value; metadata after the first
   * reply is lost.
   */
  reply(metadata: Readonly<Record<string, string>>): void;
}

/** What a line of the log says of the call that it is about (R-X65). */
export const factsOfCall = ({ requestId, metadata, peer, path }: Call) => ({
  requestId: requestId || undefined,
  traceId: traceIdOf(metadata.traceparent),
  peer,
  call: path,
});

/** The name of the metadata by which the command line says under which account of its machine it runs. */
export const ACCOUNT_METADATA = "operator-account";

/** Only operators and the platform say an account; letters, digits and `._@-` of it are kept, at most 64. */
export function actorOf(peer: Peer, metadata: Readonly<Record<string, string>>): string {
  const account = metadata[ACCOUNT_METADATA] ?? "";
  const isSaid = (peer === "operator" || peer === "platform") && /^[\w.@-]{1,64}$/.test(account);
  return isSaid ? `${peer}:${account}` : peer;
}

/** One service with the object that implements it, ready to be served by any carrier. */
export interface Registration {
  readonly definition: ServiceDefinition;
  /** By method name; unary ones return a promise, streaming ones an async iterable. */
  readonly methods: Readonly<Record<string, Stage>>;
}

/** Executes a call: returns a promise, or an async iterable for a streaming answer. */
export type Stage = (request: unknown, call: Call) => unknown;

/** Wraps a stage; composed once per method when a service is mounted. */
export type Interceptor = (next: Stage, method: MethodDefinition) => Stage;

export const through = (interceptors: readonly Interceptor[], last: Stage, method: MethodDefinition): Stage =>
  interceptors.reduceRight<Stage>((next, interceptor) => interceptor(next, method), last);

/** Binds an implementation to its definition; a missing, extra or mistyped method does not compile. */
export function registration<S extends ServiceDefinition>(
  definition: S,
  implementation: Implementation<S>,
): Registration {
  return { definition, methods: implementation as unknown as Record<string, Stage> };
}

/** `/package.Service/Method` → `package.Service`. */
export const serviceOf = (path: string): string => path.slice(1, path.indexOf("/", 1));

export const DEFAULT_DEADLINE_MS = 5_000;

/**
 * True when the caller has given up, for example while this process was stopped. The caller may have retried elsewhere,
 * so a result that exists already proves nothing about this call.
 */
export const isPastDeadline = ({ deadlineAt }: Pick<Call, "deadlineAt">): boolean => Date.now() > deadlineAt;

/** Something that carries calls to the services of one other role. */
export interface Carrier {
  connect<S extends ServiceDefinition>(definition: S): PromiseClient<S>;
  close(): Promise<void>;
}

/** Refuses a call to another domain while a change's transaction is open: it could wait forever for the same writer. */
export function assertOutsideChange(path: string): void {
  if (isInsideChange()) {
    throw new Failure("INTERNAL", "call_inside_change", "Internal error", {
      detail: `${path} was called inside a change`,
    });
  }
}

export const deadlineExceeded = () =>
  new Failure("DEADLINE_EXCEEDED", "deadline_exceeded", "The call took too long.", { retryAfterSeconds: 2 });

export const cancelled = () => new Failure("CANCELLED", "cancelled", "The call was cancelled.");

export const unimplemented = (path: string) =>
  new Failure("UNIMPLEMENTED", "unimplemented", "The method is not offered here.", { detail: path });
