import { Argument, type Command, Option } from "commander";
import { EVENT_TYPES } from "#generated/event-types.ts";
import { offering } from "./input/offered.ts";
import { comesFirst, pathOf } from "./usage-error.ts";

const CONFORM = `Scores a receiver of events: posts genuine, repeated, odd and forged events of every type to it, and compares its answers
with the rules for receivers. The gateway signs them for your subscription: an API key is all that is needed.

With the signing secret, from a file, from WEBHOOK_SECRET or from a question, no Gatehouse is needed. For a receiver that
verifies by a public key (v1a), make a key pair with --new-key-pair, give the receiver the public key, and name the file
with --key-pair-file.`;

const LISTEN = `Forwards real events to a program on your own machine, with the exact bytes and signature headers that an endpoint would
get. They come from the feed of your subscription by an API key, so nothing has to reach your machine from outside. It
goes on where it was after a restart.

A request without an answer is repeated until your program listens. Every answer is shown, and whatever it is, the next
event follows. Ctrl-C ends it.`;

const TRIGGER = `Makes a test event for your own subscription: believable, of a type that you choose, marked with "test": true in its
signed body. It is sent and retried like every event, and in the feed that listen reads.`;

/** Tools for receivers of events: the package in desk/, which src/main.ts runs. They call no socket of an operator. */
const DESK_TOOLS: ReadonlySet<string> = new Set(["listen", "trigger", "conform"]);

/** True for a command of the package in desk/. */
export const isDeskTool = (command: Command): boolean => DESK_TOOLS.has(pathOf(command).replace(/^gatehouse /, ""));

const withGateway = (command: Command): Command =>
  comesFirst(command)
    .option("--gateway <url>", "address of the gateway; otherwise GATEWAY_URL")
    .option("--key-file <path>", "file with an API key that has the scope webhooks; otherwise API_KEY, or a question");

/** Help entries for the commands of the package in desk/. */
export function addDeskTools(program: Command): void {
  withGateway(program.command("listen"))
    .summary("forward real events to a program on your own machine")
    .description(LISTEN)
    .usage("--forward-to <url> [flags]")
    .option("--subscription <id or label>", "needed when there are several; may be repeated")
    .option("--forward-to <url>", "where your program receives events")
    .addOption(
      offering(
        new Option(
          "--from <place>",
          "where to begin the first time, and instead of where it was: now (default the first time) or oldest",
        ),
        ["now", "oldest"],
      ),
    )
    .option("--state <folder>", "where it remembers how far it came")
    .option("--hostile", "newest first, each event again, and test events that are altered or old")
    .option(
      "--secret-file <path>",
      "for --hostile: file with the signing secret, or WEBHOOK_SECRET: the events themselves are altered",
    )
    .option(
      "--exit-after <number>",
      "ends after so many requests; with exit code 1 when one of them was not answered as it should be",
    )
    .option("--json", "a JSON document on a line for each request");
  withGateway(program.command("trigger"))
    .summary("make a test event of a type for your subscription")
    .description(TRIGGER)
    .usage("<type> [flags]")
    .addArgument(offering(new Argument("[type]", "an event type, like user.updated"), EVENT_TYPES))
    .option("--subscription <id or label>", "needed when there are several")
    .option("--json", "one JSON document");
  withGateway(program.command("conform"))
    .summary("score a receiver of events: which rules it keeps")
    .description(CONFORM)
    .usage("<url> [flags]\n       gatehouse conform --new-key-pair <path>")
    .option("--subscription <id or label>", "needed when there are several")
    .addOption(
      offering(new Option("--scheme <scheme>", "of the gateway's signatures: v1 (default), or v1a by key pair"), [
        "v1",
        "v1a",
      ]),
    )
    .option("--secret-file <path>", "file with the signing secret (whsec_…), in place of the gateway")
    .option("--key-pair-file <path>", "file with a private key (whsk_…), in place of a secret: signs as v1a")
    .option("--new-key-pair <path>", "makes such a file, prints the public key (whpk_…), and scores nothing")
    .option("--count-url <url>", "answers GET with the number of events that your receiver has dealt with")
    .option("--timeout <seconds>", "how long an answer may take, 1 to 60 (default: 15)")
    .option("--json", "one JSON document instead of the report");
}
