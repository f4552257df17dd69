import { assets } from "#runtime/pages/assets.ts";
import { html } from "#runtime/pages/html.ts";
import type { Servers } from "../contracts/published-contracts.ts";
import { documentationAssets } from "./documentation-assets.ts";

/** A contract that is drawn for reading. */
export interface Documented {
  readonly page: string;
  readonly title: string;
  /** What the part does, in a sentence. */
  readonly says: string;
  /** Address of the contract as JSON, which the page draws. */
  readonly contract: string;
  /** All downloads. */
  readonly downloads: readonly { readonly name: string; readonly href: string }[];
}

/** In the order of the navigation. */
export const DOCUMENTED: readonly Documented[] = [
  documented({
    page: "sign-on",
    title: "Sign-on",
    says: "Sends people back to your application signed in: OAuth 2.0 authorization code flow with OpenID Connect.",
    contract: "sign-on",
  }),
  documented({
    page: "gateway",
    title: "Gateway",
    says: "Answers holders of an API key who works where: clients, workers and users of the instances it is connected to.",
    contract: "gateway",
  }),
  documented({
    page: "events",
    title: "Events",
    says: "Signed messages to your endpoint when something changes (Standard Webhooks). Test your verifier with the signed examples.",
    contract: "webhooks.asyncapi",
    more: [{ name: "Signed examples", href: "/contracts/webhooks.vectors.json" }],
  }),
];

/**
 * The server address to show in place of the contract's variable; `undefined` for events, which go to the integrator's
 * endpoints.
 */
const serverOf = ({ page }: Documented, { issuer, gatewayUrl }: Servers): string | undefined =>
  ({ "sign-on": issuer, gateway: gatewayUrl })[page];

/** One contract to read, with links to the others (R-D7). Redoc draws everything below the masthead in the browser. */
export function documentationPage(shown: Documented, servers: Servers): string {
  const server = serverOf(shown, servers);
  const { stylesheet, script, renderer } = documentationAssets;
  const document = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<title>${shown.title} documentation · Gatehouse</title>
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<link rel="stylesheet" href="${stylesheet.href}">
<link rel="icon" type="image/svg+xml" href="${assets.icon.href}">
<link rel="modulepreload" href="${renderer.href}">
<script type="module" src="${script.href}"></script>
</head>
<body>
<header class="masthead">
<h1 class="heard">${shown.title} documentation</h1>
<a class="brand" href="/"><img src="${assets.icon.href}" alt="" width="28" height="28"><span>Gatehouse</span></a>
<nav aria-label="Documentation"><ul role="list"><li><a href="/docs">Overview</a></li>${DOCUMENTED.map((one) => entry(one, shown))}</ul></nav>
<p class="downloads"><span>Contract</span> ${shown.downloads.map(({ name, href }) => html`<a href="${href}">${name}</a> `)}</p>
</header>
<noscript><p class="notice">This page is drawn by a script. Without one, read the contract itself: it is linked above.</p></noscript>
<p class="notice" id="failed" role="alert" hidden>The contract cannot be shown. Read it as a file: it is linked above.</p>
<div id="documentation" data-contract="${shown.contract}" data-renderer="${renderer.href}"${server !== undefined && html` data-server="${server}"`}></div>
</body>
</html>
`;
  return document.toString();
}

const entry = ({ page, title }: Documented, shown: Documented) =>
  html`<li><a href="/docs/${page}"${page === shown.page && html` aria-current="page"`}>${title}</a></li>`;

function documented({
  contract,
  more = [],
  ...rest
}: Pick<Documented, "page" | "title" | "says" | "contract"> & { readonly more?: Documented["downloads"] }): Documented {
  const json = `/contracts/${contract}.json`;
  const downloads = [{ name: "YAML", href: `/contracts/${contract}.yaml` }, { name: "JSON", href: json }, ...more];
  return { ...rest, contract: json, downloads };
}
