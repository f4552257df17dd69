import { cancelled } from "./gatehouse-error.js";
/** Of reads that have waited. So many at most are refused once more where a gateway gives more turns than it lets pass. */
const UNDER_WAY_MAX = 8;
/** Turns are whole seconds apart, and as far from them as the refusals that brought them from each other. */
const MOMENT_MS = 500;
/**
 * Where the reads of one key pass. A read that is refused because the key is over its limit waits, in front of those that came after it, and
 * brings a turn: the time that the answer names. At each turn the first read that waits is sent, whichever brought it. Those that wait when
 * no turn is left go one after another: together they would be over the limit at once. When none waits any more, all pass freely.
 */
export class Turnstile {
    #places = 0;
    #underWay = 0;
    /** In the order of their places. */
    #queue = [];
    /** By `performance.now`, the earliest first; never more than reads that wait. */
    #turns = [];
    #timer;
    /** The place of a read that comes now, and leaves it in the end. */
    newPlace() {
        return { number: this.#places++, state: "outside", begin: () => { } };
    }
    /** Sends as soon as this read may go. */
    async pass({ place, send, leavesAtOnce, limitedForMs, signal }) {
        if (place.state === "outside" && (this.#queue.length > 0 || this.#underWay > 0))
            this.#wait(place);
        if (place.state === "waiting")
            await begun(place, signal);
        const sent = send();
        if (leavesAtOnce)
            this.leave(place);
        let limitedMs;
        try {
            const answer = await sent;
            limitedMs = limitedForMs(answer);
            return answer;
        }
        finally {
            if (limitedMs === undefined)
                this.leave(place);
            else
                this.#refuse(place, performance.now() + limitedMs);
        }
    }
    /** For a read that is not sent again. The turns that it brought are for those that wait. */
    leave(place) {
        if (place.state === "waiting")
            this.#queue.splice(this.#queue.indexOf(place), 1);
        this.#end(place);
        this.#turns.length = Math.min(this.#turns.length, this.#queue.length);
        this.#next();
    }
    #refuse(place, turn) {
        // A read that is refused at its turn shows that there are more turns than the key may use: those of the same moment are void.
        while (place.state === "under way" && this.#leftMs() <= MOMENT_MS)
            this.#turns.shift();
        if (place.state === "outside" || this.#turns.length === 0)
            insert(this.#turns, turn, (other) => other <= turn);
        this.#end(place);
        this.#wait(place);
        this.#next();
    }
    #wait(place) {
        place.state = "waiting";
        insert(this.#queue, place, (other) => other.number < place.number);
    }
    #end(place) {
        if (place.state === "under way")
            this.#underWay--;
        place.state = "outside";
    }
    /** Begins a read for each turn that has come; without turns one, once none is under way. */
    #next() {
        clearTimeout(this.#timer);
        let leftMs = this.#leftMs();
        for (; this.#underWay < UNDER_WAY_MAX && leftMs <= 0; leftMs = this.#leftMs()) {
            this.#turns.shift();
            this.#begin();
        }
        if (this.#turns.length === 0 && this.#underWay === 0)
            this.#begin();
        // By the look that began no read: a later one may find that the turn has come, and no timer would begin it.
        if (leftMs > 0 && this.#turns.length > 0)
            this.#timer = setTimeout(() => this.#next(), leftMs);
    }
    /** Until the next turn; infinite without one. */
    #leftMs() {
        return (this.#turns[0] ?? Number.POSITIVE_INFINITY) - performance.now();
    }
    #begin() {
        const place = this.#queue.shift();
        if (place === undefined)
            return;
        this.#underWay++;
        place.state = "under way";
        place.begin();
    }
}
/** When a read that waits may go. */
const begun = (place, signal) => new Promise((resolve, reject) => {
    if (signal?.aborted)
        return reject(cancelled(signal));
    const stop = () => {
        if (signal)
            reject(cancelled(signal));
    };
    place.begin = () => {
        signal?.removeEventListener("abort", stop);
        resolve();
    };
    signal?.addEventListener("abort", stop, { once: true });
});
/** Behind all that are before it. What is new belongs near the end. */
function insert(sorted, item, isBefore) {
    let at = sorted.length;
    for (let other = sorted[at - 1]; other !== undefined && !isBefore(other); other = sorted[at - 1])
        at--;
    sorted.splice(at, 0, item);
}
export const pause = (delayMs, signal) => new Promise((resolve, reject) => {
    if (signal?.aborted)
        return reject(cancelled(signal));
    const stop = () => {
        clearTimeout(timer);
        if (signal)
            reject(cancelled(signal));
    };
    const timer = setTimeout(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
    }, delayMs);
    signal?.addEventListener("abort", stop, { once: true });
});
