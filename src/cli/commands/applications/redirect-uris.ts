import type { Command } from "commander";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { applicationId, instanceId } from "../../input/references.ts";
import { APPLICATION_FIELDS, shownApplication } from "./application-shown.ts";

/** `gatehouse applications redirect-uris …` */
export function addRedirectUris(applications: Command, verb: Verb): void {
  const noun = applications.command("redirect-uris").summary("add or remove an address that people are sent back to");

  noun
    .command("add")
    .summary("register one more redirect URI")
    .argument("<application>", "its id (app_…) or name")
    .argument("<uri>", "where people are sent back to, byte for byte")
    .requiredOption("--instance <id or name>", "instance that people sign in to when it is used")
    .action(
      verb<{ instance: string }>(
        async (asked, { instance }, given = "", uri = "") => {
          const request = {
            applicationId: await applicationId(asked, given),
            redirectUri: { uri, instanceId: await instanceId(asked, instance) },
          };
          const application = present((await asked.signOn.addRedirectUri(request, asked.call)).application);
          return shownApplication(asked, application, { said: "The redirect URI is registered." });
        },
        { ...APPLICATION_FIELDS, "redirect_uri.uri": "<uri>", "redirect_uri.instance_id": "--instance" },
      ),
    );

  noun
    .command("remove")
    .summary("remove a redirect URI; sign-ins under way cannot end there")
    .argument("<application>", "its id (app_…) or name")
    .argument("<uri>", "byte for byte as registered")
    .action(
      verb<object>(
        async (asked, _options, given = "", uri = "") => {
          const request = { applicationId: await applicationId(asked, given), uri };
          const application = present((await asked.signOn.removeRedirectUri(request, asked.call)).application);
          return shownApplication(asked, application, {
            said: "The redirect URI is removed: sign-ins can no longer end there.",
          });
        },
        { ...APPLICATION_FIELDS, uri: "<uri>" },
      ),
    );
}
