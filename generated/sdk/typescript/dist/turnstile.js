import { cancelled } from "./gatehouse-error.js";
/**
 * Where the reads of one key pass. After an answer that the key is over its limit they wait together until its time has passed, and then go
 * one after another: together they would be over the limit again at once. When none waits any more, all pass freely.
 */
export class Turnstile {
    #opensAt = 0;
    #waiting = 0;
    #last = Promise.resolve();
    /** Sends when it is this read's turn. `limitedForMs` says of an answer for how long the key is over its limit, if it is. */
    async pass(send, limitedForMs, signal) {
        const noted = async () => {
            const answer = await send();
            const limited = limitedForMs(answer);
            if (limited !== undefined)
                this.#opensAt = Math.max(this.#opensAt, performance.now() + limited);
            return answer;
        };
        if (this.#waiting === 0 && performance.now() >= this.#opensAt)
            return noted();
        const before = this.#last;
        let leave = () => { };
        const left = new Promise((resolve) => {
            leave = resolve;
        });
        this.#last = before.then(() => left);
        this.#waiting++;
        try {
            await unlessCancelled(signal, (resolve) => void before.then(resolve));
            // Answers to what was sent earlier may have moved it meanwhile.
            while (performance.now() < this.#opensAt)
                await pause(this.#opensAt - performance.now(), signal);
            return await noted();
        }
        finally {
            this.#waiting--;
            leave();
        }
    }
}
export const pause = (delayMs, signal) => {
    let timer;
    return unlessCancelled(signal, (resolve) => {
        timer = setTimeout(resolve, delayMs);
    }).finally(() => clearTimeout(timer));
};
const unlessCancelled = (signal, begin) => new Promise((resolve, reject) => {
    const stop = () => signal && reject(cancelled(signal));
    if (signal?.aborted)
        return stop();
    signal?.addEventListener("abort", stop, { once: true });
    begin(() => {
        signal?.removeEventListener("abort", stop);
        resolve();
    });
});
