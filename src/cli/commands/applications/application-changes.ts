import { type Command, Option } from "commander";
import { ConsentPolicy, type Lifetimes } from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { parseWholeNumber, repeated, texts, yesOption } from "../../input/flags.ts";
import { type ConsentOptions, confirmed } from "../../input/questions.ts";
import { applicationId } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { plain } from "../../output/terminal-text.ts";
import { grantTypeOption, scopeOption } from "./application-flags.ts";
import { APPLICATION, APPLICATION_FIELDS, shownApplication, toLifetimes } from "./application-shown.ts";

interface UpdateOptions extends Lifetimes {
  readonly name?: string;
  readonly scope?: readonly string[];
  readonly pkceRequired?: boolean;
  readonly consent?: LowerEnumWord<typeof ConsentPolicy>;
  readonly grantType?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly postLogoutRedirectUri?: readonly string[];
  readonly refreshRepeatSeconds?: number;
}

/** `gatehouse applications update`, `disable`, `enable` and `delete` */
export function addApplicationChanges(noun: Command, verb: Verb): void {
  noun
    .command("update")
    .summary("change only the fields whose flags are given; a list is replaced, and an empty text clears it")
    .argument(...APPLICATION.argument)
    .option("--name <text>", "name on the consent page")
    .addOption(scopeOption("the complete new list; may be repeated"))
    .addOption(
      new Option("--consent <policy>", "when people are asked: always, once or never").choices(
        lowerWordsOf(ConsentPolicy),
      ),
    )
    .option("--pkce-required", "a web application must use PKCE too")
    .option("--no-pkce-required", "a web application may omit PKCE")
    .addOption(
      grantTypeOption("the complete new list; may be repeated; without authorization_code there are no new sign-ins"),
    )
    .option("--post-logout-redirect-uri <uri>", "the complete new list; may be repeated", repeated)
    .option("--cors-origin <origin>", "the complete new list; may be repeated", repeated)
    .optionsGroup("Lifetimes in seconds, for everything issued from now on:")
    .option("--authorization-code-seconds <n>", "30 to 600", parseWholeNumber)
    .option("--access-token-seconds <n>", "60 to 86400", parseWholeNumber)
    .option("--id-token-seconds <n>", "60 to 86400", parseWholeNumber)
    .option("--refresh-token-idle-seconds <n>", "60 to 400 days", parseWholeNumber)
    .option("--refresh-token-absolute-seconds <n>", "60 to 400 days", parseWholeNumber)
    .option("--refresh-repeat-seconds <n>", "0 to 300; 0 treats every repeat as theft", parseWholeNumber)
    .action(
      verb<UpdateOptions>(async (asked, options, reference = "") => {
        const request = {
          ...toFields(options),
          updateMask: chosenFields(given(options), APPLICATION_FIELDS),
          applicationId: await applicationId(asked, reference),
        };
        const application = present((await asked.signOn.updateApplication(request, asked.call)).application);
        return shownApplication(asked, application, { said: "The application is changed." });
      }, APPLICATION_FIELDS),
    );

  const ofOne = verbOfOne(noun, verb, APPLICATION);
  ofOne("disable", "disable an application; its codes and tokens become invalid at once", async (asked, id) => {
    const { application } = await asked.signOn.disableApplication({ applicationId: id }, asked.call);
    return shownApplication(asked, present(application), {
      said: "The application is disabled: sign-ins with it are refused, and its codes and tokens are invalid for good.",
      next: run`gatehouse applications enable ${id}`,
    });
  });
  ofOne("enable", "enable a disabled application; people must sign in again", async (asked, id) => {
    const { application } = await asked.signOn.enableApplication({ applicationId: id }, asked.call);
    return shownApplication(asked, present(application), {
      said: "The application is enabled. What was issued to it before remains invalid: people must sign in again.",
    });
  });

  ofOne<ConsentOptions>(
    "delete",
    "end an application for good; asks first, and cannot be undone",
    async (asked, applicationId, options) => {
      const { name, id } = present((await asked.signOn.getApplication({ applicationId }, asked.call)).application);
      await confirmed(asked, options, {
        says: `This ends ${plain(name)} (${id}) for good: sign-ins with it, its codes, tokens and secret, and what people consented to. API keys and subscriptions stay.`,
        question: `Delete ${plain(name)}?`,
      });
      const was = present((await asked.signOn.deleteApplication({ applicationId }, asked.call)).application);
      return shownApplication(asked, was, {
        said: "The application is deleted. This is what it was:",
        next: run`gatehouse applications list`,
      });
    },
    yesOption(),
  );
}

/** The value of each flag, by the field that it sets. */
const given = (options: UpdateOptions): Readonly<Record<string, unknown>> => ({
  name: options.name,
  scopes: options.scope,
  pkce_required: options.pkceRequired,
  consent: options.consent,
  grant_types: options.grantType,
  refresh_repeat_seconds: options.refreshRepeatSeconds,
  cors_origins: options.corsOrigin,
  post_logout_redirect_uris: options.postLogoutRedirectUri,
  "lifetimes.authorization_code_seconds": options.authorizationCodeSeconds,
  "lifetimes.access_token_seconds": options.accessTokenSeconds,
  "lifetimes.id_token_seconds": options.idTokenSeconds,
  "lifetimes.refresh_token_idle_seconds": options.refreshTokenIdleSeconds,
  "lifetimes.refresh_token_absolute_seconds": options.refreshTokenAbsoluteSeconds,
});

const toFields = (options: UpdateOptions) => ({
  name: options.name ?? "",
  scopes: texts(options.scope).flatMap((scopes) => scopes.split(/[\s,]+/)),
  pkceRequired: options.pkceRequired ?? false,
  consent: options.consent === undefined ? ConsentPolicy.UNSPECIFIED : valueOfLower(ConsentPolicy, options.consent),
  lifetimes: toLifetimes(options),
  grantTypes: texts(options.grantType),
  refreshRepeatSeconds: options.refreshRepeatSeconds ?? null,
  corsOrigins: texts(options.corsOrigin),
  postLogoutRedirectUris: texts(options.postLogoutRedirectUri),
});
