/**
 * Values of a template's slot. Text and numbers are escaped; null, undefined and false leave nothing; arrays are
 * joined.
 */
export type Slot = Html | string | number | false | null | undefined | readonly Slot[];

/** A piece of finished markup. `html` makes it, so a value of this type has been escaped; `drawnMarkup` for what is drawn beforehand. */
class Html {
  readonly #markup: string;

  constructor(markup: string) {
    this.#markup = markup;
  }

  toString(): string {
    return this.#markup;
  }
}

export type { Html };

/** The place of a slot: between tags, inside a quoted attribute value, or in a tag beside its attributes. */
type Place = "text" | "value" | "tag";

/**
 * Makes markup from a template: every value that is not markup is escaped, in text as in quoted attribute values.
 * Values of attributes must be quoted; a slot beside attributes takes only Html (`<input ${refused &&
 * html`aria-invalid="true"`}>`).
 * The scheme of an address in a slot is not checked: the caller checks links to other sites.
 * @throws TypeError for text in a tag outside quotes, and for Html inside quotes: mistakes of the template, which its
 * first rendering shows.
 */
export function html(pieces: TemplateStringsArray, ...slots: readonly Slot[]): Html {
  const places = placesOf(pieces);
  const markup = pieces.map((piece, index) =>
    index === 0 ? piece : render(slots[index - 1], places[index - 1]) + piece,
  );
  return new Html(markup.join(""));
}

/** Markup that `make generate` has drawn from files of this repository; never anything that a request brings. */
export const drawnMarkup = (markup: string): Html => new Html(markup);

function render(slot: Slot, place: Place | undefined): string {
  if (slot === null || slot === undefined || slot === false) return "";
  if (isList(slot)) return slot.map((part) => render(part, place)).join("");
  if (slot instanceof Html) {
    if (place === "value") throw new TypeError("Markup is not allowed inside a quoted attribute; give text.");
    return slot.toString();
  }
  if (place === "tag") throw new TypeError("Text is not allowed in a tag outside quotes; quote the attribute's value.");
  return escapeText(String(slot));
}

// Array.isArray alone does not narrow readonly arrays.
const isList = (slot: Slot): slot is readonly Slot[] => Array.isArray(slot);

const ENTITIES: Readonly<Record<string, string>> = {
  "&": "&amp;",
  "<": "&lt;",
  ">": "&gt;",
  '"': "&quot;",
  "'": "&#39;",
};

const escapeText = (text: string) => text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? "");

// A template is one object for the life of the program, so it is walked once.
const knownPlaces = new WeakMap<TemplateStringsArray, readonly Place[]>();

function placesOf(pieces: TemplateStringsArray): readonly Place[] {
  const known = knownPlaces.get(pieces);
  if (known) return known;
  const places: Place[] = [];
  let place: Place = "text";
  let quote = "";
  for (const piece of pieces) {
    for (const character of piece) {
      if (place === "text" && character === "<") place = "tag";
      else if (place === "tag" && character === ">") place = "text";
      else if (place === "tag" && (character === '"' || character === "'")) [place, quote] = ["value", character];
      else if (place === "value" && character === quote) place = "tag";
    }
    places.push(place);
  }
  knownPlaces.set(pieces, places);
  return places;
}
