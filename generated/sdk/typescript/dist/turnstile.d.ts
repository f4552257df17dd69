/** The place of one read in the queue, the same across all its attempts. Lower is earlier. */
type Place = number;
interface Passage<Answer> {
    readonly place: Place;
    readonly send: () => Promise<Answer>;
    /** True: the turn ends as soon as the read is sent. The server may keep its answer back for long. */
    readonly leavesAtOnce: boolean;
    /** For how long the key is over its limit, by an answer that says so. */
    readonly limitedForMs: (answer: Answer) => number | undefined;
    readonly signal: AbortSignal | undefined;
}
/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has passed, and then go
 * one after another: together they would be over the limit again at once. When none waits any more, all pass freely. A read that comes
 * again has its old place, and so is in front of those that came after it.
 */
export declare class Turnstile {
    #private;
    /** The place of a read that comes now. */
    newPlace(): Place;
    /** Sends when it is this read's turn. */
    pass<Answer>({ place, send, leavesAtOnce, limitedForMs, signal }: Passage<Answer>): Promise<Answer>;
}
export declare const pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
export {};
