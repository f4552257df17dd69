import { frame } from "#runtime/pages/frame.ts";
import { html } from "#runtime/pages/html.ts";

/** For a browser at an address that leads nowhere (R-X208). The address itself is not repeated. */
export const unknownAddressPage = (requestId: string): string =>
  frame({
    title: "Page not found",
    language: "en",
    layout: "court",
    skipLink: "Skip to the content",
    body: html`<div class="wall">
<div class="closed">
<p class="bars"><span>404</span></p>
<div>
<h1>Page not found</h1>
<p class="lead">There is no page at this address.</p>
</div>
</div>
</div>
<div class="pavement">
<p>Check the address for a typing mistake. If a link brought you here, the page may have moved.</p>
<p>Look for it on the <a href="/">front page</a> or in the <a href="/docs">documentation</a>.</p>
<p class="aside">Request id: <code>${requestId}</code></p>
</div>`,
    footer: html`<p><a href="/">Front page</a></p>`,
  });
