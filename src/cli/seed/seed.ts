import { hash } from "node:crypto";
import type { Writable } from "node:stream";
import { type Command, InvalidArgumentError } from "commander";
import type { ImportLine } from "#generated/proto/gatehouse/workforce/v1/bulk.ts";
import { hasAtMost } from "#runtime/basis/text.ts";
import { ProgressBar } from "../bulk/progress-bar.ts";
import { send } from "../bulk/sending.ts";
import type { Asked, GlobalOptions, Verb } from "../connection/verb.ts";
import { parseWholeNumber } from "../input/flags.ts";
import { runWords } from "../output/advice.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { writeNewFile } from "../output/new-file.ts";
import type { Outcome } from "../output/outcome.ts";
import { write } from "../output/streams.ts";
import { type SeedSize, seedLines } from "./seed-lines.ts";

interface SeedOptions extends GlobalOptions, SeedSize {
  readonly emitEvents?: boolean;
  readonly dryRun?: boolean;
  readonly out?: string;
}

const MEANING = `Makes up a workforce of any size: one instance with tenants, their structure, users with roles and managers, and
workers of several countries. Names, addresses and companies are invented; the same numbers and the same seed give the same data.

It uses the import (docs/bulk.md), so an interrupted run continues when the same command is given again.`;

/** `gatehouse seed` */
export function addSeed(program: Command, verb: Verb): void {
  program
    .command("seed")
    .summary("fill an installation with made-up data")
    .description(MEANING)
    .option("--tenants <n>", "how many tenants (default: 10)", parseWholeNumber, 10)
    .option("--workers <n>", "how many workers, in all tenants together (default: 1000)", parseWholeNumber, 1_000)
    .option("--seed <text>", "another text gives other data (default: gatehouse)", parseSeed, "gatehouse")
    .option("--emit-events", "send events for everything that is created")
    .option("--dry-run", "write nothing; show what would be made")
    .option("--out <file>", "write a file for “gatehouse import” instead")
    .action(
      verb<SeedOptions>(async (asked, options) => {
        if (options.tenants === 0 && options.workers > 0) throw nobodyToWorkFor();
        if (options.dryRun === true) return counted(asked, options);
        if (options.out !== undefined) return toFile(asked, options, options.out);
        return send(asked, { ...sendingOf(options), total: options.workers }, options);
      }),
    );
}

/** The instance is called `Seed <text>`, and no name has more than 200 characters. */
const SEED_LENGTH_MAX = 195;

/** @throws InvalidArgumentError for a text that is too long to call an instance after: every line would be bad. */
function parseSeed(text: string): string {
  if (!hasAtMost(text, SEED_LENGTH_MAX))
    throw new InvalidArgumentError(`It must have at most ${SEED_LENGTH_MAX} characters.`);
  return text;
}

const nobodyToWorkFor = (): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "no_tenants",
    message: "Workers need a tenant to work for.",
    fix: "Give --tenants 1 or more, or --workers 0",
  });

/** The command that sends data of this size. */
const seedWords = (size: SeedSize & Pick<SeedOptions, "emitEvents">): readonly string[] => {
  const { tenants, workers, seed } = size;
  const flags = ["--tenants", String(tenants), "--workers", String(workers), "--seed", seed];
  return ["gatehouse", "seed", ...flags, ...eventsWord(size)];
};

const eventsWord = ({ emitEvents }: Pick<SeedOptions, "emitEvents">): readonly string[] =>
  emitEvents ? ["--emit-events"] : [];

function sendingOf(options: SeedOptions) {
  const { tenants, workers, seed, emitEvents } = options;
  const digest = hash("sha256", JSON.stringify([seed, tenants, workers]), "hex");
  return {
    start: { importId: `seed-${digest.slice(0, 32)}`, emitEvents: emitEvents === true, allOrNothing: false },
    amount: amountOf(workers),
    linesAfter: ({ lastNumber }: { readonly lastNumber: number }) => linesAfter(options, lastNumber),
    goOn: runWords(seedWords(options)),
    afterAll: "For other data, give another --seed.",
  };
}

const amountOf = (total: number) => (done: number) =>
  `${done.toLocaleString("en")} of ${total.toLocaleString("en")} workers`;

/** There is no file, so a line's position is the number of workers up to it. */
async function* linesAfter(size: SeedSize, lastNumber: number): AsyncGenerator<ImportLine> {
  let [number, endOffset] = [0, 0];
  for (const line of seedLines(size)) {
    number++;
    if (line.kind === "worker") endOffset++;
    if (number > lastNumber) yield { number, endOffset, json: JSON.stringify(line) };
  }
}

const progressBar = ({ stderr }: Asked, { workers, quiet, json }: SeedOptions): ProgressBar =>
  new ProgressBar(stderr, workers, amountOf(workers), quiet === true || json === true);

function counted(asked: Asked, options: SeedOptions): Outcome {
  const bar = progressBar(asked, options);
  const counts: Record<string, number> = {};
  let [lines, done] = [0, 0];
  for (const { kind } of seedLines(options)) {
    counts[kind] = (counts[kind] ?? 0) + 1;
    lines++;
    if (kind === "worker") bar.update({ done: ++done, lines, bad: 0 });
  }
  bar.clear();
  const shown = Object.entries(counts).map(([kind, count]) => `${count.toLocaleString("en")} ${nounOf(kind, count)}`);
  return {
    json: { lines: counts },
    text: () => `Lines that it would import: ${shown.join(", ")}.\n`,
    next: runWords([...seedWords(options), ...(options.out === undefined ? [] : ["--out", options.out])]),
  };
}

/** `unitType`, 2 → `unit types` */
function nounOf(kind: string, count: number): string {
  const word = kind.replaceAll(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);
  if (count === 1) return word;
  return word === "person" ? "people" : `${word}s`;
}

async function toFile(asked: Asked, options: SeedOptions, path: string): Promise<Outcome> {
  const bar = progressBar(asked, options);
  const lines = await writeNewFile(path, (file) => writeLines(file, options, bar)).finally(() => bar.clear());
  return {
    json: { file: path, lines },
    text: () => `${lines.toLocaleString("en")} lines written to ${path}.\n`,
    next: runWords(["gatehouse", "import", path, ...eventsWord(options)]),
  };
}

/** Returns the number of lines. */
async function writeLines(file: Writable, options: SeedOptions, bar: ProgressBar): Promise<number> {
  let lines = 0;
  let text = "";
  for await (const { json, endOffset } of linesAfter(options, 0)) {
    lines++;
    text += `${json}\n`;
    if (text.length < 64 * 1024) continue;
    await write(file, text);
    text = "";
    bar.update({ done: endOffset, lines, bad: 0 });
  }
  await write(file, text);
  return lines;
}
