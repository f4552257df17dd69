interface Node {
  readonly [key: string]: unknown;
}

/** What a `$ref` within the document leads to at last; anything else is itself. */
export function followed<T>(document: object, node: unknown): T {
  const { $ref } = (node ?? {}) as Node;
  if (typeof $ref !== "string") return node as T;
  const parts = $ref.slice(2).split("/");
  const target = parts.reduce<unknown>(
    (at, part) => (at as Node)[part.replaceAll("~1", "/").replaceAll("~0", "~")],
    document,
  );
  return followed(document, target);
}

/** A contract with what every `$ref` names in its place. Contracts have no schema that contains itself. */
export function resolved<T>(document: object): T {
  const walk = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map(walk);
    const { $ref, ...beside } = node as Node;
    const target = typeof $ref === "string" ? (walk(followed(document, { $ref })) as Node) : {};
    return { ...target, ...Object.fromEntries(Object.entries(beside).map(([key, part]) => [key, walk(part)])) };
  };
  return walk(document) as T;
}
