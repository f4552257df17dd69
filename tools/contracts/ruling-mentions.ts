const RULING = /\bR-[A-Z]\d+\b/;

/** Every text of the document with its JSON pointer, except those in `x-ruling`. */
function* textsOf(node: unknown, pointer = "#"): Generator<readonly [string, string]> {
  if (typeof node === "string") yield [pointer, node];
  if (typeof node !== "object" || node === null) return;
  for (const [key, part] of Object.entries(node))
    if (key !== "x-ruling") yield* textsOf(part, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

/**
 * Texts of a contract that name a ruling, one line each. Integrators read contracts without our rulings, so a sentence
 * must state the decision itself. The numbers belong in `x-ruling`, or in a comment of the source.
 */
export const rulingMentions = (document: object): readonly string[] =>
  [...textsOf(document)].flatMap(([place, text]) => {
    const [ruling] = RULING.exec(text) ?? [];
    return ruling === undefined ? [] : [`${place}: names ${ruling}`];
  });
