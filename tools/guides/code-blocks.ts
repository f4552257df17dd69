import { Lexer, type Token, type Tokens } from "marked";

/** Headings that begin what one language or tool has to itself: readers choose one (R-X190). */
export const LANGUAGES = ["curl", "openssl", "TypeScript", "Python", "Go", "Java"] as const;

export type Language = (typeof LANGUAGES)[number];

/** A fenced block of a guide. */
export interface CodeBlock {
  /** First word of the info string: `sh`, `ts`, `json`. */
  readonly syntax: string;
  readonly text: string;
  /** The language whose heading it is under. */
  readonly language: Language | undefined;
  /** Name of the file that the reader saves it as. */
  readonly file: string | undefined;
  /** Text that its output contains when it has worked. */
  readonly shows: string | undefined;
  /** Text that it prints once it is ready, when it then goes on until the reader ends it. */
  readonly stays: string | undefined;
  /** What happens next: a person signs in, something changes on the platform, or what stays shows what the block did. */
  readonly next: string | undefined;
  /** The terminal that what stays is left in; what stays in another one goes on beside it. */
  readonly terminal: string | undefined;
  /** Why no test runs it. */
  readonly notRun: string | undefined;
}

const INFO = /^(\S+)((?: (?:file|shows|stays|next|terminal|not-run)=(?:"[^"]+"|'[^']+'))*)$/;

/** The language that a heading names. */
export const languageOf = (heading: string): Language | undefined => LANGUAGES.find((name) => name === heading);

/** What the info string of a fence says; `undefined` when it cannot be read. */
export function readInfo(
  info: string,
): Pick<CodeBlock, "syntax" | "file" | "shows" | "stays" | "next" | "terminal" | "notRun"> | undefined {
  const [, syntax, attributes = ""] = INFO.exec(info) ?? [];
  if (syntax === undefined) return undefined;
  const attribute = (name: string) => {
    const [, inDouble, inSingle] = new RegExp(` ${name}=(?:"([^"]+)"|'([^']+)')`).exec(attributes) ?? [];
    return inDouble ?? inSingle;
  };
  return {
    syntax,
    file: attribute("file"),
    shows: attribute("shows"),
    stays: attribute("stays"),
    next: attribute("next"),
    terminal: attribute("terminal"),
    notRun: attribute("not-run"),
  };
}

/** Every fenced block of a guide, in order, those within lists and quotations too. */
export function codeBlocks(markdown: string): readonly CodeBlock[] {
  const blocks: CodeBlock[] = [];
  let language: Language | undefined;
  const walk = (tokens: readonly Token[]): void => {
    for (const token of tokens) {
      if (token.type === "heading") language = languageOf((token as Tokens.Heading).text);
      if (token.type === "code") {
        const { lang = "", text } = token as Tokens.Code;
        const info = readInfo(lang) ?? {
          syntax: lang,
          file: undefined,
          shows: undefined,
          stays: undefined,
          next: undefined,
          terminal: undefined,
          notRun: undefined,
        };
        blocks.push({ ...info, text, language });
      }
      for (const item of (token as Tokens.List).items ?? []) walk(item.tokens);
      if (token.type === "blockquote") walk((token as Tokens.Blockquote).tokens);
    }
  };
  walk(Lexer.lex(markdown));
  return blocks;
}

/** Values of the reader's own: of the hand-over file, or taken from an earlier answer. */
export const PLACEHOLDERS = [
  ...["API_KEY", "INTEGRATION", "INSTANCE_INTEGRATION_ID", "CLIENT", "WEBHOOK_SECRET", "SUBSCRIPTION_ENDPOINT"],
  ...["APPLICATION_ID", "APPLICATION_SECRET", "REDIRECT_URI", "REQUEST_ID", "CODE", "NATIVE_APPLICATION_ID"],
] as const;

const NEXT: ReadonlySet<string> = new Set(["sign-in", "event", "seen"]);
/** Commands that ask the product or run a program of the reader; installing is none. */
const ASKS = /\bcurl\b|^(gatehouse|node|venv\/bin\/python|go run)\b|exec:java/;

/** Whether a block gives the value itself. */
export const assigns = (text: string, placeholder: string): boolean =>
  new RegExp(`^(export )?${placeholder}=`, "m").test(text);

/** What is wrong with a block before it is run: how it is written, and why it would be skipped. */
export function blockProblem({ syntax, text, file, shows, stays, next, notRun }: CodeBlock): string | undefined {
  if (!/^[a-z]+$/.test(syntax)) return "has an info string that cannot be read";
  if (notRun !== undefined) return file === undefined ? undefined : "is saved as a file and not run";
  if (file !== undefined)
    return shows !== undefined || stays !== undefined ? "is a file, which cannot show anything" : undefined;
  if (syntax !== "sh") return "is neither run nor saved as a file, and gives no reason (not-run)";
  const unchecked = PLACEHOLDERS.find(
    (name) => new RegExp(`\\$${name}\\b`).test(text) && !text.includes(`: "\${${name}:?`) && !assigns(text, name),
  );
  if (unchecked !== undefined) return `uses $${unchecked} without a first line that says so when it is empty`;
  if (next !== undefined && !NEXT.has(next)) return `names something to happen next that no test can do: ${next}`;
  const asks = text.split("\n").some((line) => ASKS.test(line) && !line.includes("| tar "));
  return asks && shows === undefined && stays === undefined
    ? "does not say what it shows when it has worked"
    : undefined;
}
