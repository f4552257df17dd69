import { type Node, parseTree } from "jsonc-parser";
import { isText, isWord } from "./text.ts";

/** What a text of JSON says, or why it is not accepted. */
type StrictJson = { readonly value: unknown } | { readonly mistake: string };

/** True for a value of JSON that has members: neither a list nor null. */
export const isJsonObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

/** The mistake of a text that is too deep for its members to be looked at. */
export const TOO_DEEP = "is nested too deeply";

/**
 * Parses JSON of a request. Refuses what JSON.parse accepts and two readers could understand differently, or no store can
 * hold: a member that occurs twice in one object (it keeps the last), NUL, and half of a surrogate pair (S40). Refuses too
 * what is nested thousands of levels deep.
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

const mistakeIn = (text: string): string | undefined =>
  firstOf(text, (node) =>
    node.type === "string" && !isText(node.value as string)
      ? "holds NUL or half of a surrogate pair"
      : repetitionAt(node, isWord),
  );

/**
 * Of a text that is JSON: that an object in it has a member twice, or that this cannot be seen because it is nested too
 * deeply, as the end of a sentence; `undefined` when none has.
 * @param isSaid whether the sentence may have that name of a member in it.
 */
export const repetitionIn = (text: string, isSaid: (name: string) => boolean): string | undefined =>
  firstOf(text, (node) => repetitionAt(node, isSaid));

function firstOf(text: string, mistakeAt: (node: Node) => string | undefined): string | undefined {
  const tree = treeOf(text);
  if (tree === "too deep") return TOO_DEEP;
  const pending = [tree];
  for (let node = pending.pop(); node !== undefined; node = pending.pop()) {
    const mistake = mistakeAt(node);
    if (mistake !== undefined) return mistake;
    // One by one: the stack does not hold a hundred thousand arguments.
    for (const child of node.children ?? []) pending.push(child);
  }
  return undefined;
}

/** The tree is made by a function that calls itself for each level, and some thousands are more than the stack holds. */
function treeOf(text: string): Node | undefined | "too deep" {
  try {
    return parseTree(text);
  } catch (error) {
    if (error instanceof RangeError) return "too deep";
    throw error;
  }
}

function repetitionAt({ type, children = [] }: Node, isSaid: (name: string) => boolean): string | undefined {
  if (type !== "object") return undefined;
  const names = new Set<string>();
  for (const member of children) {
    const name = String(member.children?.[0]?.value);
    if (names.has(name)) return isSaid(name) ? `repeats the member ${name}` : "repeats a member";
    names.add(name);
  }
  return undefined;
}
