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

const MIB = 1024 * 1024;

/** Answers by address and API key, within limits: those that were used longest ago are forgotten first. */
export class RememberedAnswers {
  readonly #answersMax: number;
  readonly #bytesMax: number;
  /** In the order of their last use. */
  readonly #answers = new Map<string, RememberedAnswer>();
  #bytes = 0;

  constructor({ answers = 100, bytes = 16 * MIB }: RememberedLimits = {}) {
    this.#answersMax = answers;
    this.#bytesMax = bytes;
  }

  find(key: string): RememberedAnswer | undefined {
    const found = this.#answers.get(key);
    if (found === undefined) return undefined;
    this.#answers.delete(key);
    this.#answers.set(key, found);
    return found;
  }

  remember(key: string, answer: RememberedAnswer): void {
    this.#forget(key);
    if (answer.body.byteLength > this.#bytesMax) return;
    this.#answers.set(key, answer);
    this.#bytes += answer.body.byteLength;
    for (const oldest of this.#answers.keys()) {
      if (this.#answers.size <= this.#answersMax && this.#bytes <= this.#bytesMax) return;
      this.#forget(oldest);
    }
  }

  #forget(key: string): void {
    this.#bytes -= this.#answers.get(key)?.body.byteLength ?? 0;
    this.#answers.delete(key);
  }
}
