/** One read in the order of all, the same across all its attempts. */
interface Place {
    /** Lower is earlier. */
    readonly number: number;
    /** Under way is a read that has waited, until its answer is there. One that did not wait is outside. */
    state: "outside" | "waiting" | "under way";
    begin: () => void;
}
interface Passage<Answer> {
    readonly place: Place;
    readonly send: () => Promise<Answer>;
    /** True: others go on as soon as the read is sent. The server may keep its answer back for long. */
    readonly leavesAtOnce: boolean;
    /** After which time a read may come again that was refused because its key is over the limit; undefined for every other answer. */
    readonly limitedForMs: (answer: Answer) => number | undefined;
    readonly signal: AbortSignal | undefined;
}
/**
 * Where the reads of one key pass. A read that is refused because the key is over its limit waits, in front of those that came after it, and
 * brings a turn: the time that the answer names. At each turn the first read that waits is sent, whichever brought it. Those that wait when
 * no turn is left go one after another: together they would be over the limit at once. When none waits any more, all pass freely.
 */
export declare class Turnstile {
    #private;
    /** The place of a read that comes now, and leaves it in the end. */
    newPlace(): Place;
    /** Sends as soon as this read may go. */
    pass<Answer>({ place, send, leavesAtOnce, limitedForMs, signal }: Passage<Answer>): Promise<Answer>;
    /** For a read that is not sent again. The turns that it brought are for those that wait. */
    leave(place: Place): void;
}
export declare const pause: (delayMs: number, signal: AbortSignal | undefined) => Promise<void>;
export {};
