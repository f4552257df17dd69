import { readFileSync } from "node:fs";
import { join } from "node:path";
import { Command, CommanderError, Option } from "commander";
import { addExport } from "./bulk/export.ts";
import { addImport } from "./bulk/import.ts";
import { addApplications } from "./commands/applications/applications.ts";
import { addDeliveries } from "./commands/deliveries/deliveries.ts";
import { addEvents } from "./commands/deliveries/events.ts";
import { addRecoveries } from "./commands/deliveries/recoveries.ts";
import { addAudit } from "./commands/inspection/audit.ts";
import { addExplain } from "./commands/inspection/explain.ts";
import { addRefusals } from "./commands/inspection/refusals.ts";
import { addTokens } from "./commands/inspection/tokens.ts";
import { addApiKeys } from "./commands/integrations/api-keys.ts";
import { addIntegrations } from "./commands/integrations/integrations.ts";
import { addOnboard } from "./commands/onboard/onboard.ts";
import { addPasswords } from "./commands/people/passwords.ts";
import { addPeople } from "./commands/people/people.ts";
import { addSigningKeys } from "./commands/signing-keys.ts";
import { addStore } from "./commands/store.ts";
import { addLocations } from "./commands/structure/locations.ts";
import { addUnitTypes } from "./commands/structure/unit-types.ts";
import { addUnits } from "./commands/structure/units.ts";
import { addSubscriptions } from "./commands/subscriptions/subscriptions.ts";
import { addInstances } from "./commands/tenants/instances.ts";
import { addTenants } from "./commands/tenants/tenants.ts";
import { addRoles } from "./commands/users/roles.ts";
import { addUsers } from "./commands/users/users.ts";
import { addWorkers } from "./commands/workers/workers.ts";
import { addCompletion } from "./completion.ts";
import { DATA_DIRECTORY, errorText, verbFor } from "./connection/verb.ts";
import { addDeskTools } from "./desk-tools.ts";
import { configureHelp, EVERYWHERE } from "./help.ts";
import { assertUtf8 } from "./input/utf8.ts";
import { CommandError, EXIT, type ExitCode } from "./output/command-error.ts";
import { Ended } from "./output/outcome.ts";
import { type Streams, write } from "./output/streams.ts";
import { addPrograms, addStorePrograms } from "./programs.ts";
import { addSeed } from "./seed/seed.ts";
import { HELP_FLAGS, NoSuchCommand, refuseHelpOfUnknown, usageError } from "./usage-error.ts";

const GROUPS = {
  "The platform:": [addInstances, addTenants, addUsers, addRoles, addWorkers, addUnitTypes, addUnits, addLocations],
  "Integrators:": [
    addOnboard,
    addIntegrations,
    addApiKeys,
    addApplications,
    addSubscriptions,
    addDeliveries,
    addRecoveries,
    addEvents,
  ],
  "People:": [addPeople, addPasswords],
  "What happened:": [addExplain, addRefusals, addTokens, addAudit],
  "This installation:": [addStore, addSigningKeys],
  "Whole workforces:": [addImport, addExport, addSeed],
  "Your shell:": [addCompletion],
};

/** Runs one command and sets the exit code of this process. */
export async function runProgram(words: readonly string[]): Promise<void> {
  process.exitCode = await runCommand(words, process);
}

/**
 * Runs one command. Mistakes are printed on `stderr` and determine the exit code; only faults of this program are
 * thrown.
 */
export async function runCommand(words: readonly string[], streams: Streams): Promise<ExitCode> {
  const program = createProgram(
    streams,
    words.includes("--json") ? JSON.stringify({ version: version() }, null, 2) : version(),
  );
  program.hook("preAction", () => {
    for (const word of words) assertUtf8(word, `“${word}”`);
  });
  try {
    await program.parseAsync(words, { from: "user" });
    return EXIT.ok;
  } catch (error) {
    // Help or the version was requested, or a noun without a verb printed its help.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
    if (error instanceof Ended) return error.exitCode;
    if (error instanceof NoSuchCommand)
      return runCommand(
        words.filter((word) => !HELP_FLAGS.includes(word)),
        streams,
      );
    if (!(error instanceof CommandError)) throw error;
    await write(streams.stderr, errorText(error, program, streams));
    return error.exitCode;
  }
}

/** @param shownVersion what `--version` prints; Commander prints it before it reads the flags that follow. */
function createProgram(streams: Streams, shownVersion: string): Command {
  const program = new Command("gatehouse")
    .description("Sign-on, a gateway API and signed webhook events for a workforce platform.")
    .usage("<noun> <verb> [flags]")
    .version(shownVersion, "-V, --version", "show the version")
    .helpOption(HELP_FLAGS.join(", "), "show help")
    .optionsGroup(EVERYWHERE)
    .option("--json", "one JSON document on standard output, nothing else")
    .option("--ids", "ids beside the names of what belongs together")
    .option("--quiet", "data only: no sentences, no hints")
    .addOption(
      new Option(
        "--data-directory <path>",
        "of the running Gatehouse; by default GATEHOUSE_DATA_DIRECTORY or .gatehouse",
      )
        .env("GATEHOUSE_DATA_DIRECTORY")
        .default(DATA_DIRECTORY),
    )
    .addOption(
      new Option(
        "--socket-directory <path>",
        "of its sockets; by default GATEHOUSE_SOCKET_DIRECTORY or below the data directory",
      ).env("GATEHOUSE_SOCKET_DIRECTORY"),
    );
  configureHelp(program, streams);
  addPrograms(program.commandsGroup("Run:"));
  const verb = verbFor(streams);
  for (const [group, nouns] of Object.entries(GROUPS)) {
    program.commandsGroup(group);
    for (const add of nouns) add(program, verb);
  }
  addDeskTools(program.commandsGroup("At a developer's desk:"));
  addStorePrograms(program.commands.find((noun) => noun.name() === "store") ?? program);
  refuseWrongUsage(program);
  return program;
}

/** Turns mistakes of usage into errors that know their command. */
function refuseWrongUsage(command: Command): void {
  command.exitOverride((error) => {
    throw error.exitCode === 0 || error.code === "commander.help" ? error : usageError(error, command);
  });
  refuseHelpOfUnknown(command);
  for (const one of command.commands) refuseWrongUsage(one);
}

/** From package.json, the only place that has it. */
const version = (): string =>
  (
    JSON.parse(readFileSync(join(import.meta.dirname, "..", "..", "package.json"), "utf8")) as {
      readonly version: string;
    }
  ).version;
