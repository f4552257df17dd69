import type { Command } from "commander";
import type { Person } from "#generated/proto/gatehouse/workforce/v1/workforce.ts";
import { present } from "../../connection/answers.ts";
import type { Verb } from "../../connection/verb.ts";
import { chosenFields } from "../../input/chosen-fields.ts";
import { requestIdOption } from "../../input/flags.ts";
import { byPersonKey, personId } from "../../input/references.ts";
import { PERSON } from "../../input/subjects.ts";
import { verbOfOne } from "../../input/verb-of-one.ts";
import { run } from "../../output/advice.ts";
import { commandError, EXIT } from "../../output/command-error.ts";
import { type OutcomeWords, one } from "../../output/outcome.ts";
import { addErase } from "../erasing.ts";
import { addPasswordLinks } from "./password-links.ts";
import { addPersonExplained } from "./person-explained.ts";
import { addPersonSessions } from "./person-sessions.ts";
import { personFacts, toPersonJson } from "./person-shown.ts";

interface UpdateOptions {
  readonly email?: string;
  readonly firstName?: string;
  readonly lastName?: string;
  readonly emailVerified?: boolean;
}

const FIELDS = {
  ...PERSON.fields,
  email: "--email",
  first_name: "--first-name",
  last_name: "--last-name",
  email_verified: "--email-verified",
};

/** `gatehouse people …` */
export function addPeople(program: Command, verb: Verb): void {
  const noun = program.command("people").summary("human beings, whose names and addresses users and workers show");

  noun
    .command("show")
    .summary("show a person")
    .argument("[person]", "id (person_…), e-mail address, or first and last name")
    .option("--person <id>", "an id, in place of the argument")
    .option("--email <address>", "an address, in place of the argument")
    .action(
      verb<{ person?: string; email?: string }>(
        async (asked, options, person) => {
          const { platform, call } = asked;
          return shown(
            (await byPersonKey(asked, oneOf(options, person), (key) => platform.readPerson({ key }, call))).person,
          );
        },
        { person_id: "<person>", email: "<person>" },
      ),
    );

  noun
    .command("update")
    .summary("change address or names, wherever the person has a seat")
    .description(
      "Changes e-mail address or names, wherever the person has a seat; subscribers get user.updated and worker.updated.",
    )
    .argument(...PERSON.argument)
    .option("--email <address>", "new e-mail address; unverified unless --email-verified is given")
    .option("--first-name <text>", "an empty one removes it")
    .option("--last-name <text>", "an empty one removes it")
    .option("--email-verified", "the platform vouches for the address")
    .option("--no-email-verified", "the platform no longer vouches for the address")
    .addOption(requestIdOption())
    .action(
      verb<UpdateOptions>(async (asked, options, reference = "") => {
        const { platform, requestId, call } = asked;
        const { email, firstName, lastName, emailVerified } = options;
        const given = { email, first_name: firstName, last_name: lastName, email_verified: emailVerified };
        const request = {
          requestId,
          updateMask: chosenFields(given, FIELDS),
          personId: await personId(asked, reference),
          email: email ?? "",
          firstName: firstName ?? null,
          lastName: lastName ?? null,
          emailVerified: emailVerified ?? false,
        };
        const { person } = await platform.updatePerson(request, call);
        return shown(person, {
          said: "The person is changed, and so is what users and workers show.",
          next: run`gatehouse people show --person ${present(person).id}`,
        });
      }, FIELDS),
    );

  const ofOne = verbOfOne(noun, verb, PERSON);
  ofOne(
    "disable",
    "block the person from signing in anywhere; sessions and tokens end for good (one seat only: users disable)",
    async ({ platform, requestId, call }, id) => {
      const key = { $case: "personId", value: id } as const;
      const before = present((await platform.readPerson({ key }, call)).person);
      const { person } = await platform.disablePerson({ requestId, personId: id }, call);
      return shown(person, {
        said: before.disabled
          ? "The person was disabled already; nothing was changed."
          : "The person can no longer sign in anywhere; sessions, tokens and password links have ended. Users and workers stay as they are, and lists still show them. To close one company's seat only: gatehouse users disable.",
        next: run`gatehouse people explain ${id}`,
      });
    },
    requestIdOption(),
  );
  ofOne(
    "enable",
    "let the person sign in again, with the same password",
    async ({ platform, requestId, call }, id) => {
      const { person } = await platform.enablePerson({ requestId, personId: id }, call);
      return shown(person, {
        said: "The person is no longer blocked. A sign-in needs a seat and a password, too; the next command says whether they are there.",
        next: run`gatehouse people explain ${id}`,
      });
    },
    requestIdOption(),
  );

  addPersonExplained(noun, verb);
  addPasswordLinks(noun, verb);
  addPersonSessions(noun, verb);
  addErase(noun, verb);
}

/** The one person that was given, as an argument or by one of two flags. @throws CommandError for none or several. */
function oneOf(
  { person, email }: { readonly person?: string; readonly email?: string },
  given: string | undefined,
): string {
  const [only, another] = [given, person, email].filter((one) => one !== undefined);
  if (only !== undefined && another === undefined) return only;
  throw commandError(EXIT.usage, {
    code: "USAGE",
    reason: "one_person",
    message: "Name one person: an id, an e-mail address or a name, or --person, or --email.",
  });
}

const shown = (person: Person | null, words: OutcomeWords = {}) =>
  one(toPersonJson(present(person)), personFacts(present(person)), words);
