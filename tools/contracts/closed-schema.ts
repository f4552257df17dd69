/**
 * A copy of a document in which every object schema refuses undeclared members. Added members are harmless to a client,
 * but from our own server they are a leak or an outdated contract. Schemas joined by `allOf` stay open, since each sees
 * the members of the others.
 */
export function closed(node: unknown, open = false): unknown {
  if (Array.isArray(node)) return node.map((part) => closed(part, open));
  if (typeof node !== "object" || node === null) return node;
  const schema = node as Readonly<Record<string, unknown>>;
  const copy = Object.fromEntries(
    Object.entries(schema).map(([key, part]) => [
      key,
      key === "example" || key === "examples" ? part : closed(part, key === "allOf"),
    ]),
  );
  const declaresMembers = schema.type === "object" && typeof schema.properties === "object";
  const saysItself = "additionalProperties" in schema || "unevaluatedProperties" in schema || "allOf" in schema;
  return declaresMembers && !saysItself && !open ? { ...copy, additionalProperties: false } : copy;
}
