import { html } from "#runtime/pages/html.ts";
import { closedGate, courtPage } from "../frame/court-page.ts";

/** For a browser at an address that leads nowhere (R-X208). The address itself is not repeated. */
export const unknownAddressPage = (requestId: string, status: "400" | "404"): string =>
  courtPage({
    title: "Page not found",
    indexed: false,
    body: html`${closedGate(status, "Page not found", html`There is no page at this address.`)}
<div class="pavement">
<p>Check the address for a typing mistake. If a link brought you here, the page may have moved.</p>
<p>Look for it on the <a href="/">front page</a> or in the <a href="/docs">documentation</a>.</p>
<p class="aside">Request id: <code>${requestId}</code></p>
</div>`,
  });
