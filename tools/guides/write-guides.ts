import { mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import type { Audience, Guide } from "../../src/portal/guides/published-guides.ts";
import { drawGuide, outlineOf } from "./draw-guide.ts";
import { type LinkTargets, resolveLink } from "./link-targets.ts";
import { REFUSALS_MARK, refusedSignIns } from "./refused-sign-ins.ts";

const SOURCES = join("docs", "guides");
/** The list of guides: their order, and whom each is for by the heading above it. */
const LIST = "README.md";
const AUDIENCES: Readonly<Record<string, Audience>> = {
  "For integrators": "integrators",
  "For operators": "operators",
  "For the platform's back end": "platforms",
};

interface Listed {
  readonly name: string;
  readonly audience: Audience;
}

/** The guides that the list names, in its order. */
function listed(list: string): readonly Listed[] {
  return list.split(/^## /m).flatMap((part) => {
    const audience = AUDIENCES[part.split("\n", 1)[0] ?? ""];
    if (audience === undefined) return [];
    return [...part.matchAll(/\]\(([a-z0-9-]+)\.md\)/g)].map(([, name = ""]) => ({ name, audience }));
  });
}

/**
 * Draws every guide of a folder and returns the files to serve: `index.json`, and `.html` and `.md` of each guide.
 * @throws Error naming everything that is wrong: a link to nothing, markup, a block that gives no reason for not being run, a guide that is
 * not in the list.
 */
export function drawnGuides(targets: Omit<LinkTargets, "guides">, folder = SOURCES): ReadonlyMap<string, string> {
  const order = listed(readFileSync(join(folder, LIST), "utf8"));
  const sources = new Map(
    order.map(({ name }) => [
      name,
      readFileSync(join(folder, `${name}.md`), "utf8").replace(REFUSALS_MARK, refusedSignIns),
    ]),
  );
  const problems = readdirSync(folder)
    .filter((file) => file !== LIST && !sources.has(file.replace(/\.md$/, "")))
    .map((file) => `${file} is not in ${LIST}`);
  const ids = new Map(
    [...sources].map(([name, source]) => [name, new Set(outlineOf(source).headings.map(({ id }) => id))]),
  );
  const files = new Map<string, string>();
  const index: Guide[] = [];
  for (const { name, audience } of order) {
    const source = sources.get(name) ?? "";
    const { body, problems: found, ...drawn } = drawGuide(name, source, { ...targets, guides: ids });
    problems.push(...found.map((problem) => `${name}.md ${problem}`));
    index.push({ name, audience, ...drawn });
    files.set(`${name}.html`, body).set(`${name}.md`, servedSource(name, source, { ...targets, guides: ids }));
  }
  if (problems.length > 0) throw new Error(`${folder}:\n${problems.map((problem) => `- ${problem}`).join("\n")}`);
  return files.set("index.json", `${JSON.stringify(index, null, 2)}\n`);
}

/** A guide as Markdown for readers of a server, who have no repository: a file of it is named, as on the page. */
const servedSource = (name: string, source: string, targets: LinkTargets): string =>
  source
    .split(/^(```[\s\S]*?^```)$/m)
    .map((part) =>
      part.startsWith("```")
        ? part
        : part.replaceAll(/\[([^\]]+)\]\(([^()\s]+)\)/g, (link, text: string, href: string) => {
            const target = resolveLink(href, name, targets);
            return "file" in target ? `${text} (\`${target.file}\` in the source)` : link;
          }),
    )
    .join("");

/** Writes them into `generated/docs/guides`. */
export function writeGuides(target: string, targets: Omit<LinkTargets, "guides">): void {
  mkdirSync(target, { recursive: true });
  for (const [file, text] of drawnGuides(targets)) writeFileSync(join(target, file), text);
}
