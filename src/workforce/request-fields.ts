import { EMAIL_LENGTH_MAX, isEmailAddress } from "#runtime/basis/email-address.ts";
import { type FieldViolation, invalidArgument } from "#runtime/basis/errors.ts";
import { idFormViolation } from "#runtime/basis/id-violation.ts";
import { type IdKind, type PublicId, parseId } from "#runtime/basis/ids.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import type { PostalAddress } from "./postal-address.ts";

/** Longest texts that are taken, in characters. */
export const LENGTHS = {
  requestId: 100,
  name: 200,
  personName: 100,
  label: 100,
  jobTitle: 120,
  phone: 40,
  unitCode: 64,
  description: 2_000,
  addressLine: 200,
  postalCode: 20,
  zoneCode: 20,
} as const;

type Given = string | null | undefined;
/** A postal address as it arrives; absent parts are null or missing. */
type GivenAddress = { readonly [K in keyof PostalAddress]?: Given } | null | undefined;

/**
 * Reads the fields of one request, each into the type that the rest of the code asks for. Texts lose surrounding
 * spaces; an optional one that is then empty counts as absent. A wrong field is noted, and yields a placeholder of its
 * type, which `readFields` never returns.
 */
export class FieldReader {
  readonly violations: FieldViolation[] = [];

  /**
   * Notes the field as wrong unless it is right; `reason` completes the sentence that begins with the field's name, and
   * names the other fields in `named`.
   */
  check(isRight: boolean, field: string, reason: string, named?: readonly string[]): void {
    if (!isRight) this.violations.push({ field, reason, named });
  }

  id<K extends IdKind>(field: string, kind: K, given: Given): PublicId<K> {
    const id = parseId(kind, given ?? "");
    this.check(id !== undefined, field, idFormViolation(kind));
    return id ?? ("" as PublicId<K>);
  }

  optionalId<K extends IdKind>(field: string, kind: K, given: Given): PublicId<K> | null {
    return given === null || given === undefined || given === "" ? null : this.id(field, kind, given);
  }

  text(field: string, given: Given, lengthMax: number): string {
    const text = this.optionalText(field, given, lengthMax);
    this.check(text !== null, field, "is missing");
    return text ?? "";
  }

  optionalText(field: string, given: Given, lengthMax: number): string | null {
    const text = (given ?? "").trim();
    this.plain(field, text, lengthMax);
    return text === "" ? null : text;
  }

  /** A text that is taken with the spaces around it. */
  plain(field: string, text: string, lengthMax: number): void {
    this.check(hasAtMost(text, lengthMax), field, `must have at most ${lengthMax} characters`);
    this.check(isPlainText(text), field, "must not hold control characters");
  }

  email(field: string, given: Given): string {
    const email = this.text(field, given, EMAIL_LENGTH_MAX);
    this.check(email === "" || isEmailAddress(email), field, "must be an e-mail address");
    return email;
  }

  /** Texts in the order given, each once, at most `countMax`. */
  texts(field: string, given: readonly string[], lengthMax: number, countMax: number): string[] {
    return this.#each(field, given, countMax, (entry, text) => this.text(entry, text, lengthMax));
  }

  /** Ids in the order given, each once, at most `countMax`. */
  ids<K extends IdKind>(field: string, kind: K, given: readonly string[], countMax: number): PublicId<K>[] {
    return this.#each(field, given, countMax, (entry, id) => this.id(entry, kind, id));
  }

  #each<T>(field: string, given: readonly string[], countMax: number, read: (entry: string, given: string) => T): T[] {
    this.check(given.length <= countMax, field, `must have at most ${countMax} entries`);
    const first = given.slice(0, countMax);
    const values = first.map((one, index) => read(`${field}[${index}]`, one));
    // By what was given: all that is wrong reads as one placeholder.
    this.check(new Set(first.map((one) => one.trim())).size === first.length, field, "must not repeat an entry");
    return values;
  }

  /** The fields that an update names, each of them one that the method allows (S43); at least one. */
  mask<F extends string>(given: readonly string[] | null, allowed: readonly F[]): ReadonlySet<F> {
    const named = new Set(given ?? []);
    const known = allowed.filter((field) => named.has(field));
    this.check(named.size > 0, "update_mask", `must name at least one of ${allowed.join(", ")}`);
    this.check(known.length === named.size, "update_mask", `may name only ${allowed.join(", ")}`);
    return new Set(known);
  }

  address(field: string, given: GivenAddress): PostalAddress {
    const line = (name: string, value: Given, lengthMax: number) =>
      this.optionalText(`${field}.${name}`, value, lengthMax);
    return {
      address1: line("address1", given?.address1, LENGTHS.addressLine),
      address2: line("address2", given?.address2, LENGTHS.addressLine),
      city: line("city", given?.city, LENGTHS.addressLine),
      isoCountryCode: this.#country(`${field}.iso_country_code`, given?.isoCountryCode),
      postalCode: line("postal_code", given?.postalCode, LENGTHS.postalCode),
      zoneCode: line("zone_code", given?.zoneCode, LENGTHS.zoneCode),
    };
  }

  #country(field: string, given: Given): string | null {
    const code = (given ?? "").trim();
    this.check(/^([A-Za-z]{2})?$/.test(code), field, "must be two letters (ISO 3166-1 alpha-2)");
    return code === "" ? null : code.toUpperCase();
  }
}

/**
 * NUL and halves of surrogate pairs do not survive every store; other control characters do not survive every reader.
 */
const isPlainText = (text: string): boolean => text.isWellFormed() && !/[^\P{Cc}\t\r\n]/u.test(text);

/**
 * Reads a request; the answer holds values of the right type only.
 * @throws INVALID_ARGUMENT that names every wrong field at once.
 */
export function readFields<T>(read: (fields: FieldReader) => T): T {
  const fields = new FieldReader();
  const values = read(fields);
  if (fields.violations.length > 0) throw invalidArgument(fields.violations);
  return values;
}

/** Reads a write, whose request id is a field like the others (R-G18). */
export const readWrite = <T>(request: { readonly requestId: string }, read: (fields: FieldReader) => T): T =>
  readFields((fields) => {
    fields.plain("request_id", request.requestId, LENGTHS.requestId);
    return read(fields);
  });
