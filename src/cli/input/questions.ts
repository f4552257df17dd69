import { createInterface } from "node:readline";
import { folded } from "#runtime/basis/terminal-lines.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { type Streams, write } from "../output/streams.ts";

/** Questions at a terminal. They go to standard error, so that standard output has only data. */
export interface Questions {
  /** The answer without surrounding spaces; `fallback` for an empty one. */
  ask(question: string, fallback?: string): Promise<string>;
  /** Asks until the answer is one of the choices, by its beginning. */
  choose(question: string, choices: readonly string[], fallback: string): Promise<string>;
  /** `false` unless the answer is yes. */
  confirm(question: string): Promise<boolean>;
  close(): void;
}

/** True where a person can be asked: `--json` and `--quiet` are for programs. */
export const canAsk = (
  { stdin }: Pick<Streams, "stdin">,
  options: { readonly json?: boolean; readonly quiet?: boolean },
) => stdin.isTTY === true && options.json !== true && options.quiet !== true;

/** Begins to ask. @throws CommandError, from each question, when the input ends or Ctrl-C is pressed. */
export function openQuestions({ stdin, stderr }: Pick<Streams, "stdin" | "stderr">): Questions {
  const reader = createInterface({ input: stdin, output: stderr, terminal: false });
  const lines = reader[Symbol.asyncIterator]();
  const ask: Questions["ask"] = async (question, fallback = "") => {
    await write(stderr, `${question}${fallback === "" ? "" : ` [${fallback}]`}: `);
    const { value, done } = await lines.next();
    if (done === true) {
      // The question has no line break of its own: an answer brings one, the end of the input does not.
      await write(stderr, "\n");
      throw interrupted();
    }
    return value.trim() === "" ? fallback : value.trim();
  };
  return {
    ask,
    async choose(question, choices, fallback) {
      for (;;) {
        const answer = (await ask(`${question} (${choices.join(", ")})`, fallback)).toLowerCase();
        const fitting = choices.filter((choice) => choice.toLowerCase().startsWith(answer));
        const exact = choices.find((choice) => choice.toLowerCase() === answer);
        const chosen = exact ?? (fitting.length === 1 ? fitting[0] : undefined);
        if (chosen !== undefined) return chosen;
      }
    },
    confirm: async (question) => /^(y|yes)$/i.test(await ask(`${question} [y/N]`)),
    close: () => reader.close(),
  };
}

const interrupted = (): CommandError =>
  commandError(EXIT.usage, { code: "USAGE", reason: "interrupted", message: "Nothing was changed." });

/** The flags of a command that asks for consent. */
export interface ConsentOptions {
  readonly yes?: boolean;
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/**
 * Asks for consent to what cannot be undone; a script gives `--yes` instead.
 * @throws CommandError without it.
 */
export async function confirmed(
  streams: Pick<Streams, "stdin" | "stderr">,
  options: ConsentOptions,
  { says, question }: { readonly says: string; readonly question: string },
): Promise<void> {
  if (options.yes === true) return;
  if (!canAsk(streams, options))
    throw commandError(EXIT.usage, {
      code: "USAGE",
      reason: "yes_missing",
      message: `${says} Nothing was changed.`,
      fix: "Add --yes if that is what you want.",
    });
  await write(streams.stderr, `${folded(says, streams.stderr)}\n`);
  const questions = openQuestions(streams);
  try {
    if (!(await questions.confirm(question))) throw interrupted();
  } finally {
    questions.close();
  }
}
