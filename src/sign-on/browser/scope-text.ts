import { type Html, html } from "#runtime/pages/html.ts";
import type { Texts } from "../texts/en.ts";

/** What a scope lets an application do, as the pages say it; one that has no sentence is named. */
export function scopeText(scope: string, { consent }: Texts): string | readonly (string | Html)[] {
  const sentences: Readonly<Record<string, string>> = consent.scopes;
  return Object.hasOwn(sentences, scope)
    ? (sentences[scope] ?? "")
    : consent.otherScope(html`<code><bdi>${scope}</bdi></code>`);
}
