import { join } from "node:path";
import type { Command } from "commander";
import { Failure } from "#runtime/basis/errors.ts";
import { newId } from "#runtime/basis/ids.ts";
import { systemRandom } from "#runtime/basis/random.ts";
import { folded, shellWord } from "#runtime/basis/terminal-lines.ts";
import { beforeEndingBySignal } from "#runtime/process/lifecycle.ts";
import { ACCOUNT_METADATA, type CallOptions } from "#runtime/rpc/call.ts";
import { machineAccount } from "#runtime/rpc/machine-account.ts";
import { type Advice, adviceLine, adviceText, atSameGatehouse } from "../output/advice.ts";
import { type CommandError, commandError, EXIT } from "../output/command-error.ts";
import { type FieldFlags, failedCall, interrupted } from "../output/failed-call.ts";
import { Ended, type Outcome } from "../output/outcome.ts";
import { paintFor } from "../output/paint.ts";
import { type Streams, write } from "../output/streams.ts";
import { plain } from "../output/terminal-text.ts";
import { type Connection, connectTo } from "./connection.ts";

/** Flags that every command has. */
export interface GlobalOptions {
  readonly json?: boolean;
  readonly ids?: boolean;
  readonly quiet?: boolean;
  readonly dataDirectory: string;
  readonly socketDirectory?: string;
}

/** Arguments of a command besides its own flags. */
export interface Asked extends Connection {
  /** Options of each call: the request id for the logs, and the deadline. */
  readonly call: CallOptions;
  /** Request id for requests that carry one: the flag's, or a new one (R-G18). */
  readonly requestId: string;
  /** Whether people are shown names, names with their ids, or whether a program reads the answer. */
  readonly shows: "names" | "names and ids" | "json";
  /** Flags of this command line by which a command that is advised finds the same Gatehouse; each has a space before it. */
  readonly directories: string;
  /** Remembers as which id a thing was found: by its name it may not be found again, once the command has changed it. */
  readonly foundAs: (given: string, id: string) => void;
  readonly stdin: Streams["stdin"];
  readonly stdout: Streams["stdout"];
  readonly stderr: Streams["stderr"];
}

type Work<O> = (asked: Asked, options: O, ...args: string[]) => Promise<Outcome>;

/** Makes a command's action from its work; `fields` maps the request's fields to flags. */
export type Verb = <O>(work: Work<O>, fields?: FieldFlags) => (...given: unknown[]) => Promise<void>;

const DEADLINE_MS = 15_000;

/** Of a Gatehouse that was told no other. */
export const DATA_DIRECTORY = ".gatehouse";

/** Shells and compose files write "not set" as an empty variable, and so the program itself reads it. */
function socketDirectoryOf(command: Command): string {
  const root = rootOf(command);
  const given = (name: "dataDirectory" | "socketDirectory"): string | undefined => {
    const { [name]: value } = root.opts<GlobalOptions>();
    return value === "" && root.getOptionValueSource(name) === "env" ? undefined : value;
  };
  return given("socketDirectory") ?? join(given("dataDirectory") ?? DATA_DIRECTORY, "sockets");
}

/**
 * Connects, does the work, prints its outcome, and disconnects.
 * @throws CommandError in the words of the command line.
 */
export function verbFor({ stdin, stdout, stderr }: Streams): Verb {
  return <O>(work: Work<O>, fields: FieldFlags = {}) =>
    async (...given) => {
      const command = given.at(-1) as Command;
      const options = command.optsWithGlobals<O & GlobalOptions & { readonly requestId?: string }>();
      const requestId = options.requestId ?? newId("request", systemRandom);
      const socketDirectory = socketDirectoryOf(command);
      const connection = connectTo(socketDirectory);
      const found = new Map<string, string>();
      const foundAs = (given: string, id: string) => void found.set(given, id);
      const repeatable = command.options.some(({ long }) => long === "--request-id");
      // Otherwise the id of a new request would be lost.
      const stopListening = repeatable
        ? beforeEndingBySignal(() => {
            stderr.write(errorText(interrupted({ requestId, found }), command, { stderr }));
          })
        : () => undefined;
      try {
        const call = { requestId, deadlineMs: DEADLINE_MS, metadata: { [ACCOUNT_METADATA]: machineAccount() } };
        const shows = options.json ? "json" : options.ids ? "names and ids" : "names";
        const directories = directoryFlags(command);
        const asked = { ...connection, call, requestId, shows, directories, foundAs, stdin, stdout, stderr } as const;
        const outcome = await work(asked, options, ...command.args);
        await print(outcome, options, { stdout, stderr }, directories);
        if (outcome.exitCode !== undefined) throw new Ended(outcome.exitCode);
      } catch (error) {
        if (!(error instanceof Failure)) throw error;
        throw failedCall(error, {
          fields,
          socketDirectory,
          requestId,
          repeatable,
          found,
          saidFor: (name) => saidFor(command, name),
        });
      } finally {
        stopListening();
        await connection.close();
      }
    };
}

/** What the command line said for `<name>`: in its argument of this name, or else by the flag. */
function saidFor(command: Command, name: string): string | undefined {
  const argument = command.registeredArguments.findIndex((one) => one.name() === name);
  const flag = command.options.find(({ long }) => long === `--${name}`);
  const said: unknown = argument === -1 ? flag && command.getOptionValue(flag.attributeName()) : command.args[argument];
  return typeof said === "string" ? shellWord(said) : undefined;
}

async function print(
  { json, text, said, next, ifUnread }: Outcome,
  options: GlobalOptions,
  { stdout, stderr }: Pick<Streams, "stdout" | "stderr">,
  directories: string,
): Promise<void> {
  if (options.json) {
    if (json !== undefined) mustBeRead(await write(stdout, `${JSON.stringify(json, null, 2)}\n`), ifUnread);
    return;
  }
  const talk = paintFor(stderr);
  const isSaid = said !== undefined && !options.quiet;
  const shown = text(paintFor(stdout), stdout.isTTY ? stdout.columns : undefined);
  const isLast = shown === "" && (next === undefined || options.quiet === true);
  if (isSaid) await write(stderr, `${folded(said, stderr)}\n${isLast ? "" : "\n"}`);
  if (shown !== "") mustBeRead(await write(stdout, shown), ifUnread);
  if (next === undefined || options.quiet) return;
  // Where the data goes elsewhere, the sentence's own blank line is the one between the two.
  const gap = shown === "" || (isSaid && !stdout.isTTY) ? "" : "\n";
  await write(stderr, `${gap}${talk.label("Next:")} ${plain(adviceText(atSameGatehouse(next, directories)))}\n`);
}

/** @throws CommandError when a secret was printed for a reader that had left (`… | true`): nobody will see it. */
function mustBeRead(isRead: boolean, ifUnread: Advice | undefined): void {
  if (isRead || ifUnread === undefined) return;
  throw commandError(EXIT.refused, {
    code: "ABORTED",
    reason: "secret_unread",
    message: "It is done, but nobody read the secret: standard output is closed, and the secret is stored nowhere.",
    fix: ifUnread,
  });
}

/** The directory flags of this command line, so that a command that is advised finds the same Gatehouse. */
export function directoryFlags(command: Command): string {
  const root = rootOf(command);
  return (["dataDirectory", "socketDirectory"] as const)
    .filter((name) => root.getOptionValueSource(name) === "cli")
    .map(
      (name) =>
        ` --${name === "dataDirectory" ? "data-directory" : "socket-directory"} ${shellWord(String(root.getOptionValue(name)))}`,
    )
    .join("");
}

/** An error as people, or with `--json` programs, are shown it. */
export function errorText(
  { lines, json }: CommandError,
  command: Command,
  { stderr }: Pick<Streams, "stderr">,
): string {
  const root = rootOf(command);
  if (root.opts<GlobalOptions>().json === true) return `${JSON.stringify({ error: json })}\n`;
  const [cause, ...cure] = lines;
  const advised = cure.map((advice) => atSameGatehouse(advice, directoryFlags(root)));
  const [first = "", ...rest] = [`gatehouse: ${cause}`, ...advised].map((advice) => adviceLine(advice, stderr));
  return `${[first.replace(/^gatehouse:/, paintFor(stderr).wrong), ...rest].join("\n")}\n`;
}

/** The command of the program itself. */
export const rootOf = (command: Command): Command => (command.parent === null ? command : rootOf(command.parent));
