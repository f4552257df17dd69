import { PROBLEMS } from "#generated/problems.ts";
import { type Guide, guides } from "../guides/published-guides.ts";
import { headerAnchor } from "../reference/answer-headers.ts";
import { eventContract, gatewayContract, platformContract, signOnContract } from "../reference/bundles.ts";
import type { Operation, Schema } from "../reference/contract.ts";

import { eventGroups, type Group, methodGroups, operationGroups } from "../reference/outline.ts";

/** A place in the documentation that a search can lead to. */
export interface Findable {
  readonly kind: "Guide" | "Part" | "Operation" | "Event" | "Method" | "Header" | "Problem";
  readonly title: string;
  /** The title without what it is a part of, where that differs: words of a guide's title say little about a section. */
  readonly name?: string;
  /** An absolute path of this origin. */
  readonly href: string;
  /** A sentence to show. */
  readonly summary: string;
  /** Everything else that may be searched for. */
  readonly text: string;
  /** Names that programs have for it: of the call in an SDK, and of the members that are sent and answered. */
  readonly names?: readonly string[];
}

/** Guides and their sections, parts, operations, events, methods, headers and kinds of problems, in the order of the documentation. */
export function findables(): readonly Findable[] {
  const signOn = signOnContract();
  const gateway = gatewayContract();
  const events = eventContract();
  const platform = platformContract();
  return [
    ...guides().flatMap(placesOf),
    part("Sign-on", "/docs/sign-on", signOn.info.summary, signOn.info.description),
    ...operationGroups(signOn).flatMap((group) => entriesOf("/docs/sign-on", group)),
    part("Gateway", "/docs/gateway", gateway.info.summary, gateway.info.description),
    ...operationGroups(gateway).flatMap((group) => entriesOf("/docs/gateway", group)),
    ...operationGroups(gateway)
      .flatMap(({ entries }) => entries)
      .filter((entry) => entry.kind === "operation" && entry.operation.operationId === "listWorkersV2")
      .flatMap((entry) => (entry.kind === "operation" ? headersOf(entry.operation) : [])),
    part("Events", "/docs/events", "How events are sent, signed, retried and acknowledged.", events.info.description),
    ...eventGroups(events).flatMap((group) => entriesOf("/docs/events", group)),
    ...Object.values(events.components.messages)
      .slice(0, 1)
      .flatMap(({ headers }) => Object.entries(headers.properties ?? {}))
      .map(([name, { description = "" }]) => header(name, description, "/docs/events#headers")),
    part("Platform", "/docs/platform", "The gRPC methods for the platform's own back end.", platform.description),
    ...methodGroups(platform).flatMap((group) => entriesOf("/docs/platform", group)),
    ...Object.entries(PROBLEMS).map(
      ([code, { title, status, cause, fix }]): Findable => ({
        kind: "Problem",
        title: `${title} (${status})`,
        href: `/problems/${code.replaceAll("_", "-")}`,
        summary: sentence(cause),
        text: `${code} ${cause} ${fix}`,
      }),
    ),
  ];
}

/** A guide, and each of its sections. */
const placesOf = ({ name, title, summary, headings }: Guide): readonly Findable[] => {
  const href = `/docs/guides/${name}`;
  const sections = headings.map(
    ({ id, text, says, words }): Findable => ({
      kind: "Guide",
      title: `${text} (${title})`,
      name: text,
      href: `${href}#${id}`,
      summary: says === "" ? summary : sentence(says),
      text: words,
    }),
  );
  return [{ kind: "Guide", title, href, summary, text: headings.map(({ text }) => text).join(" ") }, ...sections];
};

const part = (title: string, href: string, summary: string, text: string): Findable => ({
  kind: "Part",
  title,
  href,
  summary,
  text,
});

const KINDS = { operation: "Operation", event: "Event", method: "Method" } as const;

const entriesOf = (page: string, { name, entries }: Group): readonly Findable[] =>
  entries.map((entry) => {
    const parameters = entry.kind === "operation" ? entry.parameters : [];
    return {
      kind: KINDS[entry.kind],
      title: entry.version === undefined ? entry.title : `${entry.title} (${entry.version})`,
      href: `${page}#${entry.anchor}`,
      summary: entry.kind === "event" || entry.says === "" ? entry.summary : sentence(entry.says),
      text: [
        name,
        entry.summary,
        entry.path ?? "",
        entry.says,
        ...parameters.map(({ name: one, description }) => `${one} ${description}`),
      ].join(" "),
      names: namesOf(entry),
    };
  });

function namesOf(entry: Group["entries"][number]): readonly string[] {
  if (entry.kind === "method") return [];
  if (entry.kind === "event") return [...new Set(membersOf(entry.message.payload))];
  const { operationId, requestBody, responses } = entry.operation;
  const good = Object.entries(responses).flatMap(([status, { content }]) => (status.startsWith("2") ? [content] : []));
  const schemas = [requestBody?.content, ...good].flatMap((content) => Object.values(content ?? {}));
  return [...new Set([operationId, ...schemas.flatMap(({ schema }) => membersOf(schema))])];
}

/** The names of all members, of members too. */
const membersOf = ({ properties = {}, items, oneOf = [] }: Schema = {}): readonly string[] => [
  ...Object.entries(properties).flatMap(([name, schema]) => [name, ...membersOf(schema)]),
  ...[...oneOf, ...(items === undefined ? [] : [items])].flatMap(membersOf),
];

/** The headers of one operation's answers, each once: what it is in the good answer, which comes first. */
const headersOf = ({ responses }: Operation): readonly Findable[] => {
  const all = Object.values(responses).flatMap(({ headers = {} }) => Object.entries(headers));
  return [...Map.groupBy(all, ([name]) => name)].map(([name, [first]]) =>
    header(name.toLowerCase(), first?.[1].description ?? "", `/docs/gateway#${headerAnchor(name)}`),
  );
};

const header = (name: string, description: string, href: string): Findable => ({
  kind: "Header",
  title: name,
  href,
  summary: sentence(description),
  text: description,
});

/** The first sentence, without the marks of Markdown; what is in parentheses ends none. */
const sentence = (markdown: string): string =>
  (/^(?:\([^()]*\)|\((?![^()]*\))|[.:;](?!\s|$)|[^.:;(])*?[.:;](?=\s|$)/s.exec(markdown)?.[0] ?? markdown)
    .replaceAll(/[`*]/g, "")
    .replaceAll(/\s+/g, " ")
    .replace(/[:;]$/, ".")
    .trim();
