import { createHash } from "node:crypto";
import { type FileHandle, open } from "node:fs/promises";
import type { Command } from "commander";
import type { GlobalOptions, Verb } from "../connection/verb.ts";
import { type AdvisedCommand, runWords } from "../output/advice.ts";
import { commandError, EXIT } from "../output/command-error.ts";
import { behindLine, type FilePosition, fileLines } from "./file-lines.ts";
import { toShownBytes } from "./progress-bar.ts";
import { send } from "./sending.ts";

interface ImportOptions extends GlobalOptions {
  readonly importId?: string;
  readonly emitEvents?: boolean;
  readonly allOrNothing?: boolean;
}

const MEANING = `Imports a file of JSON Lines: instances, tenants, people, users, workers and what belongs to them, in any number
(docs/bulk.md). What is there already with the same content is left alone, so a file can be imported again.

An interrupted import continues where it stopped when the same command is given again. Bad lines are reported with their number and
reason, and the others are taken; the exit code is 1 when there were any.`;

/** `gatehouse import <file>` */
export function addImport(program: Command, verb: Verb): void {
  program
    .command("import")
    .summary("import a whole workforce from a file")
    .description(MEANING)
    .argument("<file>", "JSON Lines, UTF-8; as “gatehouse export” writes it")
    .option("--import-id <text>", "id of the import, for this file alone; by default derived from it")
    .option("--emit-events", "send events for everything that is created")
    .option("--all-or-nothing", "in one transaction: with one bad line nothing is stored (50,000 lines at most)")
    .action(
      verb<ImportOptions>(
        async (asked, options, path = "") => {
          const file = await openFile(path);
          try {
            const { size } = await file.stat();
            const importId = options.importId ?? (await importIdOf(file));
            const start = {
              importId,
              emitEvents: options.emitEvents === true,
              allOrNothing: options.allOrNothing === true,
            };
            const sending = {
              start,
              total: size,
              amount: (done: number) => toShownBytes(done, size),
              linesAfter: (position: FilePosition) => linesBehind(file, position, importId),
              goOn: goOnWith(path, options),
              afterAll: "To import all of it again, give another --import-id.",
            };
            return await send(asked, sending, options);
          } finally {
            await file.close();
          }
        },
        { "start.import_id": "--import-id" },
      ),
    );
}

/** @throws CommandError when no line of the file ends there: the import was of another one (R-X430). */
async function* linesBehind(file: FileHandle, position: FilePosition, importId: string) {
  const behind = await behindLine(file, position);
  if (behind === undefined) throw otherFile(importId, position);
  yield* fileLines(file, behind);
}

const otherFile = (importId: string, { lastNumber, endOffset }: FilePosition) =>
  commandError(EXIT.refused, {
    code: "FAILED_PRECONDITION",
    reason: "other_file",
    message: `The import ${importId} came to line ${lastNumber}, which ended at byte ${endOffset}. In this file no line ${lastNumber} ends there.`,
    fix: "Give --import-id another id: each file has its own, an edited one too. Without the flag it is made from the file.",
  });

const goOnWith = (path: string, { importId, emitEvents, allOrNothing }: ImportOptions): AdvisedCommand =>
  runWords([
    "gatehouse",
    "import",
    path,
    ...(importId === undefined ? [] : ["--import-id", importId]),
    ...(emitEvents ? ["--emit-events"] : []),
    ...(allOrNothing ? ["--all-or-nothing"] : []),
  ]);

/** @throws CommandError when the file does not exist, or cannot be read from any position. */
async function openFile(path: string) {
  try {
    const file = await open(path);
    if ((await file.stat()).isFile()) return file;
    await file.close();
  } catch (error) {
    throw unreadable(path, (error as NodeJS.ErrnoException).code ?? String(error));
  }
  throw unreadable(path, "it is not a regular file");
}

const unreadable = (path: string, why: string) =>
  commandError(EXIT.usage, {
    code: "USAGE",
    reason: "file_unreadable",
    message: `${path} cannot be read: ${why}.`,
    fix: "Name a file of JSON Lines, for example one that “gatehouse export” wrote.",
  });

/** Bytes of the file's beginning and of its end that the digest covers. */
const SAMPLE_BYTES = 1024 * 1024;

/**
 * Derives an import's id from its file, so that the same file is recognised in any folder: a digest of size, time of
 * the last change, first and last MiB. An edited file gets another id, even if only its middle was edited; the lines it
 * shares with the old one are then reported as unchanged.
 */
export async function importIdOf(file: FileHandle): Promise<string> {
  const { size, mtimeMs } = await file.stat();
  const digest = createHash("sha256").update(`${size} ${Math.floor(mtimeMs)} `);
  for (const position of [0, Math.max(0, size - SAMPLE_BYTES)]) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(SAMPLE_BYTES), 0, SAMPLE_BYTES, position);
    digest.update(buffer.subarray(0, bytesRead));
  }
  return `file-${digest.digest("hex").slice(0, 32)}`;
}
