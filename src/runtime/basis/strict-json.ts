import { parseTree } from "jsonc-parser";
import { isText, isWord } from "./text.ts";

/** What a text of JSON says, or why it is not accepted. */
type StrictJson = { readonly value: unknown } | { readonly mistake: string };

/**
 * Parses JSON of a request. Refuses what JSON.parse accepts and two readers could understand differently, or no store can
 * hold: a member that occurs twice in one object (it keeps the last), NUL, and half of a surrogate pair (S40).
 */
export function parseStrictJson(text: string): StrictJson {
  try {
    const value: unknown = JSON.parse(text);
    const mistake = mistakeIn(text);
    return mistake === undefined ? { value } : { mistake };
  } catch {
    return { mistake: "is not JSON" };
  }
}

function mistakeIn(text: string): string | undefined {
  const pending = [parseTree(text)];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const { type, value, children = [] } = node;
    if (type === "string" && !isText(value as string)) return "holds NUL or half of a surrogate pair";
    if (type === "object") {
      const names = new Set<string>();
      for (const member of children) {
        const name = String(member.children?.[0]?.value);
        if (names.has(name)) return isWord(name) ? `repeats the member ${name}` : "repeats a member";
        names.add(name);
      }
    }
    pending.push(...children);
  }
  return undefined;
}
