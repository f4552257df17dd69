import { cancelled } from "./gatehouse-error.js";
/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has passed, and then go
 * one after another: together they would be over the limit again at once. When none waits any more, all pass freely. A read that comes
 * again has its old place, and so is in front of those that came after it.
 */
export class Turnstile {
    #opensAt = 0;
    #places = 0;
    #hasTurn = false;
    /** In the order of their places. */
    #queue = [];
    #timer;
    /** The place of a read that comes now. */
    newPlace() {
        return this.#places++;
    }
    /** Sends when it is this read's turn. */
    async pass({ place, send, leavesAtOnce, limitedForMs, signal }) {
        const noted = async () => {
            const answer = await send();
            const limited = limitedForMs(answer);
            if (limited !== undefined)
                this.#opensAt = Math.max(this.#opensAt, performance.now() + limited);
            return answer;
        };
        if (!this.#hasTurn && this.#queue.length === 0 && performance.now() >= this.#opensAt)
            return noted();
        await this.#turn(place, signal);
        const answer = noted();
        const leave = () => this.#leave();
        if (leavesAtOnce)
            leave();
        else
            answer.then(leave, leave);
        return answer;
    }
    #turn(place, signal) {
        return new Promise((resolve, reject) => {
            if (signal?.aborted)
                return reject(cancelled(signal));
            const stop = () => {
                this.#queue.splice(this.#queue.indexOf(mine), 1);
                this.#next();
                if (signal)
                    reject(cancelled(signal));
            };
            const begin = () => {
                signal?.removeEventListener("abort", stop);
                resolve();
            };
            const mine = { place, begin };
            signal?.addEventListener("abort", stop, { once: true });
            const behind = this.#queue.findIndex((other) => other.place > place);
            this.#queue.splice(behind < 0 ? this.#queue.length : behind, 0, mine);
            this.#next();
        });
    }
    #leave() {
        this.#hasTurn = false;
        this.#next();
    }
    /** Gives the turn to the first in the queue, once it is free and the time has passed. */
    #next() {
        clearTimeout(this.#timer);
        if (this.#hasTurn || this.#queue.length === 0)
            return;
        const leftMs = this.#opensAt - performance.now();
        if (leftMs > 0) {
            this.#timer = setTimeout(() => this.#next(), leftMs);
            return;
        }
        this.#hasTurn = true;
        this.#queue.shift()?.begin();
    }
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
