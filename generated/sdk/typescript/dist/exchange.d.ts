import type { RememberedAnswers } from "./remembered-answers.js";
import type { FetchAPI } from "./runtime.js";
export interface ExchangeOptions {
    readonly fetch: FetchAPI;
    /** Of one attempt, until the last byte of its answer. */
    readonly deadlineMs: number;
    /** Further attempts after the first. */
    readonly retries: number;
    /** The longest `Retry-After` that is waited for. */
    readonly longestWaitMs: number;
    /** The bytes of one answer's body, its content coding undone. */
    readonly answerBytesMax: number;
    /** Undefined: none are remembered. */
    readonly remembered: RememberedAnswers | undefined;
    /** True for an address of the gateway: only reads of it are attempted again and remembered. */
    readonly isGateway: (url: string) => boolean;
}
/** One request as this package makes it: with a deadline, retries of reads, and entity tags of answers that are remembered. */
export declare const exchange: (options: ExchangeOptions) => FetchAPI;
