import type { Command } from "commander";
import type { RedirectUri } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { present } from "../../connection/answers.ts";
import { namesOf } from "../../connection/names.ts";
import type { Verb } from "../../connection/verb.ts";
import { applicationId, instanceId } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { many } from "../../output/outcome.ts";
import { APPLICATION, APPLICATION_FIELDS, shownApplication } from "./application-shown.ts";

/** `gatehouse applications redirect-uris …` */
export function addRedirectUris(applications: Command, verb: Verb): void {
  const noun = applications.command("redirect-uris").summary("addresses that people are sent back to");

  noun
    .command("add")
    .summary("register one more redirect URI")
    .argument(...APPLICATION.argument)
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

  verbOfOne(noun, verb, APPLICATION)(
    "list",
    "list the redirect URIs of an application, with their instances",
    async (asked, id) => {
      const answer = await asked.signOn.getApplication({ applicationId: id }, asked.call);
      const { redirectUris } = present(answer.application);
      const names = await namesOf(
        asked,
        redirectUris.map(({ instanceId: of }) => of),
      );
      const columns = [
        { heading: "redirect uri", cell: ({ uri }: RedirectUri) => uri },
        { heading: "instance", cell: ({ instanceId: of }: RedirectUri) => names.of(of) },
      ];
      const json = { redirectUris: redirectUris.map(({ uri, instanceId: of }) => ({ uri, instanceId: of })) };
      return many(json, redirectUris, columns, { ifNone: {} });
    },
  );

  noun
    .command("remove")
    .summary("remove a redirect URI; sign-ins under way cannot end there")
    .argument(...APPLICATION.argument)
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
