const MIB = 1024 * 1024;
/** Answers by address and API key, within limits: those that were used longest ago are forgotten first. */
export class RememberedAnswers {
    #answersMax;
    #bytesMax;
    /** In the order of their last use. */
    #answers = new Map();
    #bytes = 0;
    constructor({ answers = 100, bytes = 16 * MIB } = {}) {
        this.#answersMax = answers;
        this.#bytesMax = bytes;
    }
    find(key) {
        const found = this.#answers.get(key);
        if (found === undefined)
            return undefined;
        this.#answers.delete(key);
        this.#answers.set(key, found);
        return found;
    }
    remember(key, answer) {
        this.#forget(key);
        if (answer.body.byteLength > this.#bytesMax)
            return;
        this.#answers.set(key, answer);
        this.#bytes += answer.body.byteLength;
        for (const oldest of this.#answers.keys()) {
            if (this.#answers.size <= this.#answersMax && this.#bytes <= this.#bytesMax)
                return;
            this.#forget(oldest);
        }
    }
    #forget(key) {
        this.#bytes -= this.#answers.get(key)?.body.byteLength ?? 0;
        this.#answers.delete(key);
    }
}
