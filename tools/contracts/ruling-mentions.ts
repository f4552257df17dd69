const RULING = /\bR-[A-Z]\d+\b/;

/** Every text of the document with its JSON pointer, but for what stands in `x-ruling`. */
function* textsOf(node: unknown, pointer = "#"): Generator<readonly [string, string]> {
  if (typeof node === "string") yield [pointer, node];
  if (typeof node !== "object" || node === null) return;
  for (const [key, part] of Object.entries(node))
    if (key !== "x-ruling") yield* textsOf(part, `${pointer}/${key.replaceAll("~", "~0").replaceAll("/", "~1")}`);
}

/**
 * Where a text of a contract names a ruling, one line each. Integrators read contracts and do not have our rulings: a sentence must say by
 * itself what was decided. The numbers belong into `x-ruling`, or into a comment of the source.
 */
export const rulingMentions = (document: object): readonly string[] =>
  [...textsOf(document)].flatMap(([place, text]) => {
    const [ruling] = RULING.exec(text) ?? [];
    return ruling === undefined ? [] : [`${place}: names ${ruling}`];
  });
