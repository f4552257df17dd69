import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { instanceId } from "../../input/id-or-name.ts";
import { one } from "../../output/outcome.ts";
import { APPLICATION_FIELDS, applicationFacts, toApplicationJson } from "./application-shown.ts";

/** `gatehouse applications redirect-uris …` */
export function addRedirectUris(applications: Command, verb: Verb): void {
  const noun = applications.command("redirect-uris").summary("add or remove an address that people are sent back to");

  noun
    .command("add")
    .summary("register one more redirect URI")
    .argument("<application-id>", "the application (app_…)")
    .argument("<uri>", "where people are sent back to, byte for byte")
    .requiredOption("--instance <id or name>", "instance that people sign in to when it is used")
    .action(
      verb<{ instance: string }>(
        async (asked, { instance }, applicationId = "", uri = "") => {
          const redirectUri = { uri, instanceId: await instanceId(asked, instance) };
          const { application } = await asked.signOn.addRedirectUri({ applicationId, redirectUri }, asked.call);
          const shown = present(application);
          return one(toApplicationJson(shown), applicationFacts(shown), { said: "The redirect URI is registered." });
        },
        { ...APPLICATION_FIELDS, "redirect_uri.uri": "<uri>", "redirect_uri.instance_id": "--instance" },
      ),
    );

  noun
    .command("remove")
    .summary("remove a redirect URI; sign-ins under way cannot end there")
    .argument("<application-id>", "the application (app_…)")
    .argument("<uri>", "byte for byte as registered")
    .action(
      verb<object>(
        async ({ signOn, call }, _options, applicationId = "", uri = "") => {
          const application = present((await signOn.removeRedirectUri({ applicationId, uri }, call)).application);
          return one(toApplicationJson(application), applicationFacts(application), {
            said: "The redirect URI is removed: sign-ins can no longer end there.",
          });
        },
        { ...APPLICATION_FIELDS, uri: "<uri>" },
      ),
    );
}
