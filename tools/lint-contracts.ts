import { readFileSync } from "node:fs";
import { type Diagnostic, DiagnosticSeverity, Parser } from "@asyncapi/parser";
import { signatureDepartures } from "./contracts/example-signatures.ts";
import { exampleDepartures } from "./contracts/examples.ts";
import { CONTRACTS, EVENTS_CONTRACT } from "./contracts/names.ts";
import { rulingMentions } from "./contracts/ruling-mentions.ts";
import { shownBodies, shownSignatureDepartures } from "./contracts/shown-events.ts";

/**
 * Checks of the bundles, as integrators get them, beyond the general linter's: the events' contract by AsyncAPI's own
 * parser, every example against its schema, that examples of events have the signatures of their bodies, also where the
 * gateway answers a body as a text, that AsyncAPI document and gateway contract name the same event types, and that no
 * sentence refers its reader to a ruling. Errors fail and name their place; warnings are printed.
 * Usage: node tools/lint-contracts.ts [folder of bundles]
 */

const folder = process.argv[2] ?? "generated/contracts";
const read = (name: string) => JSON.parse(readFileSync(`${folder}/${name}.json`, "utf8"));
let errors = 0;

function fail(line: string): void {
  console.error(line);
  errors += 1;
}

async function lintEvents(): Promise<void> {
  const path = `${folder}/${EVENTS_CONTRACT}.yaml`;
  const line = ({ severity, message, path: where, range }: Diagnostic): string =>
    `${path}:${range.start.line + 1} ${DiagnosticSeverity[severity]?.toLowerCase()}: ${message} (${where.join(".")})`;
  for (const diagnostic of await new Parser().validate(readFileSync(path, "utf8")))
    if (diagnostic.severity === DiagnosticSeverity.Error) fail(line(diagnostic));
    else console.log(line(diagnostic));
}

function compareEventTypes(): void {
  const messages = Object.values(read(EVENTS_CONTRACT).components.messages) as readonly { readonly name: string }[];
  const sent = messages.map(({ name }) => name);
  const listed = Object.keys(read("gateway").webhooks);
  for (const type of sent.filter((one) => !listed.includes(one)))
    fail(`openapi/gateway.yaml: webhooks: ${type} is missing; webhooks.asyncapi.yaml has it`);
  for (const type of listed.filter((one) => !sent.includes(one)))
    fail(`openapi/webhooks.asyncapi.yaml: components/messages: ${type} is missing; gateway.yaml has it`);
}

await lintEvents();
for (const name of CONTRACTS)
  for (const line of exampleDepartures(read(name))) fail(`${folder}/${name}.json: example ${line}`);
for (const name of CONTRACTS)
  for (const line of rulingMentions(read(name))) fail(`${folder}/${name}.json: ${line}; say what it says`);
for (const line of signatureDepartures(read(EVENTS_CONTRACT))) fail(line);
const gateway = read("gateway");
const events = read(EVENTS_CONTRACT);
for (const line of [...exampleDepartures(events, shownBodies(gateway, events)), ...shownSignatureDepartures(gateway)])
  fail(`${folder}/gateway.json: event of ${line}`);
compareEventTypes();
console.log(`${folder}: ${errors === 0 ? "valid, examples too" : `${errors} error${errors === 1 ? "" : "s"}`}`);
if (errors > 0) process.exitCode = 1;
