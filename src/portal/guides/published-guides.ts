import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Servers } from "../contracts/published-contracts.ts";

/** A heading of a guide; `depth` 2 is a section, 3 a part of one. */
export interface GuideHeading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** A section of a guide, as a search finds it: all of it up to the next heading that is not a language. */
export interface GuideSection extends GuideHeading {
  /** Its first paragraph in plain words; empty when it begins with a table. */
  readonly says: string;
  /** Its sentences, lists and tables in plain words, without programs. */
  readonly words: string;
}

/** Whom a guide is for. */
export type Audience = "integrators" | "operators" | "platforms";

/** One guide, as lists and searches show it; its page is `/docs/guides/{name}`. */
export interface Guide {
  readonly name: string;
  readonly audience: Audience;
  readonly title: string;
  /** What one has at its end, in a sentence or two. */
  readonly summary: string;
  readonly headings: readonly GuideSection[];
  /** Languages and tools that its programs are shown in, in order; empty when it has no choice. */
  readonly languages: readonly string[];
}

/** A guide with what is served of it. */
export interface PublishedGuide extends Guide {
  /** Markup below title and summary. */
  readonly body: string;
  /** The whole guide in Markdown. */
  readonly markdown: string;
}

/** The addresses that guides are written with. */
export const WRITTEN = { issuer: "https://sign-on.example", gatewayUrl: "https://gateway.example" } as const;

const FOLDER = join(import.meta.dirname, "..", "..", "..", "generated", "docs", "guides");

const read = (file: string): string => readFileSync(join(FOLDER, file), "utf8");

let list: readonly Guide[] | undefined;

/** Every guide, in reading order. Read when it is first asked for. */
export function guides(): readonly Guide[] {
  list ??= JSON.parse(read("index.json")) as readonly Guide[];
  return list;
}

/** A section of a guide as a link to it. */
export interface GuidePlace {
  /** An absolute path of this origin. */
  readonly href: string;
  readonly section: string;
  readonly guide: string;
}

/**
 * The link to a section that is named like `read-the-gateway#wait-then-repeat`.
 * @throws Error when there is no such guide or section: a mistake of the name, which the first drawing shows.
 */
export function getGuidePlace(name: string): GuidePlace {
  const [guideName, id] = name.split("#");
  const guide = guides().find((one) => one.name === guideName);
  const section = guide?.headings.find((heading) => heading.id === id);
  if (guide === undefined || section === undefined) throw new Error(`No guide has the section ${name}.`);
  return { href: `/docs/guides/${name}`, section: section.text, guide: guide.title };
}

/** A guide with the addresses of this installation in place of the written ones (R-X190). */
export function publishedGuide(guide: Guide, { issuer, gatewayUrl }: Servers): PublishedGuide {
  const here = (text: string): string =>
    text.replaceAll(WRITTEN.issuer, () => issuer).replaceAll(WRITTEN.gatewayUrl, () => gatewayUrl);
  return { ...guide, body: here(read(`${guide.name}.html`)), markdown: here(read(`${guide.name}.md`)) };
}
