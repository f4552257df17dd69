import { readFileSync } from "node:fs";
import { join } from "node:path";
import type { Servers } from "../contracts/published-contracts.ts";

/** A heading of a guide; `depth` 2 is a section, 3 a part of one. */
export interface GuideHeading {
  readonly id: string;
  readonly text: string;
  readonly depth: number;
}

/** Whom a guide is for. */
export type Audience = "integrators" | "operators";

/** One guide, as lists and searches show it; its page is `/docs/guides/{name}`. */
export interface Guide {
  readonly name: string;
  readonly audience: Audience;
  readonly title: string;
  /** What one has at its end, in a sentence or two. */
  readonly summary: string;
  readonly headings: readonly GuideHeading[];
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

/** Every guide, in reading order. */
export const guides = (): readonly Guide[] => JSON.parse(read("index.json")) as readonly Guide[];

/** Every guide by name, with the addresses of this installation in place of the written ones (R-X190). Read once, at start. */
export function publishedGuides({ issuer, gatewayUrl }: Servers): ReadonlyMap<string, PublishedGuide> {
  const here = (text: string): string =>
    text.replaceAll(WRITTEN.issuer, () => issuer).replaceAll(WRITTEN.gatewayUrl, () => gatewayUrl);
  return new Map(
    guides().map((guide) => [
      guide.name,
      { ...guide, body: here(read(`${guide.name}.html`)), markdown: here(read(`${guide.name}.md`)) },
    ]),
  );
}
