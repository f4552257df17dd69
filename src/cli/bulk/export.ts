import type { Writable } from "node:stream";
import type { Command } from "commander";
import { DAY_MS } from "#runtime/basis/durations.ts";
import type { Asked, GlobalOptions, Verb } from "../connection/verb.ts";
import { instanceId } from "../input/references.ts";
import { leadingTo, run } from "../output/advice.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { writeNewFile } from "../output/new-file.ts";
import type { Outcome } from "../output/outcome.ts";
import { type Streams, write } from "../output/streams.ts";

interface ExportOptions extends GlobalOptions {
  readonly instance?: string;
}

const MEANING = `Writes instances, tenants, people, users, workers and what belongs to them as JSON Lines (docs/bulk.md), as they are at one
instant, in an order in which “gatehouse import” takes them. Without a file, to standard output.

Not in it: integrations, API keys, applications, passwords, sessions, subscriptions.`;

/** A day, which is enough for the largest installation. */
const DEADLINE_MS = DAY_MS;

/** `gatehouse export [file]` */
export function addExport(program: Command, verb: Verb): void {
  program
    .command("export")
    .summary("write a whole workforce to a file")
    .description(MEANING)
    .argument("[file]", "a file that does not exist yet; only you may read it")
    .option("--instance <id or name>", "one instance instead of all")
    .action(
      verb<ExportOptions>(
        async (asked, options, path) => {
          if (path === undefined) {
            if (options.json === true) throw noDocument();
            await writeLines(asked, options, asked.stdout);
            return { json: undefined, text: () => "" };
          }
          return toFile(asked, options, path);
        },
        { instance_id: "--instance" },
      ),
    );
}

/** The lines themselves are what was asked for; a script that parses them as one document would fail at the second. */
const noDocument = (): CommandError =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "lines_and_document",
    message: "An export to standard output is many lines, and --json is for one document.",
    fix: leadingTo("Leave --json out: each line is JSON. Or name a file:", run`gatehouse export <file> --json`),
  });

async function toFile(asked: Asked, options: ExportOptions, path: string): Promise<Outcome> {
  const lines = await writeNewFile(path, (file) => writeLines(asked, options, file));
  return {
    json: { file: path, lines },
    text: () => `${lines.toLocaleString("en")} lines written to ${path}.\n`,
  };
}

/** Writes lines as fast as they arrive, until nobody reads them any more. Returns the number of lines. */
async function writeLines(
  asked: Asked,
  { instance }: ExportOptions,
  to: Writable | Streams["stdout"],
): Promise<number> {
  const request = instance === undefined ? {} : { instanceId: await instanceId(asked, instance) };
  let count = 0;
  for await (const { lines } of asked.bulk.exportWorkforce(request, { ...asked.call, deadlineMs: DEADLINE_MS })) {
    if (!(await write(to, lines.map((line) => `${line}\n`).join("")))) break;
    count += lines.length;
  }
  return count;
}
