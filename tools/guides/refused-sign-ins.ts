import { CHECKS } from "../../src/sign-on/refusals/catalogue.ts";
import type { Check } from "../../src/sign-on/refusals/check.ts";

/** Where a guide gets the list of refusals; made from the catalogue that answers come from, so that it cannot go stale. */
export const REFUSALS_MARK = "<!-- refusals: every error, made from the catalogue -->";

const PAGE = "An error page, and no error code";

type Row = readonly [name: string, check: Check & { readonly sentence?: string }];

const escaped = (text: string): string => text.replaceAll(/[*_<>[\]\\`]/g, "\\$&");

/** What is answered; placeholders, which a refusal fills, in angles. */
const answered = ([, { sentence, finding }]: Row): string =>
  (sentence ?? finding ?? "").replaceAll(/\{(\w+)\}/g, "‹$1›");

const cure = ([name, { advice }]: Row): string => `Cure: ${escaped(advice)} (\`${name}\`)`;

/** One answer with its cause and cure, or with each of them when several causes get the same answer. */
function entry(said: string, rows: readonly Row[]): string {
  const lines = rows.map((row) => {
    const { finding } = row[1];
    return finding === undefined || finding === said ? cure(row) : `Cause: ${escaped(finding)} ${cure(row)}`;
  });
  return lines.length === 1
    ? `- **${escaped(said)}** ${lines[0]}`
    : `- **${escaped(said)}**\n${lines.map((line) => `  - ${line}`).join("\n")}`;
}

/** Every error code with what causes it and what to do: a chapter per code, an entry per check. */
export function refusedSignIns(): string {
  const rows: readonly Row[] = Object.entries<Row[1]>(CHECKS);
  const chapters = Map.groupBy(rows, ([, { error }]) => (error === undefined ? PAGE : `\`${error}\``));
  const inOrder = [...chapters].toSorted(([a], [b]) => Number(b === PAGE) - Number(a === PAGE) || (a < b ? -1 : 1));
  return inOrder
    .map(([heading, checks]) => {
      const entries = [...Map.groupBy(checks, answered)].map(([said, same]) => entry(said, same));
      return `### ${heading}\n\n${entries.join("\n")}`;
    })
    .join("\n\n");
}
