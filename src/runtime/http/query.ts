import { decodeFormPart } from "../basis/text.ts";
import type { InvalidPart } from "./operation.ts";

/** Of a query or a form. */
export const PARAMETERS_MAX = 200;

/**
 * Declared parameters only (the others are ignored, R-G9, R-S14); a repeated one becomes an array, which no scalar schema takes.
 * @param lenient the operation checks its parameters itself, and so reads them itself: here it only learns of declared ones that
 * cannot be decoded. Undeclared ones are ignored, even malformed ones (R-S14).
 */
export function parseQuery(
  rawQuery: string,
  declared: ReadonlySet<string>,
  lenient: boolean,
): { query: Record<string, string | string[]>; parts: InvalidPart[] } {
  const query: Record<string, string | string[]> = {};
  if (rawQuery === "") return { query, parts: [] };
  const pairs = rawQuery.split("&", PARAMETERS_MAX + 1);
  if (pairs.length > PARAMETERS_MAX)
    return { query, parts: [{ in: "query", name: "", detail: "has too many parameters" }] };
  const parts: InvalidPart[] = [];
  for (const pair of pairs) {
    if (lenient && !pair.includes("%")) continue;
    const [rawName = "", rawValue = ""] = splitOnce(pair, "=");
    const name = decodeFormPart(rawName);
    const value = decodeFormPart(rawValue);
    if (lenient && name !== undefined && !declared.has(name)) continue;
    if (name === undefined || value === undefined) {
      if (parts.every((part) => part.name !== (name ?? "")))
        parts.push({ in: "query", name: name ?? "", detail: "has malformed percent-encoding, or NUL" });
      continue;
    }
    if (lenient || !declared.has(name)) continue;
    const before = query[name];
    query[name] = before === undefined ? value : [...(Array.isArray(before) ? before : [before]), value];
  }
  return { query, parts };
}

/** What stands before the first separator and behind it; without one, the text and nothing. */
export function splitOnce(text: string, separator: string): [string, string] {
  const at = text.indexOf(separator);
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}
