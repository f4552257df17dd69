/** An answer with an entity tag, as it is given again when Gatehouse says that nothing has changed. */
export interface RememberedAnswer {
    readonly entityTag: string;
    readonly headers: Headers;
    readonly body: Uint8Array;
}
export interface RememberedLimits {
    /** Most answers; 100 unless given. */
    readonly answers?: number;
    /** Most bytes of all bodies together; 16 MiB unless given. */
    readonly bytes?: number;
}
/** Answers by address and API key, within limits: those that were used longest ago are forgotten first. */
export declare class RememberedAnswers {
    #private;
    constructor({ answers, bytes }?: RememberedLimits);
    find(key: string): RememberedAnswer | undefined;
    remember(key: string, answer: RememberedAnswer): void;
}
