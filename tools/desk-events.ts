import { readFileSync, writeFileSync } from "node:fs";
import { parseArgs } from "node:util";
import { eventExamples } from "./contracts/event-examples.ts";

/**
 * Writes the examples of all events into the package of desk/, which has a copy of its own: it is used without the
 * repository. Run after tools/generate.ts.
 * Usage: node tools/desk-events.ts [file]
 */
const contract = JSON.parse(readFileSync("generated/contracts/webhooks.asyncapi.json", "utf8"));
const {
  positionals: [target = "desk/events.json"],
} = parseArgs({ allowPositionals: true });
writeFileSync(target, `${JSON.stringify(eventExamples(contract), null, 2)}\n`);
