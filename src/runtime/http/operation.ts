import type { TraceMetadata } from "../process/trace.ts";

/** One part of a request that the contract refuses: where, which, why. */
export interface InvalidPart {
  readonly in: "path" | "query" | "header" | "body";
  /** Parameter name, or JSON pointer into the body. */
  readonly name: string;
  readonly detail: string;
}

/** The parts of a request that every operation gets, valid or not. */
export interface EdgeRequest {
  readonly operationId: string;
  /** Names the request in logs, problems and the x-request-id header. */
  readonly requestId: string;
  /** Sent as metadata with every call that the request makes. */
  readonly trace: TraceMetadata;
  /** The network address that it came from; see `remoteAddressOf`. */
  readonly remoteAddress: string;
  /** The path without the query, as sent. */
  readonly path: string;
  /** The query as sent, without the question mark. */
  readonly rawQuery: string;
  /** The form as sent, for operations that check their parameters themselves; empty without one. */
  readonly rawForm: string;
  /** By lower-case name; a repeated header is joined or an array, as node:http gives it. */
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** How often a header occurs in the request; node:http hides some repeats. */
  countOf(header: string): number;
  /** Aborted when the client leaves before its answer; for operations that wait for long. */
  untilLeft(): AbortSignal;
  /** Aborted by that, and when the server stops; for operations that only wait, and that are asked again. */
  waiting(): AbortSignal;
}

/** A request that breaks the contract. */
export interface BrokenRequest extends EdgeRequest {
  /** The parsed body; `undefined` when it is absent or cannot be parsed. */
  readonly body: unknown;
}

// The shapes that openapi-typescript gives to an operation.
interface OperationShape {
  readonly parameters: { readonly query?: unknown; readonly header?: unknown; readonly path?: unknown };
  readonly requestBody?: unknown;
  readonly responses: object;
}

type PresentPart<T> = [T] extends [undefined] ? Record<string, never> : Exclude<T, undefined>;
type BodyOf<Op> = Op extends { requestBody: { content: infer C } }
  ? C[keyof C]
  : Op extends { requestBody?: infer B }
    ? OptionalBody<Exclude<B, undefined>>
    : undefined;
/** The body of an operation where it is optional; `never` where there is none. */
type OptionalBody<B> = [B] extends [never]
  ? undefined
  : B extends { content: infer C }
    ? C[keyof C] | undefined
    : undefined;

/** A request that keeps the contract, with the types of the contract. */
export interface ValidRequest<Op extends OperationShape> extends EdgeRequest {
  readonly params: PresentPart<Op["parameters"]["path"]>;
  readonly query: PresentPart<Op["parameters"]["query"]>;
  readonly body: BodyOf<Op>;
}

/** Declared headers by lower-case name, as operations write them. */
type Declared<H> = { [K in keyof H as string extends K ? never : Lowercase<K & string>]: H[K] };
/**
 * Operations need not set the headers that are set elsewhere: x-request-id and content-encoding by the edge,
 * content-language by the choice of a page's language.
 */
type HeadersOf<R> = R extends { headers: infer H }
  ? Omit<Declared<H>, "x-request-id" | "content-encoding" | "content-language">
  : Record<never, never>;
type WithHeaders<H> =
  Record<never, never> extends H ? { readonly headers?: H & ExtraHeaders } : { readonly headers: H & ExtraHeaders };
type ExtraHeaders = Readonly<Record<string, string | readonly string[]>>;

type WithBody<R> = R extends { content: infer C }
  ? {
      [M in keyof C]: M extends "application/json"
        ? { readonly type?: M; readonly body: C[M] }
        : { readonly type: M; readonly body: C[M] };
    }[keyof C]
  : { readonly type?: never; readonly body?: never };

/** The answers that the contract allows an operation: status, media type, body and required headers belong together. */
export type Reply<Op extends OperationShape> = {
  [S in keyof Op["responses"]]: { readonly status: S } & WithHeaders<HeadersOf<Op["responses"][S]>> &
    WithBody<Op["responses"][S]>;
}[keyof Op["responses"]];

/** A body that is made while it is sent: each part is made when the one before it is being sent. */
export interface Chunks extends AsyncIterable<string | Uint8Array> {
  /** Must be called if the body is not read to its end, even if none of it was read. */
  discard(): void;
}

/** A refusal that the edge decides by itself: the check that refused, and the error code and sentence of the answer. */
export interface EdgeRefusal {
  readonly check: string;
  /** Like the sentence, empty where the answer is a page. */
  readonly error: string;
  readonly sentence: string;
}

/** Any answer, for code that is common to all operations. */
export interface AnyReply {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string | readonly string[]>>;
  /** Without one: application/json. */
  readonly type?: string;
  /** Bytes and texts are sent as they are, anything else as JSON. */
  readonly body?: unknown;
  /**
   * In place of `body`, for one that is too long for memory. When it fails or the client stops reading, the connection
   * is closed.
   */
  readonly chunks?: Chunks;
  /** Never sent: for the operation's area, which writes it down. */
  readonly refused?: EdgeRefusal;
  /** Never sent: the public id of who asked, once it is proven, for the log (R-X432). */
  readonly caller?: string | undefined;
}

/** The edge's implementation of one operation of a contract. */
export interface Operation<Op extends OperationShape> {
  /** Answers a request that keeps the contract. */
  handle(request: ValidRequest<Op>): Promise<Reply<Op>>;
  /** Answers a request that breaks the contract: the contract's own 400, or a refusal that must come before it. */
  invalid(request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply>;
  /**
   * True where the operation reads and checks its parameters itself, from `rawQuery` and `rawForm`, since mistakes must be
   * answered by a redirect or a page.
   */
  readonly unchecked?: boolean;
}

/** One operation for each operationId: a missing one does not compile. */
export type Operations<Ops> = { readonly [K in keyof Ops]: Ops[K] extends OperationShape ? Operation<Ops[K]> : never };

/** An operation without its types, as the routes see it. */
export interface AnyOperation {
  handle(request: never): Promise<AnyReply>;
  invalid(request: BrokenRequest, parts: readonly InvalidPart[]): Promise<AnyReply>;
  readonly unchecked?: boolean;
}

/** Why a request was refused before an operation was chosen (R-D7). */
export type UnroutedCode =
  | "invalid_request"
  | "not_found"
  | "method_not_allowed"
  | "request_timeout"
  | "payload_too_large"
  | "unsupported_media_type"
  | "headers_too_large"
  | "internal_error";

/** The parts of a request that decide the form and the words of its unrouted answer (R-X208, R-X18, R-X23). */
export interface UnroutedRequest {
  readonly method: string;
  /** The header as sent. */
  readonly accept: string | undefined;
  /** The header as sent. */
  readonly acceptLanguage: string | undefined;
  /** As sent, without the question mark; empty when there is none. */
  readonly rawQuery: string;
  /** The path without its last slash; `undefined` unless it ends with one and an operation is there without it. */
  readonly withoutSlash: string | undefined;
  /** True when the path cannot be decoded, so that nothing can be there. */
  readonly isPathUnread: boolean;
  /** What is wrong with a malformed request, as the end of the sentence that begins with "The request", if it is known. */
  readonly malformed: string | undefined;
}

/** The operations of one contract, and how requests near them are refused. */
export interface Area {
  readonly name: string;
  /** The bundled OpenAPI 3.1 document. */
  readonly contract: object;
  readonly operations: Readonly<Record<string, AnyOperation>>;
  /**
   * Value of `access-control-allow-origin` for a page of `origin`, at a path whose `x-cors` is `cors`; `undefined` when
   * its pages may not call. Called for preflights only.
   */
  allowedOrigin?(origin: string, cors: string, request: EdgeRequest): Promise<string | undefined>;
  /** True for paths whose refusals are this area's, whether or not an operation is there. */
  owns(path: string): boolean;
  /** Gets what the edge itself refused, before the answer is sent. */
  refused?(request: BrokenRequest, by: EdgeRefusal): void;
  /** Called when the last answer was given: what is still to be written down. */
  ended?(): void;
  /** The contract's "unrouted" answer. JSON without `asked`, which is absent when no request could be read. */
  unrouted(status: number, code: UnroutedCode, requestId: string, asked?: UnroutedRequest): AnyReply;
}

/** Declares an area; each operation is checked against the contract's types. */
export const area = <Ops>(parts: Omit<Area, "operations"> & { readonly operations: Operations<Ops> }): Area =>
  parts as unknown as Area;
