import { readFileSync } from "node:fs";
import { join } from "node:path";

/** A code block of an SDK's README. */
export interface Block {
  readonly language: string;
  /** The word behind the language: what the block is called. */
  readonly name: string;
  readonly text: string;
}

const FENCE = /^```(\S*) ?(.*)\n([\s\S]*?)^```$/gm;

/**
 * The code blocks of a README, in their order.
 * @throws Error for a program without a name, since no test could say what it should do.
 */
export function blocksOf(folder: string): readonly Block[] {
  const text = readFileSync(join(folder, "README.md"), "utf8");
  return [...text.matchAll(FENCE)].map(([, language = "", name = "", code = ""]) => {
    if (language === "" || (name === "" && language !== "sh"))
      throw new Error(`${folder}/README.md has a code block without ${language === "" ? "a language" : "a name"}`);
    return { language, name, text: code };
  });
}
