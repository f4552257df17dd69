/** With more members the first member of a group would wait long for its commit. */
const MEMBERS_MAX = 64;
/** A group that has been open for longer is committed when a member leaves it, so that the first does not wait for slow ones. */
const OPEN_MS_MAX = 50;
/** A group that grows is left open for a further turn, unless it has been open for so long. */
const GATHERS_MS_MAX = 10;

/** Write transactions, its members, that commit together (decision 0076), and how long it is left open for more of them. */
export class WriteGroup {
  /** True for a change that takes long: the group then has one member. */
  readonly alone: boolean;
  /** Of the log, before a change that takes long; 0 for others. */
  readonly pagesBefore: number;
  readonly #committed = Promise.withResolvers<void>();
  readonly #openedAt: number;
  #members = 0;
  /** Members at the end of the turn before. */
  #membersBefore = 0;
  /** What is called before the commit of a member that came alone; `undefined` since then. */
  #lastCalls: (() => void)[] | undefined = [];
  /** True when the group takes no further member: it is committed as soon as the flush under way has ended. */
  isFull = false;
  /** Members that have changed rows; when 0, there is nothing to flush. */
  wrote = 0;

  /** @param now monotonic milliseconds, as everywhere in this class. */
  constructor(alone: boolean, pagesBefore: number, now: number) {
    this.alone = alone;
    this.pagesBefore = pagesBefore;
    this.#openedAt = now;
    // A member may have stopped waiting; the failure still reaches the others.
    this.#committed.promise.catch(() => undefined);
  }

  /** Settled with the commit that the members share, or with its failure. */
  get committed(): Promise<void> {
    return this.#committed.promise;
  }

  /** True where several members came by themselves. Those that came because of a last call say nothing of how many do. */
  get wasShared(): boolean {
    return this.#members > 1 && this.#lastCalls !== undefined;
  }

  join(): void {
    this.#members++;
  }

  /**
   * Called when a member leaves. While a flush is under way nobody waits for a slow member.
   * @returns whether the group is to be committed at once.
   */
  memberLeft(flushIsUnderWay: boolean, now: number): boolean {
    const isOld = !flushIsUnderWay && now - this.#openedAt > OPEN_MS_MAX;
    this.isFull = this.#members >= MEMBERS_MAX || isOld;
    return this.alone || this.isFull;
  }

  /**
   * Whether a commit is worth waiting for: a turn that brought a member is likely followed by one that brings more, since
   * members that shared the commit before come again after their reply. A member that comes alone after another one alone never
   * waits. To be asked once at the end of each turn.
   */
  stillGathers(lastWasShared: boolean, now: number): boolean {
    if (this.#lastCalls === undefined) return false;
    const joined = this.#members - this.#membersBefore;
    this.#membersBefore = this.#members;
    const hasCompany = this.#members > 1 || lastWasShared;
    return hasCompany && joined > 0 && now - this.#openedAt < GATHERS_MS_MAX;
  }

  addLastCall(call: () => void): void {
    this.#lastCalls?.push(call);
  }

  /**
   * Makes the calls that were added, once, where one member has come. True when there were some, so that another turn is worth
   * waiting for. Several members share their flush already, and each would wait for what all of them began.
   */
  makeLastCalls(): boolean {
    const calls = this.#members === 1 ? (this.#lastCalls ?? []) : [];
    if (calls.length > 0) this.#lastCalls = undefined;
    for (const call of calls) call();
    return calls.length > 0;
  }

  resolve(): void {
    this.#committed.resolve();
  }

  reject(failure: unknown): void {
    this.#committed.reject(failure);
  }
}
