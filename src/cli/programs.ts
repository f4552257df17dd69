import { type Command, Option } from "commander";
import { ROLES } from "#runtime/process/roles.ts";
import { isDeskTool } from "./desk-tools.ts";
import { offering } from "./input/offered.ts";
import { comesFirst, pathOf } from "./usage-error.ts";

const SERVE = `Runs Gatehouse until a signal ends it: all three roles in one process, or one of them.

Every setting is a flag (--public-port 8080), a variable (GATEHOUSE_PUBLIC_PORT) or a key of the file that
--config names; "gatehouse config" lists them all.`;

const DEMO = `Runs Gatehouse with demonstration data and the sample integrator, and prints where everything is. The credentials are random,
made at the first start and kept in demo.json in the data directory; later starts find everything as it was.

Takes the settings of "gatehouse serve", with defaults for trying things out on one machine.`;

const RESTORE = `Puts a backup in the place of the embedded store, while no Gatehouse runs. What may have been used or ended since the
backup is ended: sessions, refresh tokens, codes and password links. Pending deliveries are suspended until "gatehouse
deliveries release". The store that was here is kept in a folder of the data directory.

Takes the settings of "gatehouse serve". The master key must be that of the backup.`;

const RESTORED = `Ends what may have been used or ended since, and suspends pending deliveries, in a store that other tools set back: a
PostgreSQL after its recovery to a point in time, or the disk of an embedded store. Run it before Gatehouse is started.

Takes the settings of "gatehouse serve".`;

const MIGRATE = `Brings the store to the level of this program, as its next start does. With --plan nothing is changed: it says which
steps there are and how long they take, measured on a copy of the embedded store, which may be in use, or estimated by
the sizes of the tables of a PostgreSQL.

Takes the settings of "gatehouse serve".`;

const COPY = `Copies a whole installation from the embedded store into an empty PostgreSQL, while no Gatehouse runs: people,
passwords, keys, sessions, tokens, subscriptions, deliveries. Then compares every table, by counts and digests. The
source is only read; a copy that was interrupted goes on when the command is repeated. With the same issuer and master
key, everything that was issued stays valid.

Takes the settings of "gatehouse serve".`;

const PATHS: ReadonlySet<string> = new Set([
  "serve",
  "demo",
  "config",
  "store restore",
  "store restored",
  "store migrate",
  "store copy",
]);

/** True for commands that are no call of a running Gatehouse by its sockets. */
export const isProgram = (command: Command): boolean =>
  isDeskTool(command) || PATHS.has(pathOf(command).replace(/^gatehouse /, ""));

const role = (meaning: string): Option => offering(new Option("--role <role>", meaning), ROLES);

/** A secret is named by its file: the list of processes shows what is on a command line. */
const storeUrlFile = (): Option =>
  new Option(
    "--store-url-file <path>",
    "file with the PostgreSQL, postgresql://user:password@host/database; without it SQLite in the data directory",
  );

const masterKeysFile = (): Option =>
  new Option(
    "--master-keys-file <path>",
    "file with the master keys, which PostgreSQL needs; without it master.key in the data directory",
  );

/** Help entries for the commands that `src/main.ts` runs itself. */
export function addPrograms(program: Command): void {
  const entry = (name: string, summary: string, description: string) =>
    comesFirst(program.command(name)).summary(summary).description(description).usage("[--<setting> <value> …]");
  entry("serve", "run Gatehouse", SERVE)
    .addOption(role("edge, services or worker; without it all three in one process"))
    .option("--development", "allows an http issuer and http://localhost redirect URIs")
    .option("--issuer <origin>", "public address of the sign-on server")
    .option("--public-port <n>", "port of sign-on, gateway, contracts and front page (default: 8080)")
    .option("--management-port <n>", "port of health and metrics (default: 8081)")
    .addOption(storeUrlFile())
    .addOption(masterKeysFile())
    .option("--config <path>", "JSON file of settings");
  entry("demo", "run Gatehouse with demonstration data and a sample application", DEMO)
    .option("--public-port <n>", "port of sign-on, gateway, contracts and front page (default: 8080)")
    .option("--management-port <n>", "port of health and metrics (default: 8081)")
    .option("--sample-url <url>", "where the sample integrator runs (default: http://localhost:8082)");
  entry(
    "config",
    "show every setting, its value and its meaning",
    "Shows every setting with its value and its meaning, and every mistake in them. Secrets are never shown.",
  )
    .addOption(role("look for the mistakes of a process of this role; without it of all three in one"))
    .option("--config <path>", "JSON file of settings")
    .option("--json", "one JSON document on standard output, nothing else");
}

/** Help entries for what `src/main.ts` does with a store that nothing has open. */
export function addStorePrograms(noun: Command): void {
  const entry = (name: string, summary: string, description: string, usage: string) =>
    comesFirst(noun.command(name))
      .summary(summary)
      .description(description)
      .usage(usage)
      .option("--data-directory <path>", "where the store and its master key are (default: .gatehouse)")
      .option("--config <path>", "JSON file of settings")
      .option("--json", "one JSON document on standard output, nothing else");
  entry("restore", "put a backup in the place of the store", RESTORE, "<file> [--<setting> <value> …]");
  entry("restored", "begin again in a store that was set back by other tools", RESTORED, "[--<setting> <value> …]")
    .addOption(storeUrlFile())
    .addOption(masterKeysFile());
  entry("migrate", "bring the store to this program's level, or plan it", MIGRATE, "[--plan] [--<setting> <value> …]")
    .option("--plan", "change nothing: say what would be done, and how long it takes")
    .addOption(storeUrlFile());
  entry(
    "copy",
    "copy a whole installation into an empty PostgreSQL",
    COPY,
    "--store-url-file <path> [--<setting> <value> …]",
  )
    .option("--store-url-file <path>", "file with the PostgreSQL, postgresql://user:password@host/database")
    .option("--to <url>", "the same on the command line, where the list of processes shows its password");
}
