/** Markup that is safe in a page: only `html` makes it, and `html` escapes. */
export class Html {
  readonly markup: string;
  constructor(markup: string) {
    this.markup = markup;
  }
}

export type HtmlValue = string | number | false | null | undefined | Html | readonly HtmlValue[];

/** Template tag. Text is escaped, nested `html` is kept, lists are joined, absent values become empty. */
export function html(literals: TemplateStringsArray, ...values: readonly HtmlValue[]): Html {
  return new Html(String.raw({ raw: literals }, ...values.map(toMarkup)));
}

function toMarkup(value: HtmlValue): string {
  if (value instanceof Html) return value.markup;
  if (Array.isArray(value)) return value.map(toMarkup).join("");
  if (value === null || value === undefined || value === false) return "";
  return String(value).replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
