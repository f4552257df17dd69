import { type Html, html } from "../html.ts";

/** The frame of every page of this program. `live` adds the script that fetches new events. */
export function layout(title: string, main: Html, { live = false } = {}): string {
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title}</title>
<link rel="icon" href="/icon.svg" type="image/svg+xml">
<link rel="stylesheet" href="/style.css">
${live && html`<script type="module" src="/live.js"></script>`}
</head>
<body>
<header class="masthead">
<a class="brand" href="/"><img src="/icon.svg" alt="" width="44" height="44"><span>Marigold</span></a>
<p>A sample integrator. It is not part of Gatehouse: it knows the published contracts and nothing else.</p>
</header>
<main>
${main}
</main>
<footer><p>Copy what you like: <code>examples/integrator</code>, made of node:http, openid-client and standardwebhooks.</p></footer>
</body>
</html>
`;
  return page.markup;
}
