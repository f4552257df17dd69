import { parseStrictJson } from "../basis/strict-json.ts";
import { decodeFormPart, isWord } from "../basis/text.ts";
import type { InvalidPart } from "./operation.ts";

type ParsedBody = { readonly value: unknown } | { readonly refused: InvalidPart };

const refused = (detail: string): ParsedBody => ({ refused: { in: "body", name: "/", detail } });

/** Each decodes whole texts, so one is enough; the second gives a byte order mark out as a character. */
const UTF8 = new TextDecoder("utf-8", { fatal: true });
const UTF8_WITH_MARK = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Parses a body by its media type, strictly: no duplicate members or parameters, valid UTF-8, text that a store can hold (R-S1, S40). */
export function parseBody(mediaType: string, bytes: Buffer): ParsedBody {
  let text: string;
  try {
    text = UTF8.decode(bytes);
  } catch {
    return refused("is not valid UTF-8");
  }
  return mediaType === "application/json" ? parseJson(text) : parseForm(text);
}

function parseJson(text: string): ParsedBody {
  const parsed = parseStrictJson(text);
  return "mistake" in parsed ? refused(parsed.mistake) : parsed;
}

/**
 * A form as text, for an operation that checks its parameters itself. Parameters may repeat; every name and value is
 * checked to be decodable (R-S14).
 */
export function readForm(
  bytes: Buffer,
  parametersMax: number,
): { readonly text: string } | { readonly refused: InvalidPart } {
  const where = { in: "body", name: "/" } as const;
  let text: string;
  try {
    text = UTF8_WITH_MARK.decode(bytes);
  } catch {
    return { refused: { ...where, detail: "is not valid UTF-8" } };
  }
  const pairs = text.split("&", parametersMax + 1);
  if (pairs.length > parametersMax) return { refused: { ...where, detail: "has too many parameters" } };
  return pairs.flatMap((pair) => pair.split("=")).every((part) => decodeFormPart(part) !== undefined)
    ? { text }
    : { refused: { ...where, detail: "has malformed percent-encoding, or NUL" } };
}

function parseForm(text: string): ParsedBody {
  const values = new Map<string, string>();
  for (const pair of text.split("&")) {
    if (pair === "") continue;
    const at = pair.indexOf("=");
    const name = decodeFormPart(at < 0 ? pair : pair.slice(0, at));
    const content = decodeFormPart(at < 0 ? "" : pair.slice(at + 1));
    if (name === undefined || content === undefined) return refused("has malformed percent-encoding, or NUL");
    if (values.has(name)) return refused(isWord(name) ? `repeats the parameter ${name}` : "repeats a parameter");
    values.set(name, content);
  }
  return { value: Object.fromEntries(values) };
}
