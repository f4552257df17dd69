import { pageTitles } from "../../src/sign-on/browser/error-page.ts";
import { CHECKS, type CheckName } from "../../src/sign-on/refusals/catalogue.ts";
import { type Check, ERROR_MEANINGS, type ErrorCode, OAUTH_ERROR_CODES } from "../../src/sign-on/refusals/check.ts";
import { en } from "../../src/sign-on/texts/en.ts";

/** Where a guide gets the list of refusals; made from the catalogue that answers come from, so that it cannot go stale. */
export const REFUSALS_MARK = "<!-- refusals: every error, made from the catalogue -->";

const PAGE = "An error page, and no error code";

type Row = readonly [name: CheckName, check: Check & { readonly sentence?: string }];

/** One sentence that is answered, with everything that can be the cause of it. */
interface Answered {
  readonly said: string;
  readonly causes: readonly {
    /** Absent where the sentence itself says it. */
    readonly cause?: string;
    readonly cure: string;
    readonly check: string;
    /** Titles of the pages that a person sees; absent where only an application gets an answer. */
    readonly pages?: readonly string[];
  }[];
}

/** An error code as the page about it shows it. */
interface SignOnError {
  readonly meaning: string;
  /** True where answers of endpoints have it; other codes come to the redirect URI alone. */
  readonly inAnswers: boolean;
  readonly answered: readonly Answered[];
}

/** Faults may come as either. */
const IN_ANSWERS: ReadonlySet<ErrorCode> = new Set([...OAUTH_ERROR_CODES, "server_error", "temporarily_unavailable"]);

const rowsOf = (error: ErrorCode | undefined): readonly Row[] =>
  (Object.entries<Row[1]>(CHECKS) as unknown as Row[]).filter(([, check]) => check.error === error);

/** Causes by what is answered; placeholders, which a refusal fills, in angles. */
function answersOf(rows: readonly Row[]): readonly Answered[] {
  const said = ([, { sentence, finding }]: Row) => (sentence ?? finding ?? "").replaceAll(/\{(\w+)\}/g, "‹$1›");
  return [...Map.groupBy(rows, said)].map(([sentence, same]) => ({
    said: sentence,
    causes: same.map(([check, { finding, advice }]) => {
      const pages = pageTitles(check, en);
      return {
        ...(finding === undefined || finding === sentence ? {} : { cause: finding }),
        cure: advice,
        check,
        ...(pages.length === 0 ? {} : { pages }),
      };
    }),
  }));
}

/** Every error code that applications get from sign-on, in the order of the alphabet. */
export function signOnErrors(): Readonly<Record<string, SignOnError>> {
  const codes = (Object.keys(ERROR_MEANINGS) as ErrorCode[]).filter((code) => rowsOf(code).length > 0).toSorted();
  return Object.fromEntries(
    codes.map((code) => {
      const meaning = ERROR_MEANINGS[code];
      return [code, { meaning, inAnswers: IN_ANSWERS.has(code), answered: answersOf(rowsOf(code)) }];
    }),
  );
}

const escaped = (text: string): string => text.replaceAll(/[*_<>[\]\\`]/g, "\\$&");

/** One answer with its cause and cure, or with each of them when several causes get the same answer. */
function entry({ said, causes }: Answered): string {
  const lines = causes.map(({ cause, cure, check, pages }) => {
    const seen =
      pages === undefined ? "" : `The page is titled ${pages.map((title) => `“${escaped(title)}”`).join(" or ")}. `;
    const before = `${seen}${cause === undefined ? "" : `Cause: ${escaped(cause)} `}`;
    return `${before}Cure: ${escaped(cure)} (\`${check}\`)`;
  });
  return lines.length === 1
    ? `- **${escaped(said)}** ${lines[0]}`
    : `- **${escaped(said)}**\n${lines.map((line) => `  - ${line}`).join("\n")}`;
}

/** Every error code with what causes it and what to do: a chapter per code, an entry per check. */
export function refusedSignIns(): string {
  const codes = Object.entries(signOnErrors()).map(
    ([code, { meaning, answered }]) => [`\`${code}\``, `${escaped(meaning)}\n\n`, answered] as const,
  );
  return [[PAGE, "", answersOf(rowsOf(undefined))] as const, ...codes]
    .map(([heading, meaning, answered]) => `### ${heading}\n\n${meaning}${answered.map(entry).join("\n")}`)
    .join("\n\n");
}
