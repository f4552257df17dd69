#!/usr/bin/env node
import { enableCompileCache } from "node:module";
import { join } from "node:path";
import type { StoreCommand } from "./roles/store/store-commands.ts";
import { CannotStart } from "./runtime/basis/errors.ts";
import { ROLES, type Role } from "./runtime/process/roles.ts";

// Caches the compiled modules, with their types stripped, for the next start, which then takes half the time.
enableCompileCache(join(import.meta.dirname, "..", ".cache", "compile"));

/** Reads the first word of the command line and loads what it names: one role, the demonstration, or the command line. */
async function main([word, ...rest]: readonly string[]): Promise<void> {
  const isHelpWanted = rest.includes("--help") || rest.includes("-h");
  if (!isHelpWanted && word === "serve") return serve(rest);
  if (!isHelpWanted && (word === "demo" || word === "config")) {
    if (word === "config") return showConfiguration(rest);
    const { flagsOf, readConfig } = await configuration();
    const { demoDefaults, inWordsOfMake, serveDemo } = await import("./roles/demo.ts");
    return inWordsOfMake(async () =>
      serveDemo(readConfig({ flags: flagsOf(rest), roles: ROLES, fallbacks: demoDefaults })),
    );
  }
  if (!isHelpWanted && word !== undefined && isDeskTool(word)) return runDeskTool(word, rest);
  const [verb, ...words] = rest;
  if (!isHelpWanted && word === "store" && isStoreCommand(verb)) return careForStore(verb, words);
  const { runProgram } = await import("./cli/program.ts");
  await runProgram(word === undefined ? ["--help"] : [word, ...rest]);
}

/** What reads flags and settings; the command line asks a Gatehouse that runs, and does without. */
async function configuration() {
  return { ...(await import("./runtime/process/flags.ts")), ...(await import("./config.ts")) };
}

async function showConfiguration(words: readonly string[]): Promise<void> {
  const { flagsOf, switchOf } = await configuration();
  const { describeConfiguration } = await import("./roles/shown-configuration.ts");
  const { role, json, ...flags } = flagsOf(words, ONE_ROLE);
  const asJson = switchOf("json", json);
  return describeConfiguration({ flags, roles: rolesOf(role), asJson, folded: await foldedAt(process.stdout) });
}

/** Tools for receivers of events: the package in desk/, which imports nothing of this program. */
const isDeskTool = (word: string): boolean => ["listen", "trigger", "conform"].includes(word);

async function runDeskTool(tool: string, words: readonly string[]): Promise<void> {
  const { runDesk } = await import("../desk/src/program.ts");
  const { stdin, stdout, stderr, env } = process;
  process.exitCode = await runDesk([tool, ...words], { command: "gatehouse", stdin, stdout, stderr, env });
}

/** Verbs of `gatehouse store` that work while no Gatehouse has the store open. */
const STORE_COMMANDS: readonly StoreCommand[] = ["restore", "restored", "migrate", "copy"];

const isStoreCommand = (word: string | undefined): word is StoreCommand =>
  STORE_COMMANDS.some((command) => command === word);

async function careForStore(command: StoreCommand, words: readonly string[]): Promise<void> {
  const { flagsOf, readConfig, switchOf } = await configuration();
  const { runStoreCommand } = await import("./roles/store/store-commands.ts");
  const given = words[0]?.startsWith("--") === false ? words[0] : undefined;
  const { json, plan, to, ...settings } = flagsOf(given === undefined ? words : words.slice(1));
  const flags = { json: switchOf("json", json), plan: switchOf("plan", plan), to };
  return runStoreCommand(command, { given, flags, config: readConfig({ flags: settings, roles: [] }), settings });
}

/** A signal ends it at any time, also while it is loaded: the first process of a container would go on (R-X386). */
async function serve(words: readonly string[]): Promise<void> {
  const { onEndingSignals } = await import("./runtime/process/lifecycle.ts");
  const stopListening = onEndingSignals(() => process.exit(0));
  const { flagsOf, readConfig } = await configuration();
  const { role, ...flags } = flagsOf(words, ONE_ROLE);
  const config = readConfig({ flags, roles: rolesOf(role) });
  const serveRole = await loaded(role);
  const served = serveRole(config);
  // Not before what is served listens itself: in between, a signal would be lost.
  stopListening();
  return served;
}

/** With two, the last would be started alone, and nothing would say so. */
const ONE_ROLE = { role: "a process has one role, or all three without it" };

async function loaded(role: string | undefined): Promise<typeof import("./roles/all.ts")["serveAll"]> {
  switch (role) {
    case "edge":
      return (await import("./roles/edge.ts")).serveEdge;
    case "services":
      return (await import("./roles/services.ts")).serveServices;
    case "worker":
      return (await import("./roles/worker.ts")).serveWorker;
    default:
      return (await import("./roles/all.ts")).serveAll;
  }
}

function rolesOf(role: string | undefined): readonly Role[] {
  if (role === undefined) return ROLES;
  const known = ROLES.find((candidate) => candidate === role);
  if (known === undefined)
    throw new CannotStart(`--role must be one of ${ROLES.join(", ")}; without it all three run in one process.`, {
      exitCode: 78,
    });
  return [known];
}

/** What lays out a line of text for a terminal, as every command does. */
async function foldedAt(terminal: NodeJS.WriteStream): Promise<(line: string, command?: string) => string> {
  const { folded } = await import("./runtime/basis/terminal-lines.ts");
  return (line, command) => folded(line, terminal, command);
}

/** For people. What was typed is repeated in it: it must not control the terminal. */
async function shown({ sentence, command }: CannotStart): Promise<string> {
  const plain = (text: string) => text.replaceAll(/[^\P{Cc}\n]/gu, " ");
  const lines = `gatehouse: ${plain(sentence)}`.split("\n");
  const fold = await foldedAt(process.stderr);
  const last = lines.length - 1;
  return `${lines.map((line, index) => fold(line, index === last ? plain(command) : "")).join("\n")}\n`;
}

/** For programs, in the form that every command has with `--json`. */
function errorDocument({ message, exitCode }: CannotStart): string {
  const [code, reason] = exitCode === 78 ? ["USAGE", "configuration"] : ["FAILED_PRECONDITION", "cannot_start"];
  return JSON.stringify({ error: { code, reason, message, fix: null, violations: [] } });
}

// A reader that left (`… | head`) is no error: who asked has what was wanted. A full disk (`… > file`) is one.
for (const stream of [process.stdout, process.stderr])
  stream.on("error", (error: NodeJS.ErrnoException) => {
    if (error.code === "EPIPE") return;
    if (stream === process.stdout)
      process.stderr.write(
        `gatehouse: Standard output is not whole: ${error.message}.\nMake room, or print elsewhere.\n`,
      );
    process.exit(1);
  });

main(process.argv.slice(2)).catch(async (error: unknown) => {
  if (error instanceof CannotStart) {
    process.stderr.write(process.argv.includes("--json") ? `${errorDocument(error)}\n` : await shown(error));
    process.exit(error.exitCode);
  }
  process.stderr.write(`gatehouse: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}\n`);
  process.exit(1);
});
