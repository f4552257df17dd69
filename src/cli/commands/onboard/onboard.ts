import { type Command, Option } from "commander";
import { ApplicationKind } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { lowerWordsOf } from "#runtime/basis/enum-words.ts";
import type { Verb } from "../../connection/verb.ts";
import { eventTypeOption, repeated } from "../../input/flags.ts";
import { one } from "../../output/outcome.ts";
import { keyScopeOption } from "../integrations/key-scopes.ts";
import { assertAcceptable } from "./acceptance.ts";
import { findExisting } from "./existing.ts";
import { openHandOverFile } from "./hand-over-file.ts";
import { Onboarding } from "./onboarding.ts";
import { type OnboardOptions, readWanted } from "./wanted.ts";

/** `gatehouse onboard` */
export function addOnboard(program: Command, verb: Verb): void {
  program
    .command("onboard")
    .summary("make everything an integrator needs, and a file to hand over")
    .description(
      "Makes an integration, its instance integration, an API key, an application and a subscription in one go, and writes the file that its developers begin with. At a terminal it asks for what no flag says; in a script it never asks, and makes an application only with --redirect-uri, a subscription only with --endpoint-url.\n\nRun again after an interruption, it goes on: what exists by name or label is not made twice.",
    )
    .argument("<name>", "of the integration and its application")
    .option("--instance <id or name>", "instance of the platform; not needed where there is only one")
    .option("--redirect-uri <uri>", "where its application gets people back; may be repeated", repeated)
    .addOption(
      new Option("--kind <kind>", "of its application: web (has a secret), browser or native (default: web)").choices(
        lowerWordsOf(ApplicationKind),
      ),
    )
    .option("--no-application", "no application, and no question about one")
    .option("--endpoint-url <url>", "address that its events are posted to")
    .addOption(eventTypeOption("an exact type, user.* or *; may be repeated (default: *)").argParser(repeated))
    .option("--subscription-label <slug>", "a-z, 0-9 and hyphens (default: made of the names)")
    .option("--no-subscription", "no subscription, and no question about one")
    .option("--key-label <text>", "distinguishes its API key from others", "hand-over")
    .addOption(keyScopeOption("its API key", "read, and webhooks with a subscription"))
    .option(
      "--hand-over <file>",
      "a new file for the values and secrets, which the guides call handover.env; without it they are shown once",
    )
    .action(
      verb<OnboardOptions>(
        async (asked, options, name = "") => {
          const wanted = await readWanted(asked, name.trim(), options);
          const existing = await findExisting(asked, wanted);
          await assertAcceptable(asked, wanted, existing);
          const file =
            wanted.handOver === undefined
              ? undefined
              : await openHandOverFile(
                  wanted.handOver,
                  wanted.name,
                  wanted.instance.name,
                  existing.integration !== undefined,
                );
          const done = new Onboarding(asked, wanted, existing, file);
          try {
            await done.makeAll(options.json === true);
            await file?.finish();
          } finally {
            file?.close();
          }
          return one(done.json(true), done.facts(), {
            said: !done.hasSecrets
              ? `${wanted.name} was onboarded before; no secret was made${file === undefined ? "" : `, and ${wanted.handOver} has none`}. Beside each thing is the command that makes a new one.`
              : file === undefined
                ? `${wanted.name} is onboarded. Secrets are shown this once and stored nowhere: store them now, in a safe place.`
                : `${wanted.name} is onboarded. Its values and secrets are in ${wanted.handOver}, which only you can read; no secret is shown here or stored elsewhere.`,
            next: `hand it over, with the address of the guides: ${done.guide}`,
            ...(done.hasSecrets && file === undefined
              ? { ifUnread: "Repeat the command: beside each thing is then the command that makes another secret." }
              : {}),
          });
        },
        {
          name: "<name>",
          instance_id: "--instance",
          label: "--key-label",
          "redirect_uris.uri": "--redirect-uri",
          endpoint_url: "--endpoint-url",
          event_types: "--event-type",
        },
      ),
    );
}
