import { type Command, Option } from "commander";
import {
  type Application,
  ApplicationKind,
  ConsentPolicy,
  type Lifetimes,
} from "#generated/proto/gatehouse/sign_on/v1/operator.ts";
import { type LowerEnumWord, lowerWordsOf, valueOfLower } from "#runtime/basis/enum-words.ts";
import { present } from "../../connection/answers.ts";
import type { Asked, Verb } from "../../connection/verb.ts";
import { limitOption, noneOf, parseWholeNumber, repeated, restOf } from "../../input/flags.ts";
import { instanceId } from "../../input/references.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { many } from "../../output/outcome.ts";
import { addApplicationChanges } from "./application-changes.ts";
import { grantTypeOption, scopeOption } from "./application-flags.ts";
import { addApplicationSecrets, anotherSecret } from "./application-secrets.ts";
import {
  APPLICATION,
  APPLICATION_FIELDS,
  kindOf,
  shownApplication,
  stateOf,
  toApplicationJson,
  toLifetimes,
} from "./application-shown.ts";
import { addRedirectUris } from "./redirect-uris.ts";

interface CreateOptions extends Lifetimes {
  readonly name: string;
  readonly kind: LowerEnumWord<typeof ApplicationKind>;
  readonly instance: readonly string[];
  readonly redirectUri: readonly string[];
  readonly scope?: readonly string[];
  readonly pkceRequired?: boolean;
  readonly consent: LowerEnumWord<typeof ConsentPolicy>;
  readonly refreshRepeatSeconds?: number;
  readonly grantType?: readonly string[];
  readonly corsOrigin?: readonly string[];
  readonly postLogoutRedirectUri?: readonly string[];
}

interface ListOptions {
  readonly name?: string;
  readonly redirectUri?: string;
  readonly instance?: string;
  readonly state?: "live" | "disabled";
  readonly limit?: number;
  readonly cursor?: string;
}

/** `gatehouse applications …` */
export function addApplications(program: Command, verb: Verb): void {
  const noun = program.command("applications").summary("software that sends people here to sign in: OAuth's clients");

  noun
    .command("create")
    .summary("register an application; a web application's secret is shown this once")
    .requiredOption("--name <text>", "name on the consent page")
    .requiredOption("--redirect-uri <uri>", "where people are sent back to, byte for byte; may be repeated", repeated)
    .requiredOption(
      "--instance <id or name>",
      "instance that people sign in to; one for all redirect URIs, or one for each in the same order",
      repeated,
    )
    .addOption(
      new Option("--kind <kind>", "web (has a secret), browser or native (have none) (default: web)")
        .choices(lowerWordsOf(ApplicationKind))
        .default("web"),
    )
    .addOption(scopeOption("may be repeated (default: openid, profile and email)"))
    .addOption(
      new Option("--consent <policy>", "when people are asked: always, once or never (default: once)")
        .choices(lowerWordsOf(ConsentPolicy))
        .default("once"),
    )
    .option("--pkce-required", "a web application must use PKCE too")
    .addOption(grantTypeOption("authorization_code or refresh_token; may be repeated (default: both)"))
    .option("--post-logout-redirect-uri <uri>", "where people may be sent after signing out; may be repeated", repeated)
    .option("--cors-origin <origin>", "origin whose pages may call the token endpoint; may be repeated", repeated)
    .optionsGroup("Lifetimes in seconds:")
    .option("--authorization-code-seconds <n>", "30 to 600 (default: 600)", parseWholeNumber)
    .option("--access-token-seconds <n>", "(default: 3600)", parseWholeNumber)
    .option("--id-token-seconds <n>", "(default: 3600)", parseWholeNumber)
    .option("--refresh-token-idle-seconds <n>", "(default: 30 days)", parseWholeNumber)
    .option("--refresh-token-absolute-seconds <n>", "(default: 180 days)", parseWholeNumber)
    .option(
      "--refresh-repeat-seconds <n>",
      "how long a repeated refresh token gets the same successor (default: 30)",
      parseWholeNumber,
    )
    .action(
      verb<CreateOptions>(
        async (asked, options) => {
          const { application, secret } = await asked.signOn.createApplication(
            {
              name: options.name,
              kind: valueOfLower(ApplicationKind, options.kind),
              redirectUris: await redirectUris(asked, options),
              scopes: (options.scope ?? ["openid profile email"]).flatMap((scopes) => scopes.split(/[\s,]+/)),
              pkceRequired: options.pkceRequired ?? false,
              consent: valueOfLower(ConsentPolicy, options.consent),
              lifetimes: toLifetimes(options),
              grantTypes: [...(options.grantType ?? [])],
              refreshRepeatSeconds: options.refreshRepeatSeconds ?? null,
              corsOrigins: [...(options.corsOrigin ?? [])],
              postLogoutRedirectUris: [...(options.postLogoutRedirectUri ?? [])],
            },
            asked.call,
          );
          const made = present(application);
          const hasSecret = typeof secret === "string";
          const words = {
            said: hasSecret
              ? "The application is registered. Its secret is shown this once and stored nowhere: store it now, in a safe place."
              : "The application is registered.",
            next: "configure it with the issuer and this id; the rest is at <issuer>/.well-known/openid-configuration",
            ...(hasSecret ? { ifUnread: anotherSecret(made.id) } : {}),
          };
          return shownApplication(asked, made, words, secret ?? null);
        },
        { ...APPLICATION_FIELDS, "redirect_uris.uri": "--redirect-uri", redirect_uris: "--instance" },
      ),
    );

  noun
    .command("list")
    .summary("list the applications, oldest first, without their secrets")
    .option("--name <text>", "only those with this text in their name")
    .option("--redirect-uri <text>", "only those with this text in one of their redirect URIs, as its host")
    .option("--instance <id or name>", "only those with a redirect URI for this instance")
    .addOption(new Option("--state <state>", "only those: live, disabled").choices(["live", "disabled"]))
    .addOption(limitOption(200))
    .option("--cursor <text>", "continues where the previous list ended")
    .action(
      verb<ListOptions>(async (asked, { name, redirectUri, instance, state, limit, cursor }) => {
        const filter = { name, "redirect-uri": redirectUri, instance, state };
        const { applications, nextCursor } = await asked.signOn.listApplications(
          {
            nameContains: name ?? null,
            redirectUriContains: redirectUri ?? null,
            instanceId: instance === undefined ? null : await instanceId(asked, instance),
            disabled: state === undefined ? null : state === "disabled",
            limit: limit ?? 0,
            cursor: cursor ?? null,
          },
          asked.call,
        );
        const columns = [
          { heading: "name", cell: ({ name }: Application) => name },
          { heading: "id", cell: ({ id }: Application) => id },
          { heading: "kind", cell: kindOf },
          { heading: "state", cell: stateOf },
          {
            heading: "redirect uris",
            cell: ({ redirectUris }: Application) => redirectUris.map(({ uri }) => uri).join(" "),
          },
        ];
        const isAll = cursor === undefined && Object.values(filter).every((value) => value === undefined);
        const json = { applications: applications.map(toApplicationJson), nextCursor: nextCursor ?? null };
        return many(json, applications, columns, {
          ifNone: {
            said: noneOf("applications", { ...filter, from: cursor }, nextCursor),
            next: isAll
              ? run`gatehouse applications create --name … --redirect-uri … --instance …`
              : run`gatehouse applications list`,
          },
          ...restOf("applications list", { ...filter, limit }, nextCursor),
        });
      }),
    );

  verbOfOne(noun, verb, APPLICATION)("show", "show an application, without its secret", async (asked, id) => {
    const { application } = await asked.signOn.getApplication({ applicationId: id }, asked.call);
    return shownApplication(asked, present(application));
  });

  addApplicationChanges(noun, verb);
  addApplicationSecrets(noun, verb);
  addRedirectUris(noun, verb);
}

/** Each redirect URI with its instance: the only one, or the one at the same position. */
async function redirectUris(asked: Asked, { redirectUri, instance }: CreateOptions) {
  if (instance.length !== 1 && instance.length !== redirectUri.length)
    throw commandError(EXIT.usage, {
      code: "USAGE",
      reason: "instances_do_not_match",
      message: `There are ${redirectUri.length} --redirect-uri and ${instance.length} --instance.`,
      fix: "Give one --instance for all, or one for each in the same order.",
    });
  const ids = await Promise.all(instance.map((given) => instanceId(asked, given)));
  return redirectUri.map((uri, index) => ({ uri, instanceId: ids[index] ?? ids[0] ?? "" }));
}
