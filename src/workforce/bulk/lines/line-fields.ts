import { isDay } from "#runtime/basis/day.ts";
import type { FieldViolation } from "#runtime/basis/errors.ts";
import type { IdKind, PublicId } from "#runtime/basis/ids.ts";
import { isJsonObject } from "#runtime/basis/strict-json.ts";
import type { PostalAddress } from "../../postal-address.ts";
import { FieldReader } from "../../request-fields.ts";

type Members = Readonly<Record<string, unknown>>;

export const ADDRESS_PARTS = ["address1", "address2", "city", "isoCountryCode", "postalCode", "zoneCode"] as const;
/** With date, time and zone; fractions of a second as Java, Go and Python write them, of which milliseconds are kept. */
const INSTANT = /^(\d{4}-\d\d-\d\d)T\d\d:\d\d:\d\d(\.\d{1,9})?(Z|[+-]\d\d:\d\d)$/;

/**
 * Reads the members of one line by the rules that requests are read by (request-fields.ts). JSON may hold anything, so
 * each member's type is checked first; unknown members are rejected (S43). null and a missing member mean the same.
 */
export class LineFields {
  readonly #members: Members;
  readonly #now: Date;
  readonly #known = new Set(["kind"]);
  readonly #reader = new FieldReader();

  /** @param now no instant of a line may be later. */
  constructor(members: Members, now: Date) {
    this.#members = members;
    this.#now = now;
  }

  /** The members that were asked for by now. */
  get known(): ReadonlySet<string> {
    return this.#known;
  }

  has(name: string): boolean {
    return (this.#members[name] ?? null) !== null;
  }

  check(isRight: boolean, name: string, reason: string): void {
    this.#reader.check(isRight, name, reason);
  }

  id<K extends IdKind>(name: string, kind: K): PublicId<K> {
    return this.#reader.id(name, kind, this.#string(name));
  }

  optionalId<K extends IdKind>(name: string, kind: K): PublicId<K> | null {
    return this.#reader.optionalId(name, kind, this.#string(name));
  }

  ids<K extends IdKind>(name: string, kind: K, countMax: number): PublicId<K>[] {
    return this.#reader.ids(name, kind, this.#strings(name), countMax);
  }

  text(name: string, lengthMax: number): string {
    return this.#reader.text(name, this.#string(name), lengthMax);
  }

  optionalText(name: string, lengthMax: number): string | null {
    return this.#reader.optionalText(name, this.#string(name), lengthMax);
  }

  texts(name: string, lengthMax: number, countMax: number): string[] {
    return this.#reader.texts(name, this.#strings(name), lengthMax, countMax);
  }

  /** A list of texts, read by a rule that requests have too. */
  list<T>(name: string, read: (reader: FieldReader, name: string, given: readonly string[]) => T): T {
    return read(this.#reader, name, this.#strings(name));
  }

  email(name: string): string {
    return this.#reader.email(name, this.#string(name));
  }

  /** False when missing. */
  flag(name: string): boolean {
    const value = this.#take(name);
    this.check(value === null || typeof value === "boolean", name, "must be true or false");
    return value === true;
  }

  oneOf<T extends string>(name: string, allowed: readonly T[]): T {
    const chosen = this.optionalOneOf(name, allowed);
    this.check(chosen !== null || this.has(name), name, "is missing");
    return chosen ?? (allowed[0] as T);
  }

  optionalOneOf<T extends string>(name: string, allowed: readonly T[]): T | null {
    const value = this.#take(name);
    const chosen = allowed.find((one) => one === value) ?? null;
    this.check(value === null || chosen !== null, name, `must be one of ${allowed.join(", ")}`);
    return chosen;
  }

  /** Null when missing. */
  instant(name: string): Date | null {
    const text = this.#string(name);
    if (text === null) return null;
    const at = instantOf(text);
    this.check(at !== undefined, name, "must be an instant like 2027-01-31T12:00:00.000Z");
    this.check(at === undefined || at <= this.#now, name, "must not be in the future");
    // Cursors count from there (R-G9).
    this.check(at === undefined || at.getTime() >= 0, name, "must not be before 1970");
    return at ?? null;
  }

  address(name: string): PostalAddress {
    const value = this.#take(name);
    this.check(value === null || isJsonObject(value), name, "must be an object");
    const parts = isJsonObject(value) ? value : {};
    const isKnown = Object.keys(parts).every((part) => ADDRESS_PARTS.some((known) => known === part));
    this.check(isKnown, name, `has a member that an address does not have; it has ${ADDRESS_PARTS.join(", ")}`);
    const given = ADDRESS_PARTS.map((part) => [part, this.#asString(`${name}.${part}`, parts[part])]);
    return this.#reader.address(name, Object.fromEntries(given));
  }

  /**
   * Everything that is wrong, unknown members included; empty when the line is right. Paths are spelled as in the line.
   */
  violations(): readonly FieldViolation[] {
    const isKnown = Object.keys(this.#members).every((name) => this.#known.has(name));
    // Not by its name, which may be anything, personal data included (R-X67).
    const unknown = {
      field: "the line",
      reason: `has a member that this kind does not have; it has ${[...this.#known].join(", ")}`,
    };
    return [
      ...this.#reader.violations.map(({ field, reason }) => ({ field: inLineWords(field), reason })),
      ...(isKnown ? [] : [unknown]),
    ];
  }

  #take(name: string): unknown {
    this.#known.add(name);
    return this.#members[name] ?? null;
  }

  #string(name: string): string | null {
    return this.#asString(name, this.#take(name));
  }

  #asString(name: string, value: unknown): string | null {
    const isText = typeof value === "string";
    this.check(isText || value === null || value === undefined, name, "must be a text");
    return isText ? value : null;
  }

  #strings(name: string): readonly string[] {
    const value = this.#take(name) ?? [];
    const isList = Array.isArray(value) && value.every((one) => typeof one === "string");
    this.check(isList, name, "must be a list of texts");
    return isList ? value : [];
  }
}

function instantOf(text: string): Date | undefined {
  const [, day] = INSTANT.exec(text) ?? [];
  if (day === undefined || !isDay(day)) return undefined;
  const at = new Date(text);
  return Number.isNaN(at.getTime()) ? undefined : at;
}

/** `address.iso_country_code` → `address.isoCountryCode` */
const inLineWords = (field: string): string =>
  field.replaceAll(/_([a-z])/g, (_, letter: string) => letter.toUpperCase());
