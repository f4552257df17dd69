/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has passed, and then go
 * one after another: together they would be over the limit again at once. When none waits any more, all pass freely.
 */
export declare class Turnstile {
    #private;
    /** Sends when it is this read's turn. `limitedForMs` says of an answer for how long the key is over its limit, if it is. */
    pass<Answer>(send: () => Promise<Answer>, limitedForMs: (answer: Answer) => number | undefined, signal: AbortSignal | undefined): Promise<Answer>;
}
export declare const pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
