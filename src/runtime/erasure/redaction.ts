/**
 * What stored messages show of an erased thing from now on. Written by the domain that knows the thing, applied by those
 * that store messages and know no types.
 */
export interface Redaction {
  readonly id: string;
  /** The members under which an object has the id of what it shows, for example `userId` and `id`. */
  readonly namedBy: readonly string[];
  /** By member: what takes its value's place. A member that an object lacks is not added. */
  readonly members: Readonly<Record<string, unknown>>;
  /** True when the members are replaced in everything below such an object, too. */
  readonly deep: boolean;
}

/** The id in any text: each begins with a lower-case word and has 21 letters or digits. */
const ID = /[a-z]+_[A-Za-z0-9]{21}/g;

/** Redactions of several things, found by their ids. */
export class Redactions {
  readonly #byId: ReadonlyMap<string, Redaction>;

  constructor(redactions: readonly Redaction[]) {
    this.#byId = new Map(redactions.map((redaction) => [redaction.id, redaction]));
  }

  get isEmpty(): boolean {
    return this.#byId.size === 0;
  }

  /** True when the text, JSON or an encoded message read as Latin-1, has the id of a redacted thing. */
  concern(text: string): boolean {
    return (text.match(ID) ?? []).some((id) => this.#byId.has(id));
  }

  /** The JSON text without what is erased; `undefined` when nothing in it is. Members keep their order. */
  redacted(json: string): string | undefined {
    if (!this.concern(json)) return undefined;
    const after = JSON.stringify(this.#walk(JSON.parse(json), {}));
    return after === json ? undefined : after;
  }

  /** @param above members that an object further up has replaced in everything below it. */
  #walk(value: unknown, above: Redaction["members"]): unknown {
    if (Array.isArray(value)) return value.map((one) => this.#walk(one, above));
    if (typeof value !== "object" || value === null) return value;
    const own = this.#of(value);
    const below = membersOf(
      above,
      own.filter(({ deep }) => deep),
    );
    const here = membersOf(
      below,
      own.filter(({ deep }) => !deep),
    );
    return Object.fromEntries(
      Object.entries(value).map(([name, member]) => [
        name,
        Object.hasOwn(here, name) ? here[name] : this.#walk(member, below),
      ]),
    );
  }

  /** One object may name several: a user, and the tenant that it is in. */
  #of(value: object): readonly Redaction[] {
    return Object.entries(value).flatMap(([name, member]) => {
      const found = typeof member === "string" ? this.#byId.get(member) : undefined;
      return found?.namedBy.includes(name) ? [found] : [];
    });
  }
}

const membersOf = (above: Redaction["members"], redactions: readonly Redaction[]): Redaction["members"] =>
  Object.assign({}, above, ...redactions.map(({ members }) => members));
