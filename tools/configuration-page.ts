import { mkdirSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { parseArgs } from "node:util";
import { z } from "zod";
import { allSettings } from "../src/config.ts";
import { portalSettings } from "../src/portal/settings.ts";
import { databaseSettings } from "../src/runtime/database/settings.ts";
import { httpSettings } from "../src/runtime/http/settings.ts";
import { processSettings } from "../src/runtime/process/process-settings.ts";
import { type Setting, type Settings, variableOf, writtenValue } from "../src/runtime/process/settings.ts";
import { rpcSettings } from "../src/runtime/rpc/settings.ts";
import { sealingSettings } from "../src/runtime/sealing/settings.ts";
import { temporalSettings } from "../src/runtime/temporal/settings.ts";
import { signOnSettings } from "../src/sign-on/settings.ts";
import { webhooksSettings } from "../src/webhooks/settings.ts";
import { workforceSettings } from "../src/workforce/settings.ts";

/** Writes docs/configuration.md out of the settings' own definitions. Usage: node tools/configuration-page.ts [file] */

const PARTS: readonly { readonly title: string; readonly settings: Settings }[] = [
  { title: "Every process", settings: processSettings },
  { title: "Public listener", settings: httpSettings },
  { title: "Calls between roles", settings: rpcSettings },
  { title: "Store", settings: databaseSettings },
  { title: "Sealing", settings: sealingSettings },
  { title: "Sign-on", settings: signOnSettings },
  { title: "Gateway", settings: workforceSettings },
  { title: "Webhooks", settings: webhooksSettings },
  { title: "Temporal", settings: temporalSettings },
  { title: "Front page", settings: portalSettings },
];

/** Defaults that depend on the machine, in words. */
const COMPUTED: Readonly<Record<string, string>> = {
  "password-hash-concurrency": "one per processor core but one, at least 1, at most 3",
};

const INTRODUCTION = `<!-- Made by \`make generate\` from the settings' definitions. Do not edit. -->

# Configuration

Each setting has one name and can be given in three places. The first that has it wins:

1. a flag: \`bin/gatehouse serve --public-port 9000\` (\`--public-port=9000\` is the same; a switch
   needs no value),
2. an environment variable: \`GATEHOUSE_PUBLIC_PORT=9000\`,
3. a JSON file that \`--config\` or \`GATEHOUSE_CONFIG\` names: \`{ "public-port": 9000 }\`.

A setting marked *secret* can also be read from a file: add \`-file\` to its flag or key, \`_FILE\` to
its variable. The file must not be readable by all users, nor must the configuration file where it
has the value of a secret itself. One marked *text* can be read from a file in the same way; that
file may be public. A flag or key that is not a setting, a value that does not fit and a missing
value are all reported together, each with its cure, and the program ends with exit code 78. A
variable that begins with \`GATEHOUSE_\` and is not a setting is ignored with a warning in the log;
those that Kubernetes sets beside a Service called \`gatehouse\` are ignored silently.
\`bin/gatehouse config\` shows what would be used, where it was given, and the warnings; it takes the
same flags, with \`--json\` for programs, and never shows a secret.
`;

const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll("<", "&lt;");

function defaultOf(name: string, one: Setting<unknown>): string {
  const computed = COMPUTED[name];
  if (computed !== undefined) return computed;
  if (one.fallback === undefined) return "fallback" in one ? "not set" : "must be given";
  if (Array.isArray(one.fallback) && one.fallback.length === 0) return "none";
  return `\`${writtenValue(one, one.fallback)}\`${one.unit === undefined ? "" : ` ${one.unit}`}`;
}

/** Allowed values, where the schema has a range or a choice. */
function valuesOf({ schema, fallback }: Setting<unknown>): string {
  if (typeof fallback === "boolean") return "`true`, `false`";
  const { type, minimum, maximum, enum: choice } = z.toJSONSchema(schema, { io: "output", unrepresentable: "any" });
  if (choice !== undefined) return choice.map((value) => `\`${value}\``).join(", ");
  if (type !== "integer" && type !== "number") return "";
  return minimum === maximum ? `${minimum}` : `${minimum} to ${maximum}`;
}

function row(name: string, one: Setting<unknown>): string {
  const mark = one.secret === true ? "*Secret.* " : one.lengthy === true ? "*Text.* " : "";
  const meaning = `${mark}${one.meaning}`;
  const names = `\`${name}\`<br>\`${variableOf(name)}\``;
  const cells = [defaultOf(name, one), valuesOf(one), one.neededBy.join(", "), meaning].map(cell);
  return `| ${[names, ...cells].join(" | ")} |`;
}

function assertComplete(): void {
  const shown = PARTS.flatMap(({ settings }) => Object.keys(settings));
  const unknown = Object.keys(COMPUTED).filter((name) => !(name in allSettings));
  const missing = Object.keys(allSettings).filter((name) => !shown.includes(name));
  if (missing.length + unknown.length > 0)
    throw new Error(
      `tools/configuration-page.ts: not shown: ${missing.join(", ")}; no setting any more: ${unknown.join(", ")}`,
    );
}

assertComplete();
const tables = PARTS.map(({ title, settings }) => {
  const rows = Object.entries(settings).map(([name, one]) => row(name, one));
  const head = "| Setting, variable | Default | Values | Used by | Meaning |\n|---|---|---|---|---|";
  return `## ${title}\n\n${head}\n${rows.join("\n")}\n`;
});
const {
  positionals: [target = "docs/configuration.md"],
} = parseArgs({ allowPositionals: true });
mkdirSync(dirname(target), { recursive: true });
writeFileSync(target, [INTRODUCTION, ...tables].join("\n"));
