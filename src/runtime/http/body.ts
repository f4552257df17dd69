import { parseTree } from "jsonc-parser";
import type { InvalidPart } from "./operation.ts";

export type ParsedBody = { readonly value: unknown } | { readonly refused: InvalidPart };

const refused = (detail: string): ParsedBody => ({ refused: { in: "body", name: "/", detail } });

/** Parses a body by its media type, strictly: no duplicate members or parameters, valid UTF-8 (R-S1). */
export function parseBody(mediaType: string, bytes: Buffer): ParsedBody {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return refused("is not valid UTF-8");
  }
  return mediaType === "application/json" ? parseJson(text) : parseForm(text);
}

function parseJson(text: string): ParsedBody {
  try {
    const value: unknown = JSON.parse(text);
    const repeated = repeatedMember(text);
    return repeated === undefined ? { value } : refused(`repeats the member ${repeated}`);
  } catch {
    return refused("is not JSON");
  }
}

/** The first member that stands twice in one object. JSON.parse would silently keep the last. */
function repeatedMember(text: string): string | undefined {
  const pending = [parseTree(text)];
  while (pending.length > 0) {
    const node = pending.pop();
    if (node?.type === "object") {
      const names = (node.children ?? []).map((member) => String(member.children?.[0]?.value));
      const repeated = names.find((name, index) => names.indexOf(name) !== index);
      if (repeated !== undefined) return repeated;
    }
    pending.push(...(node?.children ?? []));
  }
  return undefined;
}

function parseForm(text: string): ParsedBody {
  const value: Record<string, string> = Object.create(null) as Record<string, string>;
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decodeFormPart(at < 0 ? pair : pair.slice(0, at));
    const content = decodeFormPart(at < 0 ? "" : pair.slice(at + 1));
    if (name === undefined || content === undefined) return refused("has malformed percent-encoding");
    if (name in value) return refused(`repeats the parameter ${name}`);
    value[name] = content;
  }
  return { value: { ...value } };
}

/** application/x-www-form-urlencoded, strictly; undefined for malformed encoding. */
export function decodeFormPart(text: string): string | undefined {
  try {
    return decodeURIComponent(text.replaceAll("+", " "));
  } catch {
    return undefined;
  }
}
