import type { Servers } from "../contracts/published-contracts.ts";
import { DOCUMENTED } from "../frame/documented.ts";
import { type Audience, guides } from "../guides/published-guides.ts";
import { SDK_LANGUAGES, type SdkLanguage } from "../sdks/sdk-archive.ts";

const CHAPTERS: readonly { readonly audience: Audience; readonly title: string }[] = [
  { audience: "integrators", title: "Guides for integrators" },
  { audience: "platforms", title: "Guides for the platform's back end" },
  { audience: "operators", title: "Guides for operators" },
];

const SDK_NAMES: Readonly<Record<SdkLanguage, string>> = {
  typescript: "TypeScript and JavaScript",
  python: "Python",
  go: "Go",
  java: "Java",
};

/**
 * What this installation offers to read and to install, in Markdown of the form of llmstxt.org: a heading, a sentence,
 * and lists of links with what is behind them (R-X400).
 */
export function overview({ issuer, gatewayUrl }: Servers): string {
  const link = (name: string, path: string, says: string) => `- [${name}](${gatewayUrl}${path}): ${says}`;
  const chapter = (title: string, lines: readonly string[]) => `## ${title}\n\n${lines.join("\n")}\n`;
  return [
    "# Gatehouse\n",
    "> Signs people in to other applications (OAuth 2.0 authorization code flow, OpenID Connect), answers who works where to holders of an API key, and posts signed events when that changes (Standard Webhooks).\n",
    `The issuer of this installation is ${issuer}; its discovery document is ${issuer}/.well-known/openid-configuration. Its gateway is ${gatewayUrl}. The server checks every request against the contracts below. The \`type\` of a problem (RFC 9457), and the \`error_uri\` of an OAuth error, is an address that says its cause and its cure.\n`,
    ...CHAPTERS.map(({ audience, title }) =>
      chapter(
        title,
        guides()
          .filter((guide) => guide.audience === audience)
          .map((guide) => link(guide.title, `/docs/guides/${guide.name}.md`, guide.summary)),
      ),
    ),
    chapter(
      "Contracts",
      DOCUMENTED.flatMap(({ title, says, downloads }) =>
        downloads.map(({ name, href }) => link(`${title}: ${name}`, href, says)),
      ),
    ),
    chapter("To install", [
      ...SDK_LANGUAGES.map((language) =>
        link(
          `SDK for ${SDK_NAMES[language]}`,
          `/sdks/${language}.tgz`,
          "Client of sign-on and gateway, and verifier of events.",
        ),
      ),
      link(
        "Tools for receivers",
        "/tools/gatehouse-webhooks.tgz",
        "The npm package gatehouse-webhooks: listen to events, trigger them, check a receiver.",
      ),
    ]),
    chapter("Optional", [
      link("Problems", "/problems", "Every code of a problem, with cause, cure and an example."),
      link("Reference", "/docs", "Every operation and event, drawn for people."),
    ]),
  ].join("\n");
}
