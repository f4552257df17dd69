import { html } from "#runtime/pages/html.ts";
import { courtPage } from "../frame/court-page.ts";
import { guideLinks } from "../guides/guide-list.ts";
import type { Guide } from "../guides/published-guides.ts";

/** Where one contract is published, as paths of this origin: the same document twice. */
interface ContractLinks {
  readonly yaml: string;
  readonly json: string;
}

export interface FrontPageValues {
  readonly version: string;
  /** Origin of the sign-on server, without a slash at the end. */
  readonly issuer: string;
  /** Public address of the gateway, without a slash at the end. */
  readonly gatewayUrl: string;
  readonly guides: readonly Guide[];
  readonly contracts: {
    readonly signOn: ContractLinks;
    readonly gateway: ContractLinks;
    readonly webhooks: ContractLinks;
  };
  readonly healthUrl?: string | undefined;
  /** The sample integrator, when one was started along. */
  readonly sampleUrl?: string | undefined;
  /** How the roles call each other, in a word or two. */
  readonly carrier?: string | undefined;
}

interface Document {
  readonly name: string;
  /** Absent when a browser could not open the address. */
  readonly href?: string;
  readonly says: string;
  /** One line for a shell, or several; absent for a page that people open. */
  readonly command?: string;
}

/**
 * The front page: the guides, one sentence for each part, and every document that an integrator starts from, with a
 * command to try unless it is a page for people (R-D7).
 */
export function frontPage(values: FrontPageValues): string {
  const { version, guides, contracts, carrier } = values;
  return courtPage({
    title: "What runs here",
    body: html`<div class="wall">
<h1 class="motto"><span>Sign people in.</span> <span>Read who works where.</span> <span>Be told when it changes.</span></h1>
<p class="lead">Three services at one address. Each has a contract, and the server enforces it.</p>
${guideLinks(guides.filter(({ audience }) => audience === "integrators"))}
<div class="arcade">
${bay("Sign-on", "/docs/sign-on", contracts.signOn, "Sends people back to your application signed in: OAuth 2.0 authorization code flow with OpenID Connect.")}
${bay("Gateway", "/docs/gateway", contracts.gateway, "Answers who works where, for an API key: companies, workers and users of its instances. Integrations manage their own webhooks there too.")}
${bay("Events", "/docs/events", contracts.webhooks, "Posts a signed event to your endpoint when something changes, in up to three attempts (Standard Webhooks).")}
</div>
</div>
<div class="pavement">
<h2 class="chapter">Where to begin</h2>
<ul class="documents" role="list">
${documentsOf(values).map(row)}
</ul>
</div>`,
    footer: html`<p>Gatehouse ${version}${carrier !== undefined && [" · calls between roles: ", carrier]}</p>`,
  });
}

/** For people first, then what an integrator starts from, and last what only programs read. */
function documentsOf({ issuer, gatewayUrl, contracts, healthUrl, sampleUrl }: FrontPageValues): readonly Document[] {
  const discoveryUrl = `${issuer}/.well-known/openid-configuration`;
  const jwksUrl = `${issuer}/.well-known/jwks.json`;
  const contractUrls = Object.values(contracts).map(({ yaml }) => new URL(yaml, gatewayUrl).href);
  return [
    ...(sampleUrl === undefined
      ? []
      : [
          {
            name: "Sample integrator",
            href: sampleUrl,
            says: "A small application that signs you in, reads and receives.",
          },
        ]),
    {
      name: "Your account",
      href: `${issuer}/auth/account`,
      says: "Where you are signed in, which applications have access, and your password.",
    },
    {
      name: "Discovery document",
      href: discoveryUrl,
      says: "Everything that an OpenID Connect library asks for.",
      command: `curl ${discoveryUrl}`,
    },
    {
      name: "Instance integrations",
      says: "The first question to the gateway. Needs an API key.",
      command: `curl -H "x-api-key: $API_KEY" \\\n  ${gatewayUrl}/v1/instance-integrations`,
    },
    {
      name: "Contracts",
      href: "/docs",
      says: "What each part promises, each in one file.",
      command: contractUrls.map((url) => `curl ${url}`).join("\n"),
    },
    {
      name: "For the platform's back end",
      href: "/docs/platform",
      says: "Writes what integrators read, by gRPC on a private socket.",
      command: ["workforce", "sign-on"]
        .map((name) => `curl ${new URL(`/contracts/platform.${name}.proto`, gatewayUrl).href}`)
        .join("\n"),
    },
    {
      name: "Signing keys",
      href: jwksUrl,
      says: "The public keys that verify our tokens (JWKS).",
      command: `curl ${jwksUrl}`,
    },
    ...(healthUrl === undefined
      ? []
      : [{ name: "Health", href: healthUrl, says: "Whether every part is ready.", command: `curl ${healthUrl}` }]),
  ];
}

const bay = (name: string, documentation: string, contract: ContractLinks, says: string) => html`<section class="bay">
<h2>${name}</h2>
<p>${says}</p>
<p class="links"><a href="${documentation}" aria-label="${name} documentation">Documentation</a> <span class="together">Contract: <a href="${contract.yaml}" aria-label="${name} contract, YAML">YAML</a> <a href="${contract.json}" aria-label="${name} contract, JSON">JSON</a></span></p>
</section>`;

const row = ({ name, href, says, command }: Document) => html`<li class="document">
<div><h3>${href === undefined ? name : html`<a href="${href}">${name}</a>`}</h3>
<p>${says}</p></div>
${command !== undefined && html`<pre><code>${command}</code></pre>`}
</li>`;
