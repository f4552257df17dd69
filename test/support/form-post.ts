const ENTITIES: Readonly<Record<string, string>> = { amp: "&", lt: "<", gt: ">", quot: '"', "#39": "'" };
const unescaped = (text: string) =>
  text.replaceAll(/&(amp|lt|gt|quot|#39);/g, (_, name: string) => ENTITIES[name] ?? "");

/** What a page that posts an answer would send, and where to. */
export function fieldsOf(markup: string): { readonly action: string; readonly fields: readonly [string, string][] } {
  const action = /<form method="post" action="([^"]*)">/.exec(markup)?.[1];
  if (action === undefined) throw new Error(`No form in: ${markup}`);
  const inputs = [...markup.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)">/g)];
  return {
    action: unescaped(action),
    fields: inputs.map(([, name = "", value = ""]) => [unescaped(name), unescaped(value)]),
  };
}
