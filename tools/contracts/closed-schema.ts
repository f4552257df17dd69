/**
 * A copy of a document in which every object schema refuses undeclared members, and every list that may grow refuses
 * other words. Added members and words are harmless to a client, but from our own server they are a leak or an outdated
 * contract. Schemas joined by `allOf` stay open, since each sees the members of the others.
 */
export function closed(node: unknown, open = false): unknown {
  if (Array.isArray(node)) return node.map((part) => closed(part, open));
  if (typeof node !== "object" || node === null) return node;
  const schema = node as Readonly<Record<string, unknown>>;
  const copy = {
    ...Object.fromEntries(
      Object.entries(schema).map(([key, part]) => [
        key,
        key === "example" || key === "examples" ? part : closed(part, key === "allOf"),
      ]),
    ),
    ...(Array.isArray(schema["x-extensible-enum"]) && { enum: [...schema["x-extensible-enum"], ...nullOf(schema)] }),
  };
  const declaresMembers = schema.type === "object" && typeof schema.properties === "object";
  const saysItself = "additionalProperties" in schema || "unevaluatedProperties" in schema || "allOf" in schema;
  return declaresMembers && !saysItself && !open ? { ...copy, additionalProperties: false } : copy;
}

const nullOf = ({ type }: Readonly<Record<string, unknown>>): readonly null[] =>
  Array.isArray(type) && type.includes("null") ? [null] : [];
