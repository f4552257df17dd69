interface Node {
  readonly [key: string]: unknown;
}

/** A contract with what every `$ref` names in its place. Contracts have no schema that contains itself. */
export function resolved<T>(document: object): T {
  const at = (pointer: string): unknown =>
    pointer
      .slice(2)
      .split("/")
      .reduce<unknown>((node, part) => (node as Node)[part.replaceAll("~1", "/").replaceAll("~0", "~")], document);
  const walk = (node: unknown): unknown => {
    if (typeof node !== "object" || node === null) return node;
    if (Array.isArray(node)) return node.map(walk);
    const { $ref, ...beside } = node as Node;
    const target = typeof $ref === "string" ? (walk(at($ref)) as Node) : {};
    return { ...target, ...Object.fromEntries(Object.entries(beside).map(([key, part]) => [key, walk(part)])) };
  };
  return walk(document) as T;
}
