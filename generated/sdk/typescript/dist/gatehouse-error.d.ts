/** One part of a request that the gateway refused. */
export interface Violation {
    /** `path`, `query`, `header` or `body`. */
    readonly location: string;
    /** Name of the parameter, or JSON pointer into the body. */
    readonly name: string;
    readonly message: string;
}
/** The codes of errors that the SDK itself reports; all others come from Gatehouse. */
export type LocalCode = "invalid_argument" | "no_answer" | "deadline_exceeded" | "cancelled" | "not_modified" | "unexpected_answer";
export interface ErrorContent {
    readonly status: number;
    readonly code: string;
    readonly detail: string;
    readonly title?: string | undefined;
    readonly requestId?: string | undefined;
    readonly retryAfter?: number | undefined;
    readonly violations?: readonly Violation[];
    readonly error?: string | undefined;
    readonly errorDescription?: string | undefined;
}
/** The one error of this package: every call that does not succeed throws it. Only `verifyEvent` has another, `EventRefused`. */
export declare class GatehouseError extends Error {
    readonly name = "GatehouseError";
    /** The HTTP status; 0 when there is no answer. */
    readonly status: number;
    /** A stable word for programs: `client_not_found`, `too_many_requests`, `no_answer`, … */
    readonly code: string;
    /** The kind of error, the same for every occurrence. */
    readonly title: string | undefined;
    /** A sentence about this occurrence. */
    readonly detail: string;
    /** Give it to the operator: it identifies the request in Gatehouse's logs. */
    readonly requestId: string | undefined;
    /** Seconds to wait before the next attempt, when the answer named a time. */
    readonly retryAfter: number | undefined;
    /** On 400 of the gateway: each part of the request that was refused. */
    readonly violations: readonly Violation[];
    /** The error code of an OAuth endpoint (RFC 6749 §5.2); the same as `code`. */
    readonly error: string | undefined;
    /** The sentence of an OAuth endpoint; the same as `detail`. */
    readonly errorDescription: string | undefined;
    constructor(content: ErrorContent, options?: {
        readonly cause?: unknown;
    });
}
/** An error that no answer of Gatehouse states. */
export declare const localError: (code: LocalCode, detail: string, cause?: unknown) => GatehouseError;
export declare const cancelled: ({ reason }: AbortSignal) => GatehouseError;
/** For an answer that the contract does not have. */
export declare function unexpectedAnswer({ status, headers }: Pick<Response, "status" | "headers">, detail: string, options?: {
    readonly cause: unknown;
}): GatehouseError;
/** The error that an answer other than success states; `unexpected_answer` when the contract has no such answer. */
export declare function errorOf(response: Response): Promise<GatehouseError>;
/** Seconds until the time that `Retry-After` names, as a number of seconds or as a date (RFC 9110 §10.2.3); 2^31 at most. */
export declare function retryAfterOf(headers: Headers): number | undefined;
/** What a call threw, as the one error of this package. Without an answer the request could not be made of the arguments. */
export declare function asGatehouseError(thrown: unknown, answer?: Response): GatehouseError;
type GivenHeaders = ConstructorParameters<typeof Headers>[0];
/** The first headers, and in place of those with the same names the second ones. */
export declare function merged(first: GivenHeaders, second: GivenHeaders): Headers;
/** The same API whose calls throw a `GatehouseError` only, also when the body of an answer is read later. */
export declare const withOneError: <Api extends object>(api: Api) => Api;
export {};
