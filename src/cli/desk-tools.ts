import type { Command } from "commander";
import { pathOf } from "./usage-refusal.ts";

const CONFORM = `Scores a receiver of events: posts genuine, repeated, odd and forged events of every type to it, signed with your secret,
and compares its answers with the rules for receivers. Needs no Gatehouse.

The secret comes from a file, from WEBHOOK_SECRET, or from a question. Ends with 0 when every check that can be seen is
passed, otherwise with 1.`;

/** Tools for whoever receives events: the package in desk/, which src/main.ts runs. They call no socket of an operator. */
const DESK_TOOLS: ReadonlySet<string> = new Set(["conform"]);

/** True for a command of the package in desk/. */
export const isDeskTool = (command: Command): boolean => DESK_TOOLS.has(pathOf(command).replace(/^gatehouse /, ""));

/** Help entries for the commands of the package in desk/. */
export function addDeskTools(program: Command): void {
  program
    .command("conform")
    .summary("score a receiver of events: which rules it keeps")
    .description(CONFORM)
    .usage("<url> [flags]")
    .option("--secret-file <path>", "file with the endpoint's signing secret (whsec_…)")
    .option("--count-url <url>", "answers GET with the number of events that your receiver has dealt with")
    .option("--timeout <seconds>", "how long an answer may take, 1 to 60 (default: 15)")
    .option("--json", "one JSON document instead of the report");
}
